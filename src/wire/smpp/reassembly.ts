// Puts the parts of long messages together, in whatever order they come.
//
// Guarantees: a message comes out once, when its last part has come; a repeated part changes nothing, for a while
// after the message has come out too; parts of different senders,
// recipients, references, totals or codings never mix; memory stays within the limits, the oldest unfinished message giving way; what is not
// finished in time, or gives way, comes out as it is, with its gaps told. Does not survive a restart: who must not lose parts stores
// them and joins them with `joinParts`. Time is handed in.

import type { PartOf } from "./concatenation.ts";

export interface MessagePart extends PartOf {
  /** The link it came by and whatever else keeps strangers apart. */
  readonly scope: string;
  readonly from: string;
  readonly to: string;
  readonly dataCoding: number;
  readonly octets: Uint8Array;
}

export interface ReassemblyLimits {
  readonly waitMsMax: number;
  /** How long a part of a message that has come out whole is known for a repeat. Shorter than a sender needs to use its references up. */
  readonly repeatMsMax: number;
  readonly messagesMax: number;
  readonly octetsMax: number;
}

export interface Joined extends Omit<MessagePart, "part" | "octets"> {
  readonly octets: Uint8Array;
  /** Part numbers that never came. Empty for a whole message. */
  readonly missing: readonly number[];
}

export const REASSEMBLY_LIMITS: ReassemblyLimits = {
  waitMsMax: 10 * 60_000,
  repeatMsMax: 60_000,
  messagesMax: 10_000,
  octetsMax: 8 << 20,
};

interface Unfinished {
  readonly first: MessagePart;
  readonly parts: Map<number, Uint8Array>;
  readonly deadlineMs: number;
  octets: number;
}

interface Finished {
  readonly digests: ReadonlyMap<number, number>;
  readonly deadlineMs: number;
}

export class Reassembly {
  readonly #limits: ReassemblyLimits;
  /** In the order of their first parts, which is the order of their deadlines. */
  readonly #unfinished = new Map<string, Unfinished>();
  readonly #finished = new Map<string, Finished>();
  #octets = 0;

  constructor(limits: ReassemblyLimits = REASSEMBLY_LIMITS) {
    this.#limits = limits;
  }

  get messages(): number {
    return this.#unfinished.size;
  }

  get octets(): number {
    return this.#octets;
  }

  /** What came out by this part: its own message when whole, and those given up for it. */
  add(part: MessagePart, nowMs: number): readonly Joined[] {
    const out = this.expire(nowMs);
    if (part.total === 1) return [...out, joinParts([part])];
    const key = keyOf(part);
    if (this.#finished.get(key)?.digests.get(part.part) === digestOf(part.octets)) return out;
    const known = this.#unfinished.get(key);
    const before = known?.parts.get(part.part);
    if (before && isSame(before, part.octets)) return out;
    // The same number with another content: the sender has come round to this reference again.
    if (before && known) out.push(this.#giveUp(key, known));
    const unfinished = before || !known ? this.#open(key, part, nowMs) : known;
    unfinished.parts.set(part.part, Uint8Array.from(part.octets));
    unfinished.octets += part.octets.length;
    this.#octets += part.octets.length;
    if (unfinished.parts.size === part.total) {
      out.push(this.#giveUp(key, unfinished));
      this.#remember(key, unfinished, nowMs);
    }
    for (const [oldKey, old] of this.#unfinished) {
      if (this.#unfinished.size <= this.#limits.messagesMax && this.#octets <= this.#limits.octetsMax) break;
      out.push(this.#giveUp(oldKey, old));
    }
    return out;
  }

  /** The messages whose time is over. */
  expire(nowMs: number): Joined[] {
    const out: Joined[] = [];
    for (const [key, unfinished] of this.#unfinished) {
      if (unfinished.deadlineMs > nowMs) break;
      out.push(this.#giveUp(key, unfinished));
    }
    for (const [key, { deadlineMs }] of this.#finished) {
      if (deadlineMs > nowMs) break;
      this.#finished.delete(key);
    }
    return out;
  }

  #open(key: string, first: MessagePart, nowMs: number): Unfinished {
    const unfinished = { first, parts: new Map(), deadlineMs: nowMs + this.#limits.waitMsMax, octets: 0 };
    this.#unfinished.set(key, unfinished);
    return unfinished;
  }

  #remember(key: string, { parts }: Unfinished, nowMs: number): void {
    const digests = new Map([...parts].map(([part, octets]) => [part, digestOf(octets)] as const));
    this.#finished.delete(key);
    this.#finished.set(key, { digests, deadlineMs: nowMs + this.#limits.repeatMsMax });
    for (const oldest of this.#finished.keys()) {
      if (this.#finished.size <= this.#limits.messagesMax) break;
      this.#finished.delete(oldest);
    }
  }

  #giveUp(key: string, { first, parts, octets }: Unfinished): Joined {
    this.#unfinished.delete(key);
    this.#octets -= octets;
    return joinParts([...parts].map(([part, content]) => ({ ...first, part, octets: content })));
  }
}

/** The parts of one message, at least one, in any order; of a repeated one the first counts. */
export function joinParts(parts: readonly MessagePart[]): Joined {
  const byNumber = new Map<number, Uint8Array>();
  for (const { part, octets } of parts) if (!byNumber.has(part)) byNumber.set(part, octets);
  const [first] = parts;
  if (!first) throw new RangeError("no parts");
  const missing: number[] = [];
  const present: Uint8Array[] = [];
  for (let number = 1; number <= first.total; number++) {
    const octets = byNumber.get(number);
    if (octets) present.push(octets);
    else missing.push(number);
  }
  const { part: _, ...message } = first;
  return { ...message, octets: concat(present), missing };
}

// Joined before it is decoded: a pair that the sender tore between two parts is whole again.
function concat(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

function keyOf({ scope, from, to, kind, reference, total, dataCoding }: MessagePart): string {
  return JSON.stringify([scope, from, to, kind, reference, total, dataCoding]);
}

/** FNV-1a, begun with the length. */
function digestOf(octets: Uint8Array): number {
  let digest = 0x811c9dc5 ^ octets.length;
  for (const octet of octets) digest = Math.imul(digest ^ octet, 0x01000193);
  return digest;
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((octet, at) => octet === other[at]);
}
