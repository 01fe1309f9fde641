// The messages that the handsets have received, and every accepted submit_sm by its message id.
//
// Guarantees: parts are joined into one message when the last has arrived, or with gaps when a later part finds them
// overdue. Everything is bounded: the oldest entries are dropped.

import { Fifo } from "../../base/fifo.ts";
import { readBody } from "../../wire/smpp/concatenation.ts";
import type { DataSm, SubmitSm } from "../../wire/smpp/pdu.ts";
import { Reassembly } from "../../wire/smpp/reassembly.ts";
import { decodeText } from "../../wire/smpp/text.ts";
import { type ReceivedLimits, ReceivedMessages } from "../received-messages.ts";
import { numberOf } from "./address.ts";
import { type ReceivedMessage, receivedMessage } from "./received-message.ts";
import { newSubmission, type Submission } from "./submission.ts";

/** Of messages whose parts have not all arrived. */
const UNFINISHED_LIMITS = { waitMsMax: 10 * 60_000, messagesMax: 1000, octetsMax: 8 << 20 };
const EMPTY = new Uint8Array(0);
/** A receipt repeats 20 characters of the text, which may take two octets each. */
const BEGINNING_OCTETS = 40;

export class MessageStore {
  readonly received: ReceivedMessages<ReceivedMessage>;
  readonly #submissionsMax: number;
  readonly #submissions = new Map<string, Submission>();
  /** Message ids, the oldest first: finding the oldest key of a large map takes longer than all other work. */
  readonly #order = new Fifo<string>();
  readonly #reassembly = new Reassembly(UNFINISHED_LIMITS);

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
    const arrived = partOf
      ? this.#reassembly.add({ ...content, ...partOf, messageId, scope: systemId }, now.getTime())
      : [{ ...content, messageIds: [messageId], scope: systemId, missing: [] }];
    for (const message of arrived) {
      this.received.add(receivedMessage({ ...message, systemId: message.scope, receivedAt: now }));
    }
    const text = decodeText({ dataCoding, octets: octets.subarray(0, BEGINNING_OCTETS) }) ?? "";
    const submission = newSubmission(pdu, { ...about, text });
    this.#submissions.set(messageId, submission);
    this.#order.push(messageId);
    if (this.#order.length > this.#submissionsMax) this.#submissions.delete(this.#order.shift() as string);
    return submission;
  }
}
