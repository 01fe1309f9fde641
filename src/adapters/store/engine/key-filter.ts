// For speed alone (`bench -- lookup` and `bench -- messages` would notice): a Bloom filter of one hash: rules out most
// keys, without a query, as not in the database. Bits are set by what is loaded at the start and by what processes
// announce later, and never cleared. A set bit proves nothing, and the database is queried; while announcements may be
// missed (listener.ts), or when there are too many keys, it is queried for every key.

import { hash32 } from "../../../base/hash.ts";
import { notify } from "./channels.ts";
import type { Queryable } from "./database.ts";

const BITS = 1 << 23;
/** With more keys the filter would rule out too little to be worth loading. */
const KEYS_MAX = BITS / 2;
const LOAD_ROWS = 20_000;
/** PostgreSQL takes payloads of up to 8,000 bytes; a key with its comma has 52 at most. */
const ANNOUNCED_MAX = 150;

export interface FilterOrder {
  /** Carries keys, separated by commas. */
  readonly channel: string;
  /** Statements that return a page of keys each: `key` after $1 in its order, $2 rows at most. */
  readonly pages: readonly string[];
}

export class KeyFilter {
  readonly #db: Queryable;
  readonly #isCurrent: () => boolean;
  readonly #order: FilterOrder;
  readonly #bits = new Uint8Array(BITS / 8);
  #isFull = false;

  constructor(db: Queryable, isCurrent: () => boolean, order: FilterOrder) {
    this.#db = db;
    this.#isCurrent = isCurrent;
    this.#order = order;
  }

  mayHave(key: string): boolean {
    if (this.#isFull || !this.#isCurrent()) return true;
    const bit = bitOf(key);
    return ((this.#bits[bit >>> 3] as number) & (1 << (bit & 7))) !== 0;
  }

  add(keys: Iterable<string>): void {
    for (const key of keys) {
      const bit = bitOf(key);
      this.#bits[bit >>> 3] = (this.#bits[bit >>> 3] as number) | (1 << (bit & 7));
    }
  }

  /**
   * Adds keys now, and announces them to every process when the transaction commits. A bit that is set too early costs
   * a query; one that is set too late would give a wrong answer.
   */
  async announce(unit: Queryable, keys: readonly string[]): Promise<void> {
    this.add(keys);
    for (let at = 0; at < keys.length; at += ANNOUNCED_MAX) {
      await notify(unit, this.#order.channel, keys.slice(at, at + ANNOUNCED_MAX).join(","));
    }
  }

  /** Takes what another process announced. */
  hear(payload: string): void {
    this.add(payload.split(","));
  }

  async load(): Promise<void> {
    let count = 0;
    for (const page of this.#order.pages) {
      for (let after = ""; count <= KEYS_MAX; ) {
        const rows = await this.#db.query<{ key: string }>(page, [after, LOAD_ROWS]);
        this.add(rows.map(({ key }) => key));
        count += rows.length;
        if (rows.length < LOAD_ROWS) break;
        after = rows.at(-1)?.key ?? "";
      }
    }
    this.#isFull = count > KEYS_MAX;
  }
}

const bitOf = (key: string) => hash32(key) & (BITS - 1);
