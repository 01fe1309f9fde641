// Parses an MM4 message from the bytes between SMTP's DATA and the final dot. Never throws: any bytes give a message or
// a refusal, within the bounds of header-fields.ts and mime-parts.ts; the SMTP receiver bounds the total size. Harmless
// deviations from TS 23.140 are accepted: identifiers with or without quotes, no version, tokens in any case, and
// Message-ID in place of X-Mms-Message-ID.

import { ok, type Result, refused } from "../../base/result.ts";
import { tableOf } from "../../base/table.ts";
import { isAddress, parseAddressList } from "./addresses.ts";
import { decodeCharset } from "./charset.ts";
import { decodeEncodedWords } from "./encoded-words.ts";
import { firstField, type HeaderFields, readHeaderFields } from "./header-fields.ts";
import {
  type ForwardRequest,
  type Media,
  MM_STATUSES,
  type Mm4Message,
  REQUEST_STATUSES,
  type Response,
} from "./messages.ts";
import { type MimeLeaf, readLeaves } from "./mime-parts.ts";

const HEADER_OCTETS_MAX = 64 * 1024;
const RECIPIENTS_MAX = 100;
const ID_MAX = 255;
const TEXT_FIELD_MAX = 1024;

const RESPONSES = tableOf<Response["answers"]>({
  "mm4_forward.res": "forward",
  "mm4_delivery_report.res": "deliveryReport",
  "mm4_read_reply_report.res": "readReport",
});

/** Refused with a sentence for the peer. */
export function parseMm4(bytes: Uint8Array): Result<Mm4Message, string> {
  const block = readHeaderFields(bytes, 0, bytes.length, HEADER_OCTETS_MAX);
  if (!block.ok) return block;
  const { fields, bodyStart } = block.value;
  const type = firstField(fields, "x-mms-message-type");
  if (type === undefined) return refused("it is no MM4 message: X-Mms-Message-Type is missing");
  const transactionId = idField(fields, "x-mms-transaction-id");
  if (transactionId === undefined) return refused("X-Mms-Transaction-ID is missing or too long");
  const messageId = idField(fields, "x-mms-message-id") ?? idField(fields, "message-id");
  if (messageId === undefined) return refused("X-Mms-Message-ID is missing or too long");
  const head = { transactionId, messageId, ...dateOf(fields, "date", "date") };

  const name = type.toLowerCase();
  const answers = RESPONSES.get(name);
  if (answers !== undefined) return ok(responseOf(fields, { ...head, answers }));
  const from = parseAddressList(firstField(fields, "from") ?? "")[0];
  if (from === undefined) return refused("From has no address");
  const to = [...(fields.get("to") ?? []), ...(fields.get("cc") ?? [])].flatMap(parseAddressList);
  if (to.length > RECIPIENTS_MAX) return refused(`To names more than ${RECIPIENTS_MAX}`);
  const [first] = to;
  if (first === undefined) return refused("To has no address");
  const origin = {
    from,
    originatorSystem: originatorOf(fields, from),
    isAckRequested: isYes(fields, "x-mms-ack-request"),
  };
  switch (name) {
    case "mm4_forward.req":
      return forwardOf(bytes, fields, bodyStart, { kind: "forward", ...head, ...origin, to });
    case "mm4_delivery_report.req": {
      const status = wordOf(fields, "x-mms-mm-status-code", MM_STATUSES) ?? "Unrecognised";
      return ok({ kind: "deliveryReport", ...head, ...origin, to: first, status, statusText: statusText(fields) });
    }
    case "mm4_read_reply_report.req": {
      const isRead = /^read$/i.test(firstField(fields, "x-mms-read-status") ?? "");
      return ok({ kind: "readReport", ...head, ...origin, to: first, isRead });
    }
    default:
      return refused(`X-Mms-Message-Type ${JSON.stringify(type.slice(0, 64))} is not known here`);
  }
}

function forwardOf(
  bytes: Uint8Array,
  fields: HeaderFields,
  bodyStart: number,
  head: Omit<ForwardRequest, "isReportRequested" | "subject" | "text" | "media" | "expiresAt">,
): Result<ForwardRequest, string> {
  const leaves = readLeaves(bytes, fields, bodyStart);
  if (!leaves.ok) return leaves;
  const own = leaves.value.filter(isOwnText);
  return ok({
    ...head,
    isReportRequested: isYes(fields, "x-mms-delivery-report"),
    ...dateOf(fields, "x-mms-expiry", "expiresAt"),
    subject: textOf(fields, "subject"),
    text: own.map(({ bytes: octets, charset }) => decodeCharset(octets, charset)).join("\n"),
    media: leaves.value.filter((leaf) => !isOwnText(leaf) && !isPresentation(leaf)).map(mediaOf),
  });
}

function isOwnText({ contentType, isAttachment }: MimeLeaf): boolean {
  return contentType === "text/plain" && !isAttachment;
}

function isPresentation({ contentType }: MimeLeaf): boolean {
  return contentType === "application/smil" || contentType === "application/smil+xml";
}

function mediaOf({ contentType, name, bytes }: MimeLeaf): Media {
  return { contentType, name, bytes };
}

function responseOf(
  fields: HeaderFields,
  head: Pick<Response, "transactionId" | "messageId" | "answers" | "date">,
): Response {
  const addressIn = (name: string) => parseAddressList(firstField(fields, name) ?? "")[0];
  return {
    kind: "response",
    ...head,
    sender: addressIn("sender") ?? addressIn("from") ?? "",
    recipient: addressIn("to") ?? "",
    // An unknown status is not a success.
    status: wordOf(fields, "x-mms-request-status-code", REQUEST_STATUSES) ?? "Error-unspecified",
    statusText: statusText(fields),
  };
}

/** TS 23.140 8.4.4: responses go to the originator system, or to From when the peer names none. */
function originatorOf(fields: HeaderFields, from: string): string {
  const named = firstField(fields, "x-mms-originator-system") ?? firstField(fields, "sender") ?? "";
  const [address] = parseAddressList(named);
  return address !== undefined && isAddress(address) ? address : from;
}

function idField(fields: HeaderFields, name: string): string | undefined {
  const id = firstField(fields, name);
  return id !== undefined && /^[ -~]+$/.test(id) && id.length <= ID_MAX ? id : undefined;
}

function isYes(fields: HeaderFields, name: string): boolean {
  return /^yes$/i.test(firstField(fields, name) ?? "");
}

function wordOf<Word extends string>(fields: HeaderFields, name: string, words: readonly Word[]): Word | undefined {
  const written = (firstField(fields, name) ?? "").toLowerCase();
  return words.find((word) => word.toLowerCase() === written);
}

function statusText(fields: HeaderFields): string {
  return textOf(fields, "x-mms-status-text");
}

function textOf(fields: HeaderFields, name: string): string {
  return decodeEncodedWords(firstField(fields, name) ?? "")
    .replaceAll(/\p{Cc}/gu, " ")
    .slice(0, TEXT_FIELD_MAX);
}

function dateOf<Key extends string>(fields: HeaderFields, name: string, key: Key): { readonly [key in Key]?: Date } {
  const time = Date.parse(firstField(fields, name) ?? "");
  return Number.isNaN(time) ? {} : ({ [key]: new Date(time) } as { [key in Key]: Date });
}
