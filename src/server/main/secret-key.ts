// The key that encrypts stored secrets: given by the environment, or made once in the data directory. A key that is not
// the one of the database is refused, because nothing that was encrypted could be read with it.

import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { secretBox } from "../../adapters/secrets.ts";
import { type ConnectionSettings, Database } from "../../adapters/store/engine/database.ts";
import { claimKeyCheck, fitsKeyCheck, readKeyCheck, replaceKeyCheck } from "../../adapters/store/secret-key-check.ts";
import type { Log } from "../../base/log.ts";
import type { Config } from "../config/config.ts";

const WHAT_TO_DO =
  "Put the right one back from your backup, or set TANDEM_SECRET_KEY to that of the other nodes. If it is lost for good, start once with TANDEM_ACCEPT_NEW_KEY=on: webhook secrets, bearers and PINs must then be given anew.";

export async function secretKeyOf(
  { settings, dataDir }: Config,
  connection: ConnectionSettings,
  log: Log,
): Promise<Buffer> {
  const db = new Database(connection, log, { connectionsMax: 1 });
  try {
    const mayChange = settings.TANDEM_ACCEPT_NEW_KEY === "on";
    const mayMake = mayChange || (await readKeyCheck(db)) === undefined;
    const key = settings.TANDEM_SECRET_KEY ?? keyIn(dataDir, mayMake);
    const box = secretBox(key);
    if (await claimKeyCheck(db, box)) return key;
    if (!mayChange) throw new Error(notTheKey(settings, dataDir));
    await replaceKeyCheck(db, box);
    log.warn({}, "another secret key accepted: what the one before encrypted cannot be read");
    return key;
  } finally {
    await db.close();
  }
}

/** Undefined where the key that is there is the one that has sealed the value; otherwise what is wrong with it. */
export function keyFault({ settings, dataDir }: Config, sealed: Uint8Array): string | undefined {
  if (settings.TANDEM_ACCEPT_NEW_KEY === "on") return undefined;
  try {
    const key = settings.TANDEM_SECRET_KEY ?? keyIn(dataDir, false);
    if (fitsKeyCheck(secretBox(key), sealed)) return undefined;
  } catch (error) {
    return (error as Error).message;
  }
  return notTheKey(settings, dataDir);
}

function notTheKey(settings: Config["settings"], dataDir: string): string {
  const which = settings.TANDEM_SECRET_KEY ? "TANDEM_SECRET_KEY" : join(dataDir, "secret.key");
  return `${which} is not the secret key of this database. ${WHAT_TO_DO}`;
}

function keyIn(dataDir: string, mayMake: boolean): Buffer {
  const path = join(dataDir, "secret.key");
  try {
    if (mayMake) writeFileSync(path, `${randomBytes(32).toString("base64")}\n`, { flag: "wx", mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const key = Buffer.from(readKeyFile(path), "base64");
  if (key.length !== 32) throw new Error(`${path} holds no key of 32 bytes. ${WHAT_TO_DO}`);
  return key;
}

function readKeyFile(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    throw new Error(`${path}, the secret key of this database, is missing. ${WHAT_TO_DO}`);
  }
}
