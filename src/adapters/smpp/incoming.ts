// A deliver_sm or data_sm → what messaging is told of it. Pure and total.

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
  /** Marked as a receipt and telling of no message: nobody's, and no better when it comes again. */
  | { readonly kind: "nobodys" };

/** Where it came in. */
export type IncomingPlace = Pick<InboundPart, "carrier" | "link" | "session">;

const NO_OCTETS = new Uint8Array(0);

export function readIncoming(
  pdu: DeliverSm | DataSm,
  { receiptIds }: Pick<LinkSettings, "receiptIds">,
  { carrier, link, session }: IncomingPlace,
  receivedOn: Date,
): Incoming {
  const { esmClass, dataCoding, tlvs } = pdu;
  const message = { esmClass, dataCoding, tlvs, shortMessage: "shortMessage" in pdu ? pdu.shortMessage : NO_OCTETS };
  if (isReceipt(message)) {
    const receipt = readReceipt(message);
    if (!receipt) return { kind: "nobodys" };
    const carrierId = idOfReceipt(receipt.messageId, receiptIds);
    const { errorCode = null } = receipt;
    return {
      kind: "receipt",
      receipt: { carrier, carrierId, state: receiptState(receipt.state), errorCode, receivedOn },
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
    // A copy: what was decoded is cut from a slab of many messages, and who keeps it would keep them all.
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

/** Data, and alphabets we do not read, are kept as the octets they are. */
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
