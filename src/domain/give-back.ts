// Gives back what this process owns by record and nobody in it holds: a claim whose statement committed after its
// answer was lost, or whose holder failed. Without this, such a record would stay claimed for as long as the process
// lives.
//
// Guarantees: what is held, or will be when a claim under way is answered, is left alone; a record that changed since
// it was read is left alone; whatever nobody holds is given back by a later run, however late its claim committed. Only
// the owner gives back: it does not decide whether another process is dead.

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
  /** Resolves when all claims that are under way now were answered or given up, and what they brought is held. */
  claimsAnswered(): Promise<unknown>;
}

/** Answers how many records were given back. */
export async function giveBackStrays(kind: ClaimKind, log: Log): Promise<number> {
  const isStray = ({ id }: OwnedRecord) => !kind.isHeld(id);
  const suspects = (await kind.owned()).filter(isStray);
  if (suspects.length === 0) return 0;
  // A claim may have committed before the records were read, and be answered after that.
  await kind.claimsAnswered();
  const strays = suspects.filter(isStray);
  if (strays.length === 0) return 0;
  log.warn({ claims: kind.name, count: strays.length }, "claims that nobody holds are given back");
  await kind.giveBackStrays(strays);
  return strays.length;
}
