// For speed alone (`bench -- lookup` would notice): a Bloom filter of one hash: rules out most numbers, without a
// query, as neither ours nor overridden. Bits are set by what is loaded at the start and by what processes announce
// later, and never cleared. A set bit proves nothing, and the database is queried; while announcements may be missed
// (listener.ts) it is queried for every number.

import { hash32 } from "../../../base/hash.ts";
import { NUMBERS_KNOWN, notify } from "../engine/channels.ts";
import type { Queryable } from "../engine/database.ts";

const BITS = 1 << 23;
const LOAD_ROWS = 20_000;
/** PostgreSQL takes payloads of up to 8,000 bytes; a number with its comma has 17 at most. */
const ANNOUNCED_MAX = 400;

export class NumberFilter {
  readonly #db: Queryable;
  readonly #bits = new Uint8Array(BITS / 8);
  readonly #isCurrent: () => boolean;

  constructor(db: Queryable, isCurrent: () => boolean) {
    this.#db = db;
    this.#isCurrent = isCurrent;
  }

  mayKnow(number: string): boolean {
    if (!this.#isCurrent()) return true;
    const bit = bitOf(number);
    return ((this.#bits[bit >>> 3] as number) & (1 << (bit & 7))) !== 0;
  }

  add(numbers: Iterable<string>): void {
    for (const number of numbers) {
      const bit = bitOf(number);
      this.#bits[bit >>> 3] = (this.#bits[bit >>> 3] as number) | (1 << (bit & 7));
    }
  }

  /**
   * Adds numbers now, and announces them to every process when the transaction commits. A bit that is set too early
   * costs a query; one that is set too late would give a wrong answer.
   */
  async announce(unit: Queryable, numbers: readonly string[]): Promise<void> {
    this.add(numbers);
    for (let at = 0; at < numbers.length; at += ANNOUNCED_MAX) {
      await notify(unit, NUMBERS_KNOWN, numbers.slice(at, at + ANNOUNCED_MAX).join(","));
    }
  }

  async load(): Promise<void> {
    for (const table of ["lookup_overrides", "inventory_numbers", "phones"]) {
      for (let after = ""; ; ) {
        const rows = await this.#db.query<{ number: string }>(
          `select number from ${table} where number > $1 order by number limit ${LOAD_ROWS}`,
          [after],
        );
        this.add(rows.map((row) => row.number));
        if (rows.length < LOAD_ROWS) break;
        after = rows.at(-1)?.number ?? "";
      }
    }
  }
}

const bitOf = (number: string) => hash32(number) & (BITS - 1);
