// The secret keys that the operator gives: in the environment, or in a file that is made in the data directory at the
// first start. A key that is not the key of the database is refused, because it could not decrypt anything stored.

import {
  closeSync,
  fchownSync,
  fsyncSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { newSecretKey, readSecretKeys, type SecretKey } from "../../adapters/secrets.ts";
import { keyOfCheck } from "../../adapters/store/secret-keys.ts";
import type { Config } from "../config/config.ts";

export type KeyPlace = Pick<Config, "settings" | "dataDir">;

const WHAT_TO_DO =
  "Put the right one back from your backup, or set TANDEM_SECRET_KEY to that of the other nodes. If it is lost for good, start once with TANDEM_ACCEPT_NEW_KEY=on: webhook secrets, bearers and PINs must then be given anew.";

export function keyFileIn(dataDir: string): string {
  return join(dataDir, "secret.key");
}

/** Throws when there is no key, or the file holds something else. */
export function readGivenKeys({ settings, dataDir }: KeyPlace): readonly SecretKey[] {
  return settings.TANDEM_SECRET_KEY ?? readKeyFile(keyFileIn(dataDir));
}

/** Makes the key file where there is none and the environment gives no key. */
export function ensureGivenKeys({ settings, dataDir }: KeyPlace): void {
  if (settings.TANDEM_SECRET_KEY) return;
  try {
    writeFileSync(keyFileIn(dataDir), textOf([newSecretKey()]), { flag: "wx", mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

/** Undefined if one of the given keys sealed the value; otherwise the fault. */
export function keyFault(place: KeyPlace, sealed: Uint8Array): string | undefined {
  if (place.settings.TANDEM_ACCEPT_NEW_KEY === "on") return undefined;
  try {
    return keyOfCheck(readGivenKeys(place), sealed) ? undefined : notTheKey(place);
  } catch (error) {
    return (error as Error).message;
  }
}

export function notTheKey({ settings, dataDir }: KeyPlace): string {
  const which = settings.TANDEM_SECRET_KEY ? "TANDEM_SECRET_KEY" : keyFileIn(dataDir);
  return `${which} is not the secret key of this database. ${WHAT_TO_DO}`;
}

/** Atomic and durable; the file keeps its owner, and a link to it stays a link. */
export function replaceKeyFile(dataDir: string, keys: readonly SecretKey[]): void {
  const path = realpathSync(keyFileIn(dataDir));
  const unfinished = `${path}.unfinished`;
  const { uid, gid } = statSync(path);
  rmSync(unfinished, { force: true });
  const file = openSync(unfinished, "wx", 0o600);
  try {
    if (process.getuid?.() === 0) fchownSync(file, uid, gid);
    writeSync(file, textOf(keys));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(unfinished, path);
  const folder = openSync(dirname(path), "r");
  fsyncSync(folder);
  closeSync(folder);
}

/** Changes with the file; undefined when it cannot be read. */
export function keyFileVersion(dataDir: string): string | undefined {
  const found = statSync(keyFileIn(dataDir), { throwIfNoEntry: false });
  return found && `${found.ino} ${found.size} ${found.mtimeMs} ${found.ctimeMs}`;
}

function readKeyFile(path: string): readonly SecretKey[] {
  const keys = readSecretKeys(contentOf(path));
  if (!keys) throw new Error(`${path} holds something else than keys of 32 bytes. ${WHAT_TO_DO}`);
  return keys;
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    throw new Error(`${path}, the secret key of this database, is missing. ${WHAT_TO_DO}`);
  }
}

function textOf(keys: readonly SecretKey[]): string {
  return keys.map(({ octets }) => `${Buffer.from(octets).toString("base64")}\n`).join("");
}
