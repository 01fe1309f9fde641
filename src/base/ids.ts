// Identifiers: two capital letters and the 32 lower-case hex digits of a UUIDv7, so that they sort by time.
// Within one millisecond the 12 bits after the version count up, so one process always makes them in order. A request's
// id is such a UUID with hyphens, and what the request makes has a sid of the same digits: who knows the one finds the
// other, and nothing is stored for it.

import type { Clock } from "./clock.ts";

export type SidPrefix = "AC" | "FR" | "WS" | "EV" | "WH" | "MC" | "OM" | "IM" | "ME" | "PO" | "CA" | "LG" | "RE";

export interface Ids {
  sid(prefix: SidPrefix): string;
}

export interface Uuids {
  uuid(): string;
}

export function makeIds(clock: Clock): Ids & Uuids {
  let lastMs = 0;
  let time = "";
  let sequence = 0;
  const setTime = (ms: number) => {
    lastMs = ms;
    time = ms.toString(16).padStart(12, "0");
    sequence = 0;
  };
  /** The first 16 digits. */
  const head = () => {
    const nowMs = clock.now().getTime();
    if (nowMs > lastMs) setTime(nowMs);
    else if (++sequence > 0xfff) setTime(lastMs + 1);
    return `${time}7${sequence.toString(16).padStart(3, "0")}`;
  };
  return {
    sid: (prefix) => `${prefix}${head()}${randomHex()}`,
    uuid() {
      const [first, last] = [head(), randomHex()];
      return `${first.slice(0, 8)}-${first.slice(8, 12)}-${first.slice(12)}-${last.slice(0, 4)}-${last.slice(4)}`;
    },
  };
}

/** The sid of what a request with this id makes. */
export function sidOfUuid(prefix: SidPrefix, uuid: string): string {
  return `${prefix}${uuid.replaceAll("-", "")}`;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether it may be one of ours. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
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
