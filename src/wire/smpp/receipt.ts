// Delivery receipts: the outcome of a message we sent, in TLVs (SMPP 3.4, 5.3.2.12, .31, .35) or in the text format
// that Appendix B suggests and every vendor varies.
//
// Any phone can send the text "id:1 stat:DELIVRD", so `readReceipt` trusts the text only in a PDU that the SMSC has
// marked as a receipt.

import { readBody } from "./concatenation.ts";
import type { DataSm, DeliverSm } from "./pdu.ts";
import { formatSmppTime } from "./smpp-time.ts";
import { decodeText } from "./text.ts";

export interface Receipt {
  readonly messageId: string;
  readonly state: MessageState;
  /** The carrier's own code as written in the text; the TLV `network_error_code` in decimal. */
  readonly errorCode?: string;
}

/** 5.2.28, by the number of message_state. */
export const MESSAGE_STATE = [
  "scheduled",
  "enroute",
  "delivered",
  "expired",
  "deleted",
  "undeliverable",
  "accepted",
  "unknown",
  "rejected",
  "skipped",
] as const;
export type MessageState = (typeof MESSAGE_STATE)[number];

// Appendix B's words, and others that Kannel, Jasmin and SMSCs use.
const STATE_WORDS: readonly (readonly [RegExp, MessageState])[] = [
  [/^(DELIVRD|DELIVERD|DELIVERED|DELIVRED|DELIV|DLVRD|DELIVERY_?SUCCESS|SUCCESS|OK)$/, "delivered"],
  [/^(EXPIRED|EXPIRD|EXPRD|TIMEOUT)$/, "expired"],
  [/^(DELETED|DELETD|CANCELL?ED)$/, "deleted"],
  [
    /^(UNDELIV|UNDELIVERABLE|UNDELIVERED|UNDELIVRD|UNDELIVERD|UNDELVD|NOTDELIVRD|FAILED|FAILURE|FAIL|ERROR)$/,
    "undeliverable",
  ],
  [/^(ACCEPTD|ACCEPTED|ACCEPT|ACKED|ACK)$/, "accepted"],
  [/^(REJECTD|REJECTED|REJECT|REJCTD|BLOCKED|SPAM)$/, "rejected"],
  [/^(ENROUTE|EN_?ROUTE|BUFFERED|BUFFERD|BUFFRED|QUEUED|SENT|PENDING|SUBMITTED|SUBMITD|TRANSMITTED)$/, "enroute"],
  [/^(SCHEDULED|SCHEDULD)$/, "scheduled"],
  [/^(SKIPPED|SKIPPD)$/, "skipped"],
  [/^(UNKNOWN|UNKNOWND|UNKN)$/, "unknown"],
];

// The labels in the spellings that SMSCs use. Where one is a prefix of another, the longer comes first. A value ends at
// the next label.
const LABELS = {
  id: "message[ _-]?id|msg[ _-]?id|id",
  sub: "sub",
  dlvrd: "dlvrd|dlvd|dlrvd|delivrd",
  submitted: "submit[ _-]?(?:date|time)|sub[ _-]date",
  done: "done[ _-]?(?:date|time)",
  state: "message[ _-]?state|status|state|stat",
  error: "network[ _-]?error(?:[ _-]?code)?|error[ _-]?code|error|err",
  text: "text|txt",
} as const;
type Label = keyof typeof LABELS;
const LABEL_NAMES = Object.keys(LABELS) as Label[];
const LABEL = new RegExp(`(?<![a-z0-9_])(?:${LABEL_NAMES.map((name) => `(${LABELS[name]})`).join("|")})\\s*[:=]`, "gi");
/** Characters that some SMSCs put around a value. */
const WRAPPING = /["'<>[\]()]/;
const ALL_WRAPPING = new RegExp(WRAPPING, "g");
const WORD = /[^\s,;|]+/;
const RECEIPT_TEXT_MAX = 2048;

/** For speed alone (`bench -- messages` would notice): the text as Appendix B has it, and most SMSCs write it. */
const USUAL =
  /^id:([\w-]{1,64}) sub:\d{1,3} dlvrd:\d{1,3} submit date:\d{1,12} done date:\d{1,12} stat:(DELIVRD|UNDELIV|EXPIRED|REJECTD) err:(\w{1,9}) text:/i;

/** Undefined for a text without an id or a state. An unrecognised state word becomes `unknown`. */
export function parseReceiptText(text: string): Receipt | undefined {
  const usual = USUAL.exec(text);
  if (usual)
    return { messageId: usual[1] as string, state: stateOf(usual[2] as string), errorCode: usual[3] as string };
  return parseVariedText(text);
}

/** As any SMSC may write it. */
function parseVariedText(text: string): Receipt | undefined {
  // Some SMSCs pad their texts with NUL.
  const { id, state, error } = fieldsOf(text.slice(0, RECEIPT_TEXT_MAX).replaceAll("\0", ""));
  if (!id || !state) return undefined;
  return { messageId: id, state: stateOf(state), ...(error && { errorCode: error }) };
}

function fieldsOf(text: string): Partial<Record<Label, string>> {
  const fields: Partial<Record<Label, string>> = {};
  LABEL.lastIndex = 0;
  let found = LABEL.exec(text);
  while (found) {
    const name = nameOf(found);
    // The rest is the message's own text and may contain anything, even labels.
    if (name === "text") break;
    const start = LABEL.lastIndex;
    found = LABEL.exec(text);
    fields[name] ??= fieldIn(text.slice(start, found?.index));
  }
  return fields;
}

/** Which of the alternatives was found. */
function nameOf(found: RegExpExecArray): Label {
  let group = 1;
  while (found[group] === undefined) group++;
  return LABEL_NAMES[group - 1] as Label;
}

function fieldIn(written: string): string {
  const value = WRAPPING.test(written) ? written.replaceAll(ALL_WRAPPING, "") : written;
  return WORD.exec(value)?.[0] ?? "";
}

function stateOf(word: string): MessageState {
  if (/^\d+$/.test(word)) return MESSAGE_STATE[Number(word)] ?? "unknown";
  return STATE_WORDS.find(([pattern]) => pattern.test(word.toUpperCase()))?.[1] ?? "unknown";
}

// 5.2.12: an SMSC's delivery receipt, or its intermediate notification.
const ESM_RECEIPT = 0x04;
const ESM_INTERMEDIATE = 0x20;

/** Whether the SMSC marks this as a receipt, readable or not. It is then never a person's message. */
export function isReceipt({ esmClass, tlvs }: Pick<DeliverSm | DataSm, "esmClass" | "tlvs">): boolean {
  return (esmClass & (ESM_RECEIPT | ESM_INTERMEDIATE)) !== 0 || tlvs.receiptedMessageId !== undefined;
}

/** Prefers the TLVs, and takes from the text what they lack. */
export function readReceipt(
  pdu: Pick<DeliverSm, "esmClass" | "dataCoding" | "shortMessage" | "tlvs">,
): Receipt | undefined {
  if (!isReceipt(pdu)) return undefined;
  const { octets } = readBody(pdu);
  const written = parseReceiptText(decodeText({ dataCoding: pdu.dataCoding, octets }) ?? "");
  const messageId = pdu.tlvs.receiptedMessageId || written?.messageId;
  if (!messageId) return undefined;
  const state = MESSAGE_STATE[pdu.tlvs.messageState ?? -1] ?? written?.state ?? "unknown";
  const errorCode = errorOf(written?.errorCode, pdu.tlvs.networkErrorCode);
  return { messageId, state, ...(errorCode !== undefined && { errorCode }) };
}

/**
 * 5.3.2.31: network_error_code is one octet for the network type and two for the code. The code in the text is the one
 * carriers document, so it wins unless it is zero.
 */
function errorOf(written: string | undefined, network: Uint8Array | undefined): string | undefined {
  const code = network?.length === 3 ? ((network[1] as number) << 8) | (network[2] as number) : 0;
  if (written !== undefined && !/^0+$/.test(written)) return written;
  return code === 0 ? written : String(code);
}

/** How a carrier writes message ids. Several write hexadecimal in the submit_sm_resp and decimal in the receipt. */
export type MessageIdForm = "asIs" | "decimal" | "hex";

/** One string for one id, in whichever form it arrived. */
export function canonicalMessageId(id: string, form: MessageIdForm): string {
  if (form === "hex" && /^(0x)?[0-9a-f]+$/i.test(id)) return BigInt(`0x${id.replace(/^0x/i, "")}`).toString();
  if (form === "decimal" && /^\d+$/.test(id)) return BigInt(id).toString();
  return id;
}

export interface ReceiptText extends Receipt {
  readonly submittedAt: Date;
  readonly doneAt: Date;
  /** The receipt repeats its first 20 characters. */
  readonly text?: string;
}

const WORD_OF: Readonly<Record<MessageState, string>> = {
  scheduled: "SCHEDULED",
  enroute: "ENROUTE",
  delivered: "DELIVRD",
  expired: "EXPIRED",
  deleted: "DELETED",
  undeliverable: "UNDELIV",
  accepted: "ACCEPTD",
  unknown: "UNKNOWN",
  rejected: "REJECTD",
  skipped: "SKIPPED",
};

/** The text of Appendix B, as an SMSC writes it. */
export function makeReceiptText({
  messageId,
  state,
  errorCode = "000",
  submittedAt,
  doneAt,
  text = "",
}: ReceiptText): string {
  const date = (time: Date) => formatSmppTime(time).slice(0, 10);
  const delivered = state === "delivered" ? "001" : "000";
  const dates = `submit date:${date(submittedAt)} done date:${date(doneAt)}`;
  return `id:${messageId} sub:001 dlvrd:${delivered} ${dates} stat:${WORD_OF[state]} err:${errorCode} text:${text.slice(0, 20)}`;
}
