// The checks that read code instead of running it. Each counts as one test of `npm test`.

import { execFile } from "node:child_process";
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

/** Runs them beside one another. Answers how many passed and failed, and what to tell of each. */
export async function runChecks() {
  const faults = await Promise.all(CHECKS.map(faultOf));
  const failed = faults.filter((fault) => fault !== undefined).length;
  const told = CHECKS.map(({ name }, at) => (faults[at] === undefined ? `✓ ${name}` : `✗ ${name}\n${faults[at]}`));
  return { passed: CHECKS.length - failed, failed, told: told.join("\n") };
}

function faultOf({ command: [program, ...args], verdict }) {
  return new Promise((resolve) => {
    execFile(program, args, { cwd: root, encoding: "utf8", maxBuffer: 1 << 28 }, (error, stdout, stderr) => {
      if (verdict) resolve(verdict({ stdout, stderr }));
      else resolve(error ? `${stdout}${stderr}` || String(error) : undefined);
    });
  });
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const { failed, told } = await runChecks();
  console.log(told);
  process.exitCode = failed === 0 ? 0 : 1;
}
