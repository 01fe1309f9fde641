// What the handsets have received, and every submit the SMSC has taken, by its message id.
//
// Guarantees: parts come out as one message when the last has come, or with gaps when later ones find them overdue; everything kept is bounded,
// the oldest giving way; `next` hands every message out at most once, so it does not matter whether it came before it was asked for.

import { readBody } from "../../wire/smpp/concatenation.ts";
import type { DataSm, SubmitSm } from "../../wire/smpp/pdu.ts";
import { type Joined, type MessagePart, REASSEMBLY_LIMITS, Reassembly } from "../../wire/smpp/reassembly.ts";
import { decodeText } from "../../wire/smpp/text.ts";
import { numberOf } from "./address.ts";
import { Fifo } from "./fifo.ts";
import { type ReceivedMessage, receivedMessage } from "./received-message.ts";
import { newSubmission, type Submission } from "./submission.ts";

export interface LedgerLimits {
  readonly messagesMax: number;
  readonly octetsMax: number;
}

interface Waiter {
  readonly wants: (message: ReceivedMessage) => boolean;
  readonly resolve: (message: ReceivedMessage) => void;
  readonly reject: (reason: Error) => void;
  readonly timer: NodeJS.Timeout;
}

const UNFINISHED_MAX = 1000;
const EMPTY = new Uint8Array(0);
/** What a receipt repeats of a text: 20 characters, which may take two octets each. */
const BEGINNING_OCTETS = 40;

export class Ledger {
  readonly #limits: LedgerLimits;
  readonly #submissions = new Map<string, Submission>();
  /** Finding a large map's oldest key anew each time takes longer than all the rest. */
  readonly #order = new Fifo<string>();
  readonly #messages = new Fifo<ReceivedMessage>();
  #octets = 0;
  readonly #handedOut = new WeakSet<ReceivedMessage>();
  readonly #reassembly = new Reassembly({ ...REASSEMBLY_LIMITS, messagesMax: UNFINISHED_MAX });
  /** The ids of unfinished messages' parts. */
  readonly #partIds = new Map<string, string[]>();
  readonly #waiters = new Set<Waiter>();

  constructor(limits: LedgerLimits) {
    this.#limits = limits;
  }

  get messages(): readonly ReceivedMessage[] {
    return this.#messages.toArray();
  }

  find(messageId: string): Submission | undefined {
    return this.#submissions.get(messageId);
  }

  enter(pdu: SubmitSm | DataSm, about: { messageId: string; systemId: string; now: Date }): Submission {
    const { messageId, systemId, now } = about;
    const shortMessage = pdu.command === "submit_sm" ? pdu.shortMessage : EMPTY;
    const { octets, partOf } = readBody({ esmClass: pdu.esmClass, shortMessage, tlvs: pdu.tlvs });
    const { dataCoding } = pdu;
    const content = { from: numberOf(pdu.source), to: numberOf(pdu.destination), dataCoding, octets };
    if (partOf) this.#enterPart({ ...content, ...partOf, scope: systemId }, messageId, now);
    else {
      const whole = { ...content, messageIds: [messageId], systemId, missing: [], receivedAt: now };
      this.#receive(receivedMessage(whole));
    }
    const text = decodeText({ dataCoding, octets: octets.subarray(0, BEGINNING_OCTETS) }) ?? "";
    const submission = newSubmission(pdu, { ...about, text });
    this.#submissions.set(messageId, submission);
    this.#order.push(messageId);
    if (this.#order.length > this.#limits.messagesMax) this.#submissions.delete(this.#order.shift() as string);
    return submission;
  }

  next(wants: (message: ReceivedMessage) => boolean, timeoutMs: number): Promise<ReceivedMessage> {
    const here = this.messages.find((message) => !this.#handedOut.has(message) && wants(message));
    if (here) {
      this.#handedOut.add(here);
      return Promise.resolve(here);
    }
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiters.delete(waiter);
        reject(new Error(`no such message came within ${timeoutMs} ms`));
      }, timeoutMs);
      const waiter = { wants, resolve, reject, timer };
      this.#waiters.add(waiter);
    });
  }

  close(): void {
    for (const { timer, reject } of this.#waiters) {
      clearTimeout(timer);
      reject(new Error("the SMSC has closed"));
    }
    this.#waiters.clear();
  }

  #enterPart(part: MessagePart, messageId: string, now: Date): void {
    const key = keyOf(part);
    let ids: string[] | undefined;
    for (const joined of this.#reassembly.add(part, now.getTime())) {
      const joinedKey = keyOf(joined);
      const isOwn = joinedKey === key && joined.missing.length === 0;
      if (isOwn) ids = this.#idsWith(part, messageId);
      const messageIds = (isOwn ? ids : this.#partIds.get(joinedKey)) ?? [];
      this.#partIds.delete(joinedKey);
      this.#receive(receivedMessage({ ...joined, messageIds, systemId: joined.scope, receivedAt: now }));
    }
    if (ids) return;
    this.#partIds.set(key, this.#idsWith(part, messageId));
    for (const oldest of this.#partIds.keys()) {
      if (this.#partIds.size <= UNFINISHED_MAX) break;
      this.#partIds.delete(oldest);
    }
  }

  #idsWith(part: MessagePart, messageId: string): string[] {
    const ids = this.#partIds.get(keyOf(part)) ?? new Array<string>(part.total).fill("");
    return ids.with(part.part - 1, messageId);
  }

  #receive(message: ReceivedMessage): void {
    this.#messages.push(message);
    this.#octets += message.octets.length;
    const { messagesMax, octetsMax } = this.#limits;
    while (this.#messages.length > messagesMax || this.#octets > octetsMax) {
      this.#octets -= this.#messages.shift()?.octets.length ?? 0;
    }
    for (const waiter of this.#waiters) {
      if (!waiter.wants(message)) continue;
      this.#handedOut.add(message);
      this.#waiters.delete(waiter);
      clearTimeout(waiter.timer);
      waiter.resolve(message);
      break;
    }
  }
}

function keyOf({ scope, from, to, kind, reference, total, dataCoding }: Omit<Joined, "octets" | "missing">): string {
  return JSON.stringify([scope, from, to, kind, reference, total, dataCoding]);
}
