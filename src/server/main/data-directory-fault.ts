// Describes what is wrong with a data directory that cannot be used, and what to do.

import { statSync } from "node:fs";
import { dirname, resolve, sep } from "node:path";

const ELSEWHERE = "or set TANDEM_DATA_DIR to another directory";

const WRONG: ReadonlyMap<string, (path: string) => string> = new Map([
  ["EEXIST", fileInTheWay],
  ["ENOTDIR", fileInTheWay],
  ["EISDIR", (path) => `${path}: a directory is where a file of Tandem's goes. Move it away, ${ELSEWHERE}.`],
  ["EACCES", notForUs],
  ["EPERM", notForUs],
  ["EROFS", (path) => `${path} is on a file system that is read-only. Mount it for writing, ${ELSEWHERE}.`],
  ["ENOSPC", (path) => `${path}: the disk is full. Free some space, ${ELSEWHERE}.`],
  ["EDQUOT", (path) => `${path}: this user's share of the disk is used up. Free some space, ${ELSEWHERE}.`],
  ["ENOENT", (path) => `${path} cannot be made there. Name a directory on a disk.`],
  ["ENAMETOOLONG", (path) => `${path} is too long. Name a shorter one.`],
]);

/** Returns the fault unchanged when the data directory is not its cause. */
export function dataDirectoryFault(fault: unknown, dataDir: string): unknown {
  const { code = "", path, syscall } = fault as NodeJS.ErrnoException;
  const what = WRONG.get(code);
  // The error for reading a directory as a file has no path.
  const place = path === undefined && syscall === "read" ? dataDir : path;
  if (!what || place === undefined || !isOnTheWay(resolve(place), dataDir)) return fault;
  return new Error(`TANDEM_DATA_DIR: ${what(resolve(place))}`, { cause: fault });
}

function isOnTheWay(path: string, dataDir: string): boolean {
  const isIn = (inner: string, outer: string) =>
    inner === outer || inner.startsWith(outer.endsWith(sep) ? outer : outer + sep);
  return isIn(path, dataDir) || isIn(dataDir, path);
}

function fileInTheWay(path: string): string {
  return `${lowestExisting(path)} is a file, not a directory. Move it away, ${ELSEWHERE}.`;
}

function notForUs(path: string): string {
  const place = lowestExisting(path);
  const owner = ownerOf(place);
  const ours = process.getuid?.() ?? "unknown";
  const whose = owner === undefined || owner === ours ? "" : `, which belongs to uid ${owner}`;
  return `this user (uid ${ours}) may not write to ${place}${whose}. Run Tandem as its owner, give it to this user with chown, ${ELSEWHERE}.`;
}

function lowestExisting(path: string): string {
  return ownerOf(path) !== undefined || dirname(path) === path ? path : lowestExisting(dirname(path));
}

function ownerOf(path: string): number | undefined {
  try {
    return statSync(path).uid;
  } catch {
    return undefined;
  }
}
