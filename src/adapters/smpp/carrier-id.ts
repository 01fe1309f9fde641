// One spelling for the id that a carrier gives a message in its answer and repeats in its receipt. An id that the
// carrier spells the same in both is left as it is; otherwise it becomes decimal without leading zeros, because
// carriers pad hexadecimal differently.

import { canonicalMessageId, type MessageIdForm } from "../../wire/smpp/receipt.ts";
import type { LinkSettings } from "./link-settings.ts";

type ReceiptIds = LinkSettings["receiptIds"];

const FORMS: Readonly<Record<ReceiptIds, readonly [answer: MessageIdForm, receipt: MessageIdForm]>> = {
  same: ["asIs", "asIs"],
  "hex-to-decimal": ["hex", "decimal"],
  "decimal-to-hex": ["decimal", "hex"],
};

export function idOfAnswer(id: string, receiptIds: ReceiptIds): string {
  return receiptIds === "same" ? id : canonicalMessageId(id, FORMS[receiptIds][0]);
}

export function idOfReceipt(id: string, receiptIds: ReceiptIds): string {
  return receiptIds === "same" ? id : canonicalMessageId(id, FORMS[receiptIds][1]);
}

/** The id in the base that the SMSC's answers use, for query_sm. */
export function idForQuery(id: string, receiptIds: ReceiptIds): string {
  return receiptIds === "hex-to-decimal" && /^\d+$/.test(id) ? BigInt(id).toString(16).toUpperCase() : id;
}
