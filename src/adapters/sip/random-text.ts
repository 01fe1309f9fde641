// Tags, branches and Call-IDs: unguessable, because knowing them is enough to end a call. Random octets are fetched
// many at a time, which is ten times as fast.

import { randomFillSync } from "node:crypto";

const pool = Buffer.alloc(8192);
let used = pool.length;

/** Hex digits of `octets` random octets. */
export function randomText(octets = 10): string {
  if (used + octets > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const text = pool.toString("hex", used, used + octets);
  used += octets;
  return text;
}
