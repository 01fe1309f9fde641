// Puts the parts of long messages together, in whatever order they come.
//
// Guarantees: a message is returned once, when its last part arrives. A repeated part is ignored, also for
// `repeatMsMax` after the message was returned. Parts of different senders, recipients, references, totals or codings
// never mix. Memory stays within the limits: the oldest incomplete message is evicted. An evicted or expired message is
// returned incomplete, with the numbers of its missing parts. The state does not survive a restart: a caller that must
// not lose parts stores them and joins them with `joinParts`. The caller passes the time in.

import { forgetOldest } from "../../base/forget-oldest.ts";
import type { PartOf } from "./concatenation.ts";

export interface MessagePart extends PartOf {
  /** The link it arrived on, and anything else that distinguishes parts that must not mix. */
  readonly scope: string;
  readonly from: string;
  readonly to: string;
  readonly dataCoding: number;
  readonly octets: Uint8Array;
}

export interface ReassemblyLimits {
  readonly waitMsMax: number;
  /** How long a part of a complete message is recognised as a repeat; less than a sender needs to reuse a reference. */
  readonly repeatMsMax: number;
  readonly messagesMax: number;
  readonly octetsMax: number;
}

export interface Joined extends Omit<MessagePart, "part" | "octets"> {
  readonly octets: Uint8Array;
  /** Part numbers that never arrived. Empty for a complete message. */
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

  /** The messages that this part completes, expires or evicts. */
  add(part: MessagePart, nowMs: number): readonly Joined[] {
    const out = this.expire(nowMs);
    if (part.total === 1) return [...out, joinParts([part])];
    const key = keyOf(part);
    if (this.#finished.get(key)?.digests.get(part.part) === digestOf(part.octets)) return out;
    const known = this.#unfinished.get(key);
    const before = known?.parts.get(part.part);
    if (before && isSame(before, part.octets)) return out;
    // The same part number with other content: the sender has reused the reference for a new message.
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

  /** Removes and returns the messages whose deadline has passed. */
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
    forgetOldest(this.#finished, this.#limits.messagesMax);
  }

  #giveUp(key: string, { first, parts, octets }: Unfinished): Joined {
    this.#unfinished.delete(key);
    this.#octets -= octets;
    return joinParts([...parts].map(([part, content]) => ({ ...first, part, octets: content })));
  }
}

/** Joins the parts of one message, at least one, in any order. The first of repeated parts counts. */
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

// Octets are joined before they are decoded, because a sender may split a surrogate pair between two parts.
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

/** FNV-1a, seeded with the length. */
function digestOf(octets: Uint8Array): number {
  let digest = 0x811c9dc5 ^ octets.length;
  for (const octet of octets) digest = Math.imul(digest ^ octet, 0x01000193);
  return digest;
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((octet, at) => octet === other[at]);
}
