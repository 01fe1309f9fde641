// Installs the packages and builds the program for `npm start`, `npm test` and the other scripts. Plain JavaScript
// without packages, because a fresh clone has none.

import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("..", import.meta.url));

/** Exits if package.json does not allow this Node.js: `^20.19.2 || >=22`. `tandem doctor` reads the same rule. */
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

/** Runs a program until it exits and returns its exit code. */
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

/**
 * Installs missing packages. `what` is "run" for the packages that building and running need, or "all" to include those
 * of checks, tests and benchmarks. The latter are kept if they are installed already. If only they are missing, they
 * are added to the others, because a server may be running from those.
 */
export async function installPackages(what) {
  const locked = readPackages("package-lock.json");
  const installed = readPackages("node_modules/.package-lock.json");
  if (isInstalled(locked, installed, what)) return;
  const hasTools = Object.keys(installed).some((path) => locked[path]?.dev);
  const isLight = what === "run" && !hasTools;
  console.log(isLight ? "· installing packages (once)" : "· installing packages, with those of tests (once)");
  // `npm ci` would remove all packages first.
  const order = isInstalled(locked, installed, "run") ? ["install", "--no-save", "--prefer-offline"] : ["ci"];
  // Explicit in both cases, because with NODE_ENV=production npm omits the packages of tests.
  const extent = isLight ? "--omit=dev" : "--include=dev";
  await runOrExit("npm", [...order, extent, "--no-audit", "--no-fund", "--loglevel=error"]);
}

/** The packages of npm's lock file or installed list, by path. Empty when the file is missing or incomplete. */
function readPackages(path) {
  try {
    return JSON.parse(readFileSync(`${root}${path}`, "utf8")).packages;
  } catch {
    return {};
  }
}

function isInstalled(locked, installed, what) {
  return Object.entries(locked).every(([path, { version, integrity, dev, link, optional, devOptional }]) => {
    if (!path.includes("node_modules/") || (dev && what === "run")) return true;
    const found = installed[path];
    // An optional package is missing when it is for other platforms.
    if (!found) return Boolean(optional || devOptional);
    return Boolean(link) || (found.version === version && found.integrity === integrity);
  });
}

export async function build() {
  await runOrExit(process.execPath, ["scripts/build.mjs"]);
}

/** The files in these folders that git tracks or would add. */
export function tracked(folders) {
  const listed = spawnSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", ...folders], {
    cwd: root,
    encoding: "utf8",
  });
  return listed.stdout.split("\n").filter((path) => path !== "" && existsSync(`${root}${path}`));
}
