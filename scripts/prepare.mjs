// Installs the packages and builds the program for `npm start`, `npm test` and the other scripts. Plain JavaScript
// without packages, because a fresh clone has none.

import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("..", import.meta.url));
const stamp = `${root}node_modules/.installed-lockfile`;

/** Ends the program where package.json does not allow this Node.js: `^20.19.2 || >=22`, as doctor reads it too. */
export function requireNode() {
  const wanted = JSON.parse(readFileSync(`${root}package.json`, "utf8")).engines.node;
  const numbers = (version) => version.split(".").map(Number);
  const [major, minor, patch] = numbers(process.versions.node);
  const fits = (range) => {
    const [from, fromMinor = 0, fromPatch = 0] = numbers(range.replace(/^\D+/, ""));
    if (major !== from) return range.startsWith(">=") && major > from;
    return minor > fromMinor || (minor === fromMinor && patch >= fromPatch);
  };
  if (wanted.split(" || ").some(fits)) return;
  console.error(
    `Tandem needs Node.js ${wanted}; this is ${process.versions.node}, whose HTTP parser has a hole (request smuggling).`,
  );
  process.exit(1);
}

/** Runs a program to its end and returns its exit code. */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: "inherit", ...options });
    child.on("error", reject);
    child.on("exit", (code, signal) => resolve(code ?? (signal ? 1 : 0)));
  });
}

export async function runOrExit(command, args, options) {
  const code = await run(command, args, options);
  if (code !== 0) process.exit(code);
}

export async function installPackages() {
  const wanted = createHash("sha256")
    .update(readFileSync(`${root}package-lock.json`))
    .digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  console.log("· installing packages (once)");
  await runOrExit("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"]);
  writeFileSync(stamp, wanted);
}

export async function build() {
  await runOrExit(process.execPath, ["scripts/build.mjs"]);
}

/** The files below these folders that git knows or would add. */
export function tracked(folders) {
  const listed = spawnSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", ...folders], {
    cwd: root,
    encoding: "utf8",
  });
  return listed.stdout.split("\n").filter((path) => path !== "" && existsSync(`${root}${path}`));
}
