// Whether a secret key is the one that has encrypted what is in the database, told by a value that it sealed.

import type { SecretBox } from "../secrets.ts";
import type { Queryable } from "./engine/database.ts";

const TEXT = "tandem";

/** The sealed value; undefined while no key was used with this database. */
export async function readKeyCheck(db: Queryable): Promise<Buffer | undefined> {
  const [row] = await db.query<{ sealed: Buffer }>("select sealed from secret_key_check");
  return row?.sealed;
}

export function fitsKeyCheck(box: SecretBox, sealed: Uint8Array): boolean {
  try {
    return box.open(sealed) === TEXT;
  } catch {
    return false;
  }
}

/** Makes this the key of a database that has none yet; answers whether it is its key then. */
export async function claimKeyCheck(db: Queryable, box: SecretBox): Promise<boolean> {
  await db.query("insert into secret_key_check (sealed) values ($1) on conflict do nothing", [box.seal(TEXT)]);
  const sealed = await readKeyCheck(db);
  return sealed !== undefined && fitsKeyCheck(box, sealed);
}

/** Makes this the key of the database, whichever it was before. */
export async function replaceKeyCheck(db: Queryable, box: SecretBox): Promise<void> {
  await db.query("update secret_key_check set sealed = $1", [box.seal(TEXT)]);
}
