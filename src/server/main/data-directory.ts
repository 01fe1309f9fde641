// The data directory holds the secret key, recordings and the built-in database, so it is open to its owner alone
// (0700). One that was there is closed to others, if it is ours to close.
//
// As root, PostgreSQL runs as another user. In a directory that we make, that user cannot enter, and the database goes
// elsewhere (postgres-cluster.ts). One that was there may hold a database, or be the volume that is to hold it: others
// may still pass it, without reading it (0711).

import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Log } from "../../base/log.ts";
import type { Config } from "../config/config.ts";

/** Files that only a server leaves. */
const OURS = ["secret.key", "demo.env", "postgres.log", "postgres.location", "recordings/host"];

/** Throws where it is somebody else's, or cannot be made. */
export function openDataDirectory({ dataDir, settings }: Config, log: Log): void {
  if (makeDirectory(dataDir)) return;
  refusePostgres(dataDir);
  const { mode, uid } = statSync(dataDir);
  const isRoot = process.getuid?.() === 0;
  const isPassed = isRoot && (settings.TANDEM_DATABASE_URL === undefined || existsSync(join(dataDir, "postgres")));
  const wanted = mode & (isPassed ? 0o711 : 0o700);
  if ((mode & 0o777) === wanted) return;
  const reason = uid === process.getuid?.() ? closeTo(wanted, dataDir) : "it belongs to another user";
  if (reason === undefined) log.info({ dataDir, mode: wanted.toString(8) }, "data directory closed to other users");
  else log.warn({ dataDir, mode: (mode & 0o777).toString(8), reason }, "data directory is open to other users");
}

/**
 * With those above it; false where it was there. (Node's `recursive` never returns where a directory takes no others,
 * as /proc.)
 */
function makeDirectory(path: string): boolean {
  try {
    mkdirSync(path, { mode: 0o700 });
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST" && statSync(path).isDirectory()) return false;
    if (code !== "ENOENT" || existsSync(dirname(path))) throw error;
    makeDirectory(dirname(path));
    return makeDirectory(path);
  }
}

function refusePostgres(dataDir: string): void {
  const version = join(dataDir, "PG_VERSION");
  if (!existsSync(version)) return;
  throw new Error(
    `TANDEM_DATA_DIR: ${dataDir} is the data directory of a PostgreSQL ${readFileSync(version, "utf8").trim()} itself. Name a directory of Tandem's own; if Tandem is to use that PostgreSQL, set TANDEM_DATABASE_URL.`,
  );
}

/** Why not, if not. */
function closeTo(mode: number, dataDir: string): string | undefined {
  if (!isOurs(dataDir)) return "it is not clear that it holds nothing else";
  try {
    chmodSync(dataDir, mode);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Made for us, or used by us: a folder of other things, such as /tmp, is not closed. */
function isOurs(dataDir: string): boolean {
  return readdirSync(dataDir).length === 0 || OURS.some((name) => existsSync(join(dataDir, name)));
}
