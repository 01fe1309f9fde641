// The data directory holds the secret key, recordings and the built-in database, so only its owner can access it
// (0700). An existing directory is closed to other users, if it is ours.
//
// As root, the built-in PostgreSQL runs under another account, which must be able to enter: the directory is given to
// that account, and stays closed to everyone else but root.

import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Account, accountFor } from "../../adapters/postgres/postgres-account.ts";
import type { Log } from "../../base/log.ts";
import type { Config } from "../config/config.ts";

/** Files that only a server creates. */
const OURS = ["secret.key", "demo.env", "postgres.log", "postgres.location", "recordings/host"];
const MODE = 0o700;

/** Throws where it is the data directory of a PostgreSQL, or cannot be created. */
export async function openDataDirectory({ dataDir, settings }: Config, log: Log): Promise<void> {
  const isMade = makeDirectory(dataDir, MODE);
  if (!isMade) refusePostgres(dataDir);
  const { mode, uid } = statSync(dataDir);
  const ours = process.getuid?.();
  const cluster = join(dataDir, "postgres");
  const account =
    settings.TANDEM_DATABASE_URL === undefined
      ? await accountFor(existsSync(cluster) ? cluster : undefined)
      : undefined;
  const isClosed = (mode & 0o777 & ~MODE) === 0;
  if (isClosed && (!account || uid === account.uid)) return;
  const isOwn = uid === ours || uid === account?.uid;
  const reason = isOwn ? close(dataDir, account) : "it belongs to another user";
  if (reason !== undefined)
    log.warn({ dataDir, mode: (mode & 0o777).toString(8), reason }, "data directory is open to other users");
  else if (!isMade) log.info({ dataDir }, "data directory closed to other users");
}

/**
 * Creates missing parents too; false where the directory existed. (Node's `recursive` never returns where a directory
 * accepts no entries, such as /proc.)
 */
function makeDirectory(path: string, mode?: number): boolean {
  try {
    mkdirSync(path, { mode });
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST" && statSync(path).isDirectory()) return false;
    if (code !== "ENOENT" || existsSync(dirname(path))) throw error;
    makeDirectory(dirname(path));
    return makeDirectory(path, mode);
  }
}

function refusePostgres(dataDir: string): void {
  const version = join(dataDir, "PG_VERSION");
  if (!existsSync(version)) return;
  throw new Error(
    `TANDEM_DATA_DIR: ${dataDir} is the data directory of a PostgreSQL ${readFileSync(version, "utf8").trim()} itself. Name a directory of Tandem's own; if Tandem is to use that PostgreSQL, set TANDEM_DATABASE_URL.`,
  );
}

/** Returns the reason if it could not. */
function close(dataDir: string, account: Account | undefined): string | undefined {
  if (!isOurs(dataDir)) return "it is not clear that it holds nothing else";
  try {
    chmodSync(dataDir, MODE);
    if (account) chownSync(dataDir, account.uid, account.gid);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Created for us, or used by us: a folder with other content, such as /tmp, is not closed. */
function isOurs(dataDir: string): boolean {
  return readdirSync(dataDir).length === 0 || OURS.some((name) => existsSync(join(dataDir, name)));
}
