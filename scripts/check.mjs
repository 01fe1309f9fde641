// The static checks of the code. Each counts as one test of `npm test`.

import { execFile } from "node:child_process";
import { root } from "./prepare.mjs";

const bin = (name) => `node_modules/.bin/${name}`;

// One thread: more threads would read the same types again, and the tests use the other cores.
const TSC = ["node_modules/@typescript/native/bin/tsc", "--singleThreaded"];

const CHECKS = [
  { name: "types", command: [...TSC, "-p", "."] },
  { name: "types of the portal", command: [...TSC, "-p", "portal"] },
  { name: "style", command: [bin("biome"), "check", "--error-on-warnings"] },
  {
    name: "rings",
    command: [bin("depcruise"), "rules", "src", "sdk", "portal/src", "--output-type", "json"],
    verdict: ringsVerdict,
  },
  { name: "tidiness", command: [process.execPath, "scripts/tidy.mjs"] },
  { name: "unused code", command: [bin("knip"), "--no-progress"] },
  { name: "code that only tests use", command: [bin("knip"), "--no-progress", "--production"] },
  { name: "generated files", command: [process.execPath, "--import", "tsx", "scripts/generate.ts", "--check"] },
];

// For the compiler, a Go program: garbage collection takes a quarter of its time and saves no memory.
const GO_SETTINGS = { GOGC: "off", GOMEMLIMIT: "4GiB" };

/** Fails when dependency-cruiser saw hardly any modules, because its result then proves nothing. */
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

/** Runs all checks concurrently. Returns how many passed and failed, and a report of each. */
export async function runChecks() {
  const faults = await Promise.all(CHECKS.map(faultOf));
  const failed = faults.filter((fault) => fault !== undefined).length;
  const reports = CHECKS.map(({ name }, at) => (faults[at] === undefined ? `✓ ${name}` : `✗ ${name}\n${faults[at]}`));
  return { passed: CHECKS.length - failed, failed, report: reports.join("\n") };
}

function faultOf({ command: [program, ...args], verdict }) {
  return new Promise((resolve) => {
    const options = { cwd: root, env: { ...process.env, ...GO_SETTINGS }, encoding: "utf8", maxBuffer: 1 << 28 };
    execFile(program, args, options, (error, stdout, stderr) => {
      if (verdict) resolve(verdict({ stdout, stderr }));
      else resolve(error ? `${stdout}${stderr}` || String(error) : undefined);
    });
  });
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const { failed, report } = await runChecks();
  console.log(report);
  process.exitCode = failed === 0 ? 0 : 1;
}
