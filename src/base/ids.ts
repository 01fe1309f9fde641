// Identifiers: two capital letters and the 32 lower-case hex digits of a UUIDv7, so that they sort by time.
// Within one millisecond the 12 bits after the version count up, so one process always makes them in order.

import type { Clock } from "./clock.ts";

export type SidPrefix = "AC" | "FR" | "WS" | "EV" | "WH" | "MC" | "OM" | "IM" | "ME" | "PO" | "CA" | "LG" | "RE";

export interface Ids {
  sid(prefix: SidPrefix): string;
}

export function makeIds(clock: Clock): Ids {
  let lastMs = 0;
  let sequence = 0;
  return {
    sid(prefix) {
      const nowMs = clock.now().getTime();
      if (nowMs > lastMs) {
        lastMs = nowMs;
        sequence = 0;
      } else if (++sequence > 0xfff) {
        lastMs += 1;
        sequence = 0;
      }
      return `${prefix}${lastMs.toString(16).padStart(12, "0")}7${sequence.toString(16).padStart(3, "0")}${randomHex()}`;
    },
  };
}

/** Random bytes for many ids, because the call for randomness costs more than all other work. */
const pool = new Uint8Array(4096);
let taken = pool.length;

function randomHex(): string {
  if (taken === pool.length) {
    crypto.getRandomValues(pool);
    taken = 0;
  }
  const random = pool.subarray(taken, taken + 8);
  taken += 8;
  random[0] = ((random[0] ?? 0) & 0x3f) | 0x80;
  return toHex(random);
}

export function isSid(prefix: SidPrefix, text: string): boolean {
  return text.length === 34 && text.startsWith(prefix) && /^[0-9a-f]{32}$/.test(text.slice(2));
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

export function toHex(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += HEX[byte];
  return text;
}
