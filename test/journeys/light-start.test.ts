// What `npm start`, `npm test` and other scripts install, on a clone with an npm that only records its arguments.

import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { asNode } from "./tandem-command.ts";

const SCRIPTS = fileURLToPath(new URL("../../scripts/", import.meta.url));
const NPM = `#!${process.execPath}
const { appendFileSync, mkdirSync, readFileSync, writeFileSync } = require("node:fs");
const args = process.argv.slice(2);
const QUIET = ["--no-audit", "--no-fund", "--loglevel=error"];
appendFileSync("npm.log", args.filter((arg) => !QUIET.includes(arg)).join(" ") + "\\n");
const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
const kept = Object.entries(packages).filter(([path, { dev, os }]) => path !== "" && !os && !(dev && args.includes("--omit=dev")));
mkdirSync("node_modules", { recursive: true });
writeFileSync("node_modules/.package-lock.json", JSON.stringify({ packages: Object.fromEntries(kept) }));
`;

let clone: string;

beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), "tandem-clone-"));
  mkdirSync(join(clone, "scripts"));
  for (const name of ["prepare.mjs", "install.mjs", "start.mjs"]) {
    copyFileSync(SCRIPTS + name, join(clone, "scripts", name));
  }
  writeFileSync(join(clone, "package.json"), JSON.stringify({ engines: packageJson.engines }));
  writeFileSync(join(clone, "npm"), NPM);
  chmodSync(join(clone, "npm"), 0o755);
  lock("1.0.0");
});
afterEach(() => rmSync(clone, { recursive: true }));

function lock(version: string): void {
  const packages = {
    "": {},
    "node_modules/builder": { version },
    "node_modules/linter": { version, dev: true },
    "node_modules/elsewhere": { version, optional: true, os: ["plan9"] },
    "node_modules/@tandem/portal": { resolved: "portal", link: true },
    portal: { version },
  };
  writeFileSync(join(clone, "package-lock.json"), JSON.stringify({ packages }));
}

/** The arguments that npm was called with. */
function install(what: "run" | "all"): readonly string[] {
  const log = join(clone, "npm.log");
  rmSync(log, { force: true });
  const environment = { ...process.env, PATH: `${clone}:${process.env.PATH}` };
  execFileSync(process.execPath, ["scripts/install.mjs", what], { cwd: clone, env: environment });
  return existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : [];
}

test("a start installs what it takes to build and run, once; tests add the rest, and a start leaves it there", () => {
  expect(install("run")).toEqual(["ci --omit=dev"]);
  expect(install("run")).toEqual([]);
  expect(install("all")).toEqual(["install --no-save --prefer-offline --include=dev"]);
  expect(install("all")).toEqual([]);
  expect(install("run")).toEqual([]);
});

test("packages of another version are noticed, and what tests need stays beside them", () => {
  install("run");
  lock("1.0.1");
  expect(install("run")).toEqual(["ci --omit=dev"]);
  install("all");
  lock("1.0.2");
  expect(install("run")).toEqual(["ci --include=dev"]);
  expect(install("all")).toEqual([]);
});

test("tests on a fresh clone install everything, whatever NODE_ENV is", () => {
  expect(install("all")).toEqual(["ci --include=dev"]);
});

test("an installation that did not end is made again", () => {
  install("run");
  writeFileSync(join(clone, "node_modules", ".package-lock.json"), '{"packages": {');
  expect(install("run")).toEqual(["ci --omit=dev"]);
});

test.each(["20.19.1", "21.7.3"])(
  "a start on Node.js %s, whose HTTP parser has a hole, says so and installs nothing",
  (version) => {
    const environment = { ...process.env, PATH: `${clone}:${process.env.PATH}`, ...asNode(version) };
    const started = spawnSync(process.execPath, ["scripts/start.mjs"], { cwd: clone, env: environment });
    expect({ status: started.status, stdout: String(started.stdout) }).toEqual({ status: 1, stdout: "" });
    expect(String(started.stderr)).toContain(
      `needs Node.js ${packageJson.engines.node}; this is ${version}, whose HTTP parser`,
    );
    expect(existsSync(join(clone, "npm.log"))).toBe(false);
  },
);
