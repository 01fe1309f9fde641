// A deliver_sm or data_sm → what its link's owner is told. Pure and total.

import { readBody } from "../../wire/smpp/concatenation.ts";
import type { DataSm, DeliverSm } from "../../wire/smpp/pdu.ts";
import { isReceipt, type MessageState, readReceipt } from "../../wire/smpp/receipt.ts";
import { decodeText } from "../../wire/smpp/text.ts";
import { numberOf } from "./address.ts";
import { idOfReceipt } from "./carrier-id.ts";
import type { InboundPart, LinkReceipt, ReceiptState } from "./link-owner.ts";
import type { LinkSettings } from "./link-settings.ts";

export type Incoming =
  | { readonly kind: "receipt"; readonly receipt: LinkReceipt }
  | { readonly kind: "inbound"; readonly part: InboundPart }
  /** Marked as a receipt and telling of no message: nobody's, and no better when it comes again. */
  | { readonly kind: "nobodys" };

const NO_OCTETS = new Uint8Array(0);

export function readIncoming(
  pdu: DeliverSm | DataSm,
  { receiptIds }: Pick<LinkSettings, "receiptIds">,
  receivedOn: Date,
): Incoming {
  const { esmClass, dataCoding, tlvs } = pdu;
  const message = { esmClass, dataCoding, tlvs, shortMessage: "shortMessage" in pdu ? pdu.shortMessage : NO_OCTETS };
  const from = numberOf(pdu.source);
  const to = numberOf(pdu.destination);
  const { octets, partOf, destinationPort } = readBody(message);
  const text = decodeText({ dataCoding, octets });
  if (!isReceipt(message)) {
    const part: InboundPart = {
      from,
      to,
      text,
      // A copy: what was decoded is cut from a slab of many messages, and who keeps it would keep them all.
      octets: octets.slice(),
      dataCoding,
      ...(partOf && { concatenation: partOf }),
      ...(destinationPort !== undefined && { destinationPort }),
      flash: isClass0(dataCoding),
      receivedOn,
    };
    return { kind: "inbound", part };
  }
  const receipt = readReceipt(message);
  if (!receipt) return { kind: "nobodys" };
  return {
    kind: "receipt",
    receipt: {
      carrierId: idOfReceipt(receipt.messageId, receiptIds),
      state: receiptState(receipt.state),
      ...(receipt.errorCode !== undefined && { errorCode: receipt.errorCode }),
      ...(receipt.doneAt && { doneOn: receipt.doneAt }),
      text: text ?? "",
      from,
      to,
    },
  };
}

const STATE: Readonly<Record<MessageState, ReceiptState>> = {
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

export function receiptState(state: MessageState): ReceiptState {
  return STATE[state];
}

/** TS 23.038, 4: groups 0001 and 1111 tell a class in their last bits. */
function isClass0(dataCoding: number): boolean {
  const group = dataCoding >> 4;
  return (group === 0x1 || group === 0xf) && (dataCoding & 0x03) === 0;
}
