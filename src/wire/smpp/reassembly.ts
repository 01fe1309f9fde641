// Puts the parts of long messages together, in whatever order they come.
//
// Guarantees: a message is returned once, when its last part arrives. A repeated part of an incomplete message is
// ignored. Parts of different senders, recipients, references, totals or codings never mix. Memory stays within the
// limits: the oldest incomplete message is evicted. An evicted or expired message is returned incomplete, with the
// numbers of its missing parts. The state does not survive a restart. The caller passes the time in.

import type { PartOf } from "./concatenation.ts";

export interface MessagePart extends PartOf {
  /** The id under which the SMSC has accepted the part. */
  readonly messageId: string;
  /** The link it arrived on, and anything else that distinguishes parts that must not mix. */
  readonly scope: string;
  readonly from: string;
  readonly to: string;
  readonly dataCoding: number;
  readonly octets: Uint8Array;
}

export interface ReassemblyLimits {
  readonly waitMsMax: number;
  readonly messagesMax: number;
  readonly octetsMax: number;
}

export interface Joined extends Omit<MessagePart, "part" | "messageId"> {
  /** In the order of the parts; empty for a part that never arrived. */
  readonly messageIds: readonly string[];
  /** Part numbers that never arrived. Empty for a complete message. */
  readonly missing: readonly number[];
}

interface Unfinished {
  readonly parts: Map<number, MessagePart>;
  readonly deadlineMs: number;
  octets: number;
}

export class Reassembly {
  readonly #limits: ReassemblyLimits;
  /** In the order of their first parts, which is the order of their deadlines. */
  readonly #unfinished = new Map<string, Unfinished>();
  #octets = 0;

  constructor(limits: ReassemblyLimits) {
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
    const known = this.#unfinished.get(key);
    const before = known?.parts.get(part.part);
    if (before && isSame(before.octets, part.octets)) return out;
    // The same part number with other content: the sender has reused the reference for a new message.
    if (before && known) out.push(this.#giveUp(key, known));
    const unfinished = before || !known ? this.#open(key, nowMs) : known;
    unfinished.parts.set(part.part, { ...part, octets: part.octets.slice() });
    unfinished.octets += part.octets.length;
    this.#octets += part.octets.length;
    if (unfinished.parts.size === part.total) out.push(this.#giveUp(key, unfinished));
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
    return out;
  }

  #open(key: string, nowMs: number): Unfinished {
    const unfinished = { parts: new Map(), deadlineMs: nowMs + this.#limits.waitMsMax, octets: 0 };
    this.#unfinished.set(key, unfinished);
    return unfinished;
  }

  #giveUp(key: string, { parts, octets }: Unfinished): Joined {
    this.#unfinished.delete(key);
    this.#octets -= octets;
    return joinParts([...parts.values()]);
  }
}

/** Joins the parts of one message, at least one, each once, in any order. */
export function joinParts(parts: readonly MessagePart[]): Joined {
  const [first] = parts;
  if (!first) throw new RangeError("no parts");
  const numbers = Array.from({ length: first.total }, (_, index) => index + 1);
  const inOrder = numbers.map((number) => parts.find(({ part }) => part === number));
  const { part: _, messageId: __, ...message } = first;
  return {
    ...message,
    messageIds: inOrder.map((part) => part?.messageId ?? ""),
    octets: concat(inOrder.flatMap((part) => part?.octets ?? [])),
    missing: numbers.filter((number) => !inOrder[number - 1]),
  };
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

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((octet, at) => octet === other[at]);
}
