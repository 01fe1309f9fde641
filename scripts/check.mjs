// The checks that read code instead of running it. Each counts as one test of `npm test`.

import { spawnSync } from "node:child_process";
import { root } from "./prepare.mjs";

const bin = (name) => `node_modules/.bin/${name}`;

const CHECKS = [
  { name: "types", command: ["node_modules/@typescript/native/bin/tsc", "-p", "."] },
  { name: "style", command: [bin("biome"), "check", "--error-on-warnings"] },
  { name: "rings", command: [bin("depcruise"), "src", "sdk", "--output-type", "json"], verdict: ringsVerdict },
  { name: "unused code", command: [bin("knip"), "--no-progress"] },
  { name: "generated files", command: [process.execPath, "--import", "tsx", "scripts/generate.ts", "--check"] },
];

/** A cruise that saw nothing proves nothing. */
function ringsVerdict({ stdout, stderr }) {
  let summary;
  try {
    ({ summary } = JSON.parse(stdout));
  } catch {
    return stderr || stdout || "dependency-cruiser answered nothing";
  }
  if (summary.totalCruised < 10) return `dependency-cruiser saw ${summary.totalCruised} modules only`;
  const faults = summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`);
  return faults.length === 0 ? undefined : faults.join("\n");
}

export function runChecks() {
  let failed = 0;
  for (const { name, command, verdict } of CHECKS) {
    const result = spawnSync(command[0], command.slice(1), { cwd: root, encoding: "utf8", maxBuffer: 1 << 28 });
    const fault = verdict ? verdict(result) : result.status === 0 ? undefined : `${result.stdout}${result.stderr}`;
    if (fault !== undefined) failed += 1;
    console.log(fault === undefined ? `✓ ${name}` : `✗ ${name}\n${fault}`);
  }
  return { passed: CHECKS.length - failed, failed };
}

if (process.argv[1] === new URL(import.meta.url).pathname) process.exitCode = runChecks().failed === 0 ? 0 : 1;
