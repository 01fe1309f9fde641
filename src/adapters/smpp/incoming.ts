// Reads a deliver_sm or data_sm into the domain's words: a receipt, or a part of a message. Pure and total.

import { createHash } from "node:crypto";
import type { CarrierReceipt, InboundPart, PartDecoder } from "../../domain/messaging/index.ts";
import { readBody } from "../../wire/smpp/concatenation.ts";
import type { DataSm, DeliverSm } from "../../wire/smpp/pdu.ts";
import { isReceipt, type MessageState, readReceipt } from "../../wire/smpp/receipt.ts";
import { decodeText } from "../../wire/smpp/text.ts";
import { numberOf } from "./address.ts";
import { idOfReceipt } from "./carrier-id.ts";
import type { LinkSettings } from "./link-settings.ts";

export type Incoming =
  | { readonly kind: "receipt"; readonly receipt: CarrierReceipt }
  | { readonly kind: "inbound"; readonly part: InboundPart }
  /** Marked as a receipt without the id of a message. It is dropped: a repeat would contain no more. */
  | { readonly kind: "receiptOfNothing" };

export type IncomingSource = Pick<InboundPart, "carrier" | "link" | "session">;

// 5.2.23: the most an answer can hold. A longer id belongs to no message, and would only be stored.
const ID_LENGTH_MAX = 64;
// The text of a receipt may hold anything in the place of the carrier's code.
const CODE_LENGTH_MAX = 32;
const NO_OCTETS = new Uint8Array(0);

export function readIncoming(
  pdu: DeliverSm | DataSm,
  { receiptIds }: Pick<LinkSettings, "receiptIds">,
  { carrier, link, session }: IncomingSource,
  receivedOn: Date,
): Incoming {
  const { esmClass, dataCoding, tlvs } = pdu;
  const message = { esmClass, dataCoding, tlvs, shortMessage: "shortMessage" in pdu ? pdu.shortMessage : NO_OCTETS };
  if (isReceipt(message)) {
    const receipt = readReceipt(message);
    if (!receipt || receipt.messageId.length > ID_LENGTH_MAX) return { kind: "receiptOfNothing" };
    const carrierId = idOfReceipt(receipt.messageId, receiptIds);
    const errorCode = receipt.errorCode?.slice(0, CODE_LENGTH_MAX) ?? null;
    // A receipt travels in the opposite direction: its source is the message's recipient.
    const about = {
      from: numberOf(pdu.destination),
      to: numberOf(pdu.source),
      reference: tlvs.userMessageReference ?? null,
    };
    return {
      kind: "receipt",
      receipt: { carrier, carrierId, state: receiptState(receipt.state), errorCode, receivedOn, about },
    };
  }
  const from = numberOf(pdu.source);
  const to = numberOf(pdu.destination);
  const { octets, partOf } = readBody(message);
  const { reference = 0, total = 1, part: index = 1 } = partOf ?? {};
  const part: InboundPart = {
    carrier,
    link,
    session,
    from,
    to,
    // A copy: the decoded octets are a view of a chunk with many messages and would keep all of it in memory.
    octets: octets.slice(),
    dataCoding,
    ...(partOf && { partOf: { reference, total, index } }),
    repeatKey: createHash("sha1")
      .update(`${from} ${to} ${dataCoding} ${reference} ${total} ${index} `)
      .update(octets)
      .digest("base64url"),
  };
  return { kind: "inbound", part };
}

/** Binary data and unsupported alphabets become one character for each octet. */
export const decodePart: PartDecoder = (octets, dataCoding) =>
  decodeText({ dataCoding, octets }) ?? Buffer.from(octets).toString("latin1");

const STATE: Readonly<Record<MessageState, CarrierReceipt["state"]>> = {
  scheduled: "enroute",
  enroute: "enroute",
  accepted: "enroute",
  delivered: "delivered",
  expired: "expired",
  deleted: "failed",
  undeliverable: "failed",
  skipped: "failed",
  rejected: "rejected",
  unknown: "unknown",
};

export function receiptState(state: MessageState): CarrierReceipt["state"] {
  return STATE[state];
}
