// What the handsets have received, and every submit the SMSC has taken, by its message id.
//
// Guarantees: parts come out as one message when the last has come, or with gaps when the others never do; both lists are bounded, the oldest
// giving way; `next` hands every message out at most once, so it does not matter whether it came before it was asked for.

import { readBody } from "../../wire/smpp/concatenation.ts";
import type { DataSm, SubmitSm } from "../../wire/smpp/pdu.ts";
import { type Joined, type MessagePart, REASSEMBLY_LIMITS, Reassembly } from "../../wire/smpp/reassembly.ts";
import { decodeText } from "../../wire/smpp/text.ts";
import { numberOf } from "./behaviour.ts";
import { newSubmission, type Submission } from "./submission.ts";

export interface ReceivedMessage {
  /** One for each part, in the order of the parts; empty for a part that never came. */
  readonly messageIds: readonly string[];
  readonly systemId: string;
  readonly from: string;
  readonly to: string;
  /** Nothing when it is data, or in an alphabet that nobody here reads. */
  readonly text: string | undefined;
  readonly dataCoding: number;
  /** Without headers. */
  readonly octets: Uint8Array;
  /** Shown at once and not kept. */
  readonly isFlash: boolean;
  readonly missing: readonly number[];
  readonly receivedAt: Date;
}

type Content = Pick<Joined, "scope" | "from" | "to" | "dataCoding" | "octets" | "missing">;

interface Waiter {
  readonly wants: (message: ReceivedMessage) => boolean;
  readonly resolve: (message: ReceivedMessage) => void;
  readonly reject: (reason: Error) => void;
  readonly timer: NodeJS.Timeout;
}

const UNFINISHED_MAX = 1000;

export class Ledger {
  readonly #messagesMax: number;
  readonly #submissions = new Map<string, Submission>();
  #messages: ReceivedMessage[] = [];
  readonly #handedOut = new WeakSet<ReceivedMessage>();
  readonly #reassembly = new Reassembly({ ...REASSEMBLY_LIMITS, messagesMax: UNFINISHED_MAX });
  /** The ids of unfinished messages' parts. */
  readonly #partIds = new Map<string, string[]>();
  readonly #waiters = new Set<Waiter>();

  constructor(messagesMax: number) {
    this.#messagesMax = messagesMax;
  }

  get messages(): readonly ReceivedMessage[] {
    return this.#messages.slice(-this.#messagesMax);
  }

  find(messageId: string): Submission | undefined {
    return this.#submissions.get(messageId);
  }

  enter(pdu: SubmitSm | DataSm, about: { messageId: string; systemId: string; now: Date }): Submission {
    const { messageId, systemId, now } = about;
    const shortMessage = pdu.command === "submit_sm" ? pdu.shortMessage : EMPTY;
    const { octets, partOf } = readBody({ esmClass: pdu.esmClass, shortMessage, tlvs: pdu.tlvs });
    const { dataCoding } = pdu;
    const [from, to] = [numberOf(pdu.source), numberOf(pdu.destination)];
    const content = { scope: systemId, from, to, dataCoding, octets };
    if (partOf) this.#enterPart({ ...content, ...partOf }, messageId, now);
    else this.#receive({ ...content, octets: Uint8Array.from(octets), missing: [] }, [messageId], now);
    const submission = newSubmission(pdu, { ...about, text: decodeText({ dataCoding, octets }) ?? "" });
    this.#submissions.set(messageId, submission);
    dropOldest(this.#submissions, this.#messagesMax);
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
    const ids = this.#partIds.get(key) ?? new Array<string>(part.total).fill("");
    ids[part.part - 1] = messageId;
    this.#partIds.set(key, ids);
    dropOldest(this.#partIds, UNFINISHED_MAX);
    for (const joined of this.#reassembly.add(part, now.getTime())) {
      const joinedKey = keyOf(joined);
      this.#receive(joined, this.#partIds.get(joinedKey) ?? [], now);
      this.#partIds.delete(joinedKey);
    }
  }

  #receive(content: Content, messageIds: readonly string[], now: Date): void {
    const { scope, from, to, dataCoding, octets, missing } = content;
    const text = decodeText({ dataCoding, octets });
    const isFlash = isClassZero(dataCoding);
    const about = { messageIds, systemId: scope, from, to, text, dataCoding, octets, isFlash, missing };
    const message: ReceivedMessage = { ...about, receivedAt: now };
    this.#messages.push(message);
    if (this.#messages.length >= 2 * this.#messagesMax) this.#messages = this.#messages.slice(-this.#messagesMax);
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

const EMPTY = new Uint8Array(0);

function keyOf({ scope, from, to, kind, reference, total, dataCoding }: Joined | MessagePart) {
  return JSON.stringify([scope, from, to, kind, reference, total, dataCoding]);
}

function dropOldest(map: Map<string, unknown>, sizeMax: number): void {
  for (const oldest of map.keys()) {
    if (map.size <= sizeMax) break;
    map.delete(oldest);
  }
}

/** 3GPP TS 23.038, 4: the groups that carry a class, and class 0. */
function isClassZero(dataCoding: number): boolean {
  const isClassed = dataCoding >> 4 === 0xf || (dataCoding & 0xd0) === 0x10;
  return isClassed && (dataCoding & 0x03) === 0;
}
