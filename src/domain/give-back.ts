// Gives back records that this process owns in the store but does not hold in memory: a claim that committed although
// its answer was lost, or whose holder failed. Without this, such a record would stay claimed until the process ends.
//
// Guarantees: a record that is held, or will be held once a claim under way returns, is left alone; a record that
// changed since it was read is left alone; every other record is given back by a later run, however late its claim
// committed. Only the owner gives back: it does not decide whether another process is dead.

import type { Log } from "../base/log.ts";

/** A record that this process owns. */
export interface OwnedRecord {
  readonly id: string;
  /** Differs after every change of the record. */
  readonly version: string;
}

/** The records of one kind in the store. */
export interface ClaimRecords {
  /** Those that this process owns. */
  owned(): Promise<readonly OwnedRecord[]>;
  /** Gives back these claims, where the record is still as it was read. */
  giveBackStrays(strays: readonly OwnedRecord[]): Promise<unknown>;
}

/** One kind of record that processes claim. */
export interface ClaimKind extends ClaimRecords {
  /** In the plural, for the log. */
  readonly name: string;
  /** It is in memory, or a statement that names it is under way. */
  isHeld(id: string): boolean;
  /** Resolves when every claim now under way has returned or been given up, and the claimed records are held. */
  claimsAnswered(): Promise<unknown>;
}

/** Returns how many records were given back. */
export async function giveBackStrays(kind: ClaimKind, log: Log): Promise<number> {
  const isStray = ({ id }: OwnedRecord) => !kind.isHeld(id);
  const suspects = (await kind.owned()).filter(isStray);
  if (suspects.length === 0) return 0;
  // A claim may have committed before the records were read, and return only afterwards.
  await kind.claimsAnswered();
  const strays = suspects.filter(isStray);
  if (strays.length === 0) return 0;
  log.warn({ claims: kind.name, count: strays.length }, "claims that no process holds were given back");
  await kind.giveBackStrays(strays);
  return strays.length;
}
