// The repository after a clone and `npm start`: the files that git knows, only the packages that running needs, and the
// output of the build. Nothing is downloaded: packages are those that are installed here, and `npm install` gets the
// examples' dependencies from a registry in this process.

import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type NpmRegistry, startNpmRegistry } from "../fakes/npm-registry.ts";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");

export interface FreshClone {
  readonly directory: string;
  /** The environment for npm to install from here. This process serves the packages, so do not block it meanwhile. */
  readonly npm: Readonly<Record<string, string>>;
  remove(): void;
}

interface Locked {
  readonly dev?: boolean;
  readonly link?: boolean;
  readonly resolved?: string;
}

export async function freshClone(): Promise<FreshClone> {
  const directory = mkdtempSync(join(tmpdir(), "tandem-clone-"));
  for (const path of knownFiles()) copy(path, directory);
  for (const path of ["dist", "sdk/dist"]) copy(path, directory);
  installPackages(directory);
  const registry: NpmRegistry = await startNpmRegistry(join(ROOT, "node_modules"));
  return {
    directory,
    npm: { npm_config_registry: registry.url, npm_config_cache: join(directory, ".npm-cache") },
    remove() {
      registry.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** The files that a commit of everything here would contain. */
function knownFiles(): readonly string[] {
  const order = ["ls-files", "--cached", "--others", "--exclude-standard"];
  const listed = execFileSync("git", order, { cwd: ROOT, encoding: "utf8" }).split("\n");
  return listed.filter((path) => path !== "" && existsSync(join(ROOT, path)));
}

/** Keeps the modification time, because the build checks it. */
function copy(path: string, directory: string): void {
  cpSync(join(ROOT, path), join(directory, path), {
    recursive: true,
    preserveTimestamps: true,
    verbatimSymlinks: true,
  });
}

/** As `npm ci --omit=dev` does; each is a link to the one that is installed here. */
function installPackages(directory: string): void {
  const installed = JSON.parse(readFileSync(join(ROOT, "node_modules/.package-lock.json"), "utf8")) as {
    readonly packages: Readonly<Record<string, Locked>>;
  };
  const running = Object.entries(installed.packages).filter(([, { dev }]) => !dev);
  for (const [path, { link, resolved = "" }] of running) {
    // Nested packages come with their parents.
    if (path.lastIndexOf("node_modules/") !== 0) continue;
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    symlinkSync(link ? join(directory, resolved) : join(ROOT, path), join(directory, path));
  }
  writeFileSync(
    join(directory, "node_modules/.package-lock.json"),
    JSON.stringify({ ...installed, packages: Object.fromEntries(running) }),
  );
}
