// Delivery receipts: what became of a message we sent, told by TLVs (SMPP 3.4, 5.3.2.12, .31, .35) or in the text that Appendix B suggests and
// every vendor spells in its own way.
//
// A text alone proves nothing, since anybody can send "id:1 stat:DELIVRD" from a phone: `readReceipt` believes it only in a PDU that its
// SMSC has marked as a receipt.

import { readBody } from "./concatenation.ts";
import type { DataSm, DeliverSm } from "./pdu.ts";
import { formatSmppTime, utcOf } from "./smpp-time.ts";
import { type DefaultAlphabet, decodeText } from "./text.ts";

export type MessageState =
  | "scheduled"
  | "enroute"
  | "delivered"
  | "expired"
  | "deleted"
  | "undeliverable"
  | "accepted"
  | "unknown"
  | "rejected"
  | "skipped";

export interface Receipt {
  readonly messageId: string;
  readonly state: MessageState;
  /** The carrier's own code, as it wrote it; TLV `network_error_code` as decimal. */
  readonly errorCode?: string;
  /** By the SMSC's clock. */
  readonly doneAt?: Date;
}

/** 5.2.28, the numbers of message_state. */
export const MESSAGE_STATE: readonly MessageState[] = [
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
];

// Appendix B, and what else is met: full words, other participles, Kannel's, Jasmin's and SMSCs' own.
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

// The labels in the spellings met, longest first where one begins another. A value runs to the next label.
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
const RECEIPT_TEXT_MAX = 2048;

/** The receipt a text tells of, or nothing when it has no id or no state. A state in a word we do not know is `unknown`. */
export function parseReceiptText(text: string): Receipt | undefined {
  // Some SMSCs fill their texts up with NUL.
  const { id, state, error, done } = fieldsOf(text.slice(0, RECEIPT_TEXT_MAX).replaceAll("\0", ""));
  if (!id || !state) return undefined;
  const doneAt = parseReceiptDate(done ?? "");
  return { messageId: id, state: stateOf(state), ...(error && { errorCode: error }), ...(doneAt && { doneAt }) };
}

function fieldsOf(text: string): Partial<Record<Label, string>> {
  const fields: Partial<Record<Label, string>> = {};
  const found = [...text.matchAll(LABEL)];
  for (const [index, match] of found.entries()) {
    const name = LABEL_NAMES[match.slice(1).findIndex((group) => group !== undefined)] as Label;
    // The rest is the message's own text and may hold anything, labels too.
    if (name === "text") break;
    const value = text.slice(match.index + match[0].length, found[index + 1]?.index).replaceAll(/["'<>[\]()]/g, "");
    // Dates may hold a space; nothing else does.
    fields[name] ??= name === "done" || name === "submitted" ? value.trim() : (/[^\s,;|]+/.exec(value)?.[0] ?? "");
  }
  return fields;
}

function stateOf(word: string): MessageState {
  if (/^\d+$/.test(word)) return MESSAGE_STATE[Number(word)] ?? "unknown";
  return STATE_WORDS.find(([pattern]) => pattern.test(word.toUpperCase()))?.[1] ?? "unknown";
}

// With the century before without: twelve digits that begin with 20 are read as a year when the rest is a date. Then Appendix B's, with and
// without seconds, and the format of SMPP's own times.
const DATE_FORMS = [
  /^(20\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?$/,
  /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?(?:\d\d\d[+-])?$/,
];

/** UTC, since none says its zone. */
function parseReceiptDate(text: string): Date | undefined {
  const digits = text.replaceAll(/[/.:,;TZ\s]|-(?=\d)/g, "");
  for (const form of DATE_FORMS) {
    const match = form.exec(digits);
    if (!match) continue;
    const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
      .slice(1, 7)
      .map((part) => Number(part ?? 0));
    const ms = utcOf(year < 100 ? 2000 + year : year, month, day, hour, minute, second);
    if (ms !== undefined) return new Date(ms);
  }
  return undefined;
}

// 5.2.12: an SMSC's delivery receipt, or its intermediate notification.
const ESM_RECEIPT = 0x04;
const ESM_INTERMEDIATE = 0x20;

/** Whether the SMSC says this is a receipt, readable or not: never a person's message. */
export function isReceipt({ esmClass, tlvs }: Pick<DeliverSm | DataSm, "esmClass" | "tlvs">): boolean {
  return (esmClass & (ESM_RECEIPT | ESM_INTERMEDIATE)) !== 0 || tlvs.receiptedMessageId !== undefined;
}

/** TLVs before text, each filling what the other lacks. */
export function readReceipt(
  pdu: Pick<DeliverSm, "esmClass" | "dataCoding" | "shortMessage" | "tlvs">,
  defaultAlphabet: DefaultAlphabet = "gsm7",
): Receipt | undefined {
  if (!isReceipt(pdu)) return undefined;
  const { octets } = readBody(pdu);
  const told = parseReceiptText(decodeText({ dataCoding: pdu.dataCoding, octets }, defaultAlphabet) ?? "");
  const messageId = pdu.tlvs.receiptedMessageId || told?.messageId;
  if (!messageId) return undefined;
  const state = MESSAGE_STATE[pdu.tlvs.messageState ?? -1] ?? told?.state ?? "unknown";
  const errorCode = errorOf(told?.errorCode, pdu.tlvs.networkErrorCode);
  return {
    messageId,
    state,
    ...(errorCode !== undefined && { errorCode }),
    ...(told?.doneAt && { doneAt: told.doneAt }),
  };
}

/** 5.3.2.31: an octet for the network, two for its code. The text's code is the one carriers document, so it goes first unless it is none. */
function errorOf(told: string | undefined, network: Uint8Array | undefined): string | undefined {
  const code = network?.length === 3 ? ((network[1] as number) << 8) | (network[2] as number) : 0;
  if (told !== undefined && !/^0+$/.test(told)) return told;
  return code === 0 ? told : String(code);
}

/** How a carrier writes the ids it gives. Several give them in hexadecimal in the answer and in decimal in the receipt. */
export type MessageIdForm = "asIs" | "decimal" | "hex";

/** The same string for the same id, whichever of its forms it came in. */
export function canonicalMessageId(id: string, form: MessageIdForm): string {
  if (form === "hex" && /^(0x)?[0-9a-f]+$/i.test(id)) return BigInt(`0x${id.replace(/^0x/i, "")}`).toString();
  if (form === "decimal" && /^\d+$/.test(id)) return BigInt(id).toString();
  return id;
}

export interface ReceiptText extends Receipt {
  readonly submittedAt: Date;
  readonly doneAt: Date;
  /** The first 20 characters of the message are repeated. */
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

/** Appendix B, as an SMSC writes it. */
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
