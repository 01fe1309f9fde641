// Third-party programs that our tests talk to. Where one is missing its suite is skipped with a message; in CI that is
// a failure, so that a missing peer is noticed.

import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** Daemons are in sbin, which is not on every user's path. */
const DAEMON_FOLDERS = ["/usr/local/sbin", "/usr/sbin", "/sbin"];

/** The program's path; `undefined` (for `describe.skipIf(!peer)`) where it is missing. */
export function requirePeer(
  program: string,
  debianPackage: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string | undefined {
  const folders = [...(environment.PATH ?? "").split(delimiter).filter(Boolean), ...DAEMON_FOLDERS];
  const path = folders.map((folder) => join(folder, program)).find(isExecutable);
  if (path !== undefined) return path;
  const reason = `${program} is not installed (Debian package ${debianPackage})`;
  if (environment.CI === "true") throw new Error(`${reason}, and CI must not skip it`);
  console.warn(`skipped: ${reason}`);
  return undefined;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
