// The messages that the handsets have received, and every accepted submit_sm by its message id.
//
// Guarantees: parts are joined into one message when the last has arrived, or with gaps when a later part finds them
// overdue. Everything is bounded: the oldest entries are dropped.

import { Fifo } from "../../base/fifo.ts";
import { forgetOldest } from "../../base/forget-oldest.ts";
import { readBody } from "../../wire/smpp/concatenation.ts";
import type { DataSm, SubmitSm } from "../../wire/smpp/pdu.ts";
import { type Joined, type MessagePart, REASSEMBLY_LIMITS, Reassembly } from "../../wire/smpp/reassembly.ts";
import { decodeText } from "../../wire/smpp/text.ts";
import { type ReceivedLimits, ReceivedMessages } from "../received-messages.ts";
import { numberOf } from "./address.ts";
import { type ReceivedMessage, receivedMessage } from "./received-message.ts";
import { newSubmission, type Submission } from "./submission.ts";

const UNFINISHED_MAX = 1000;
const EMPTY = new Uint8Array(0);
/** A receipt repeats 20 characters of the text, which may take two octets each. */
const BEGINNING_OCTETS = 40;

export class MessageStore {
  readonly received: ReceivedMessages<ReceivedMessage>;
  readonly #submissionsMax: number;
  readonly #submissions = new Map<string, Submission>();
  /** Message ids, the oldest first: finding the oldest key of a large map takes longer than all other work. */
  readonly #order = new Fifo<string>();
  readonly #reassembly = new Reassembly({ ...REASSEMBLY_LIMITS, messagesMax: UNFINISHED_MAX });
  /** The ids of the parts of incomplete messages. */
  readonly #partIds = new Map<string, string[]>();

  constructor(limits: ReceivedLimits) {
    this.received = new ReceivedMessages(limits, ({ octets }) => octets.length);
    this.#submissionsMax = limits.messagesMax;
  }

  find(messageId: string): Submission | undefined {
    return this.#submissions.get(messageId);
  }

  add(pdu: SubmitSm | DataSm, about: { messageId: string; systemId: string; now: Date }): Submission {
    const { messageId, systemId, now } = about;
    const shortMessage = pdu.command === "submit_sm" ? pdu.shortMessage : EMPTY;
    const { octets, partOf } = readBody({ esmClass: pdu.esmClass, shortMessage, tlvs: pdu.tlvs });
    const { dataCoding } = pdu;
    const content = { from: numberOf(pdu.source), to: numberOf(pdu.destination), dataCoding, octets };
    if (partOf) this.#addPart({ ...content, ...partOf, scope: systemId }, messageId, now);
    else {
      const whole = { ...content, messageIds: [messageId], systemId, missing: [], receivedAt: now };
      this.received.add(receivedMessage(whole));
    }
    const text = decodeText({ dataCoding, octets: octets.subarray(0, BEGINNING_OCTETS) }) ?? "";
    const submission = newSubmission(pdu, { ...about, text });
    this.#submissions.set(messageId, submission);
    this.#order.push(messageId);
    if (this.#order.length > this.#submissionsMax) this.#submissions.delete(this.#order.shift() as string);
    return submission;
  }

  #addPart(part: MessagePart, messageId: string, now: Date): void {
    const key = keyOf(part);
    let ids: string[] | undefined;
    for (const joined of this.#reassembly.add(part, now.getTime())) {
      const joinedKey = keyOf(joined);
      const isOwn = joinedKey === key && joined.missing.length === 0;
      if (isOwn) ids = this.#idsWith(part, messageId);
      const messageIds = (isOwn ? ids : this.#partIds.get(joinedKey)) ?? [];
      this.#partIds.delete(joinedKey);
      this.received.add(receivedMessage({ ...joined, messageIds, systemId: joined.scope, receivedAt: now }));
    }
    if (ids) return;
    this.#partIds.set(key, this.#idsWith(part, messageId));
    forgetOldest(this.#partIds, UNFINISHED_MAX);
  }

  #idsWith(part: MessagePart, messageId: string): string[] {
    const ids = this.#partIds.get(keyOf(part)) ?? new Array<string>(part.total).fill("");
    return ids.with(part.part - 1, messageId);
  }
}

function keyOf({ scope, from, to, kind, reference, total, dataCoding }: Omit<Joined, "octets" | "missing">): string {
  return JSON.stringify([scope, from, to, kind, reference, total, dataCoding]);
}
