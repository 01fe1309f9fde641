// `npm test`: installs missing packages, builds, checks the code while it runs every test in its quick form, and
// counts. `npm test -- PATH…` runs only the tests of these files.

import { installDebianPackages } from "./debian.mjs";
import { build, installPackages, requireNode } from "./prepare.mjs";
import { closeWith, runVitest } from "./run-vitest.mjs";

requireNode();
await installPackages("all");
await installDebianPackages();
await build();
const { runChecks } = await import("./check.mjs");
const [checks, tests] = await Promise.all([runChecks(), runVitest(process.argv.slice(2))]);
console.log(checks.report);
closeWith({ ...tests, passed: tests.passed + checks.passed, failed: tests.failed + checks.failed });
