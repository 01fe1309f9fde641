// Identifiers: two capital letters and the 32 lower-case hex digits of a UUIDv7, so that they sort by time. Within one
// millisecond the 12 bits after the version count up, so one process always makes them in order. A request's id is such
// a UUID with hyphens, and what the request makes has a sid of the same digits: each can be found by the other, without
// storing the relation.

import type { Clock } from "./clock.ts";

export type SidPrefix =
  | "AC"
  | "FR"
  | "WS"
  | "EV"
  | "WH"
  | "MC"
  | "OM"
  | "IM"
  | "ME"
  | "PO"
  | "CA"
  | "LG"
  | "RE"
  | "MZ"
  | "CF"
  | "ND"
  | "SV"
  | "SL";

export interface Ids {
  sid(prefix: SidPrefix): string;
}

export interface Uuids {
  /** `random`: a random UUID, whose last digits are kept. The runtime makes them faster than this file could. */
  uuid(random: string): string;
}

export function makeIds(clock: Clock): Ids & Uuids {
  let lastMs = 0;
  let time = "";
  let timeOfUuid = "";
  let sequence = 0;
  const setTime = (ms: number) => {
    lastMs = ms;
    time = ms.toString(16).padStart(12, "0");
    timeOfUuid = `${time.slice(0, 8)}-${time.slice(8)}`;
    sequence = 0;
  };
  const step = () => {
    const nowMs = clock.now().getTime();
    if (nowMs > lastMs) setTime(nowMs);
    else if (++sequence === SEQUENCES.length) setTime(lastMs + 1);
  };
  return {
    sid(prefix) {
      step();
      return `${prefix}${time}7${SEQUENCES[sequence]}${randomHex()}`;
    },
    uuid(random) {
      step();
      return `${timeOfUuid}-7${SEQUENCES[sequence]}${random.slice(18)}`;
    },
  };
}

const SEQUENCES = Array.from({ length: 0x1000 }, (_, at) => at.toString(16).padStart(3, "0"));

/** The sid of what a request with this id makes. */
export function sidOfUuid(prefix: SidPrefix, uuid: string): string {
  return `${prefix}${digitsOfUuid(uuid)}`;
}

export function digitsOfUuid(uuid: string): string {
  const [first, middle] = [uuid.slice(0, 8), uuid.slice(9, 13)];
  return `${first}${middle}${uuid.slice(14, 18)}${uuid.slice(19, 23)}${uuid.slice(24)}`;
}

/** When the sid was made, in ms. */
export function timeOfSid(sid: string): number {
  return Number.parseInt(sid.slice(2, 14), 16);
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether the text may be an id of ours. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** Random bytes for many ids, because the call for random bytes costs more than all other work. */
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

/** Sids begin with their time: those made from this time on sort after this text. */
export function firstSidAt(prefix: SidPrefix, at: Date): string {
  return prefix + Math.max(0, at.getTime()).toString(16).padStart(12, "0");
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
