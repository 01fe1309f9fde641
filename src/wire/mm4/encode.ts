// Writes an MM4 message as the bytes that follow SMTP's DATA. Everything is ASCII with CRLF line ends. Bodies are
// base64, so no content can look like a boundary; `fieldLine` writes every header line, so no value can inject one.

import { encodeWords } from "./encoded-words.ts";
import { fieldLine } from "./header-fields.ts";
import {
  type DeliveryReport,
  type ForwardRequest,
  type Media,
  MMS_VERSION,
  type Mm4Message,
  type ReadReport,
  type Response,
} from "./messages.ts";
import { isMediaType, safeName } from "./mime-parts.ts";
import { formatParameter } from "./parameters.ts";
import { writeSmil } from "./smil.ts";
import { base64Length, encodeBase64 } from "./transfer-encoding.ts";

/** No line of base64 and no header line of ours can begin with it. */
const BOUNDARY = "=_tandem_mm4";
const SUBJECT_MAX = 255;

type Field = readonly [name: string, value: string];

const TYPE_OF_RESPONSE = {
  forward: "MM4_forward.RES",
  deliveryReport: "MM4_delivery_report.RES",
  readReport: "MM4_read_reply_report.RES",
} as const;

export function encodeMm4(message: Mm4Message): Uint8Array {
  switch (message.kind) {
    case "forward":
      return encodeForward(message);
    case "deliveryReport":
      return encodeReport(message, "MM4_delivery_report.REQ", [
        ["X-Mms-MM-Status-Code", message.status],
        ["X-Mms-Status-Text", encodeWords(message.statusText)],
      ]);
    case "readReport":
      return encodeReport(message, "MM4_read_reply_report.REQ", [
        ["X-Mms-Read-Status", message.isRead ? "Read" : "Deleted without being read"],
      ]);
    case "response":
      return encodeResponse(message);
  }
}

/** A lower bound on the size of `encodeMm4`'s result for this content: headers are not counted. */
export function forwardLength(text: string, media: readonly Pick<Media, "bytes">[]): number {
  const bodies = [new TextEncoder().encode(text).length, ...media.map(({ bytes }) => bytes.length)];
  return bodies.reduce((sum, octets) => sum + base64Length(octets), 0);
}

function encodeForward(message: ForwardRequest): Uint8Array {
  const header = headerOf([
    ...headOf(message, "MM4_forward.REQ"),
    ["From", message.from],
    ["To", message.to.join(", ")],
    ...originOf(message),
    ["X-Mms-Message-Class", "Personal"],
    ["X-Mms-Priority", "Normal"],
    ["X-Mms-Delivery-Report", yesOrNo(message.isReportRequested)],
    ["X-Mms-Read-Reply", "No"],
    ["X-Mms-Sender-Visibility", "Show"],
    ["X-Mms-Expiry", message.expiresAt ? formatDate(message.expiresAt) : ""],
    ["Subject", encodeWords(Array.from(message.subject).slice(0, SUBJECT_MAX).join(""))],
    ["MIME-Version", "1.0"],
    ["Content-Type", `multipart/related; boundary="${BOUNDARY}"; type="application/smil"; start="<smil>"`],
  ]);
  return new TextEncoder().encode(`${header}\r\n${partsOf(message).join("")}--${BOUNDARY}--\r\n`);
}

function partsOf({ text, media }: ForwardRequest): readonly string[] {
  const named = media.map(({ contentType, name, bytes }, index) => ({
    contentType: isMediaType(contentType) ? contentType : "application/octet-stream",
    contentId: `media${index}`,
    name: safeName(name),
    bytes,
  }));
  const smil = writeSmil(text === "" ? undefined : "text", named);
  const parts = [
    part("application/smil; charset=utf-8", "smil", "", new TextEncoder().encode(smil)),
    ...(text === "" ? [] : [part("text/plain; charset=utf-8", "text", "", new TextEncoder().encode(text))]),
  ];
  for (const { contentType, contentId, name, bytes } of named) {
    // Marks plain text that is an attachment, so that it is not taken for the message's own text.
    const disposition = contentType === "text/plain" ? "attachment" : "inline";
    const file = name === "" ? "" : formatParameter("filename", name);
    // For the many peers that support neither RFC 2231 nor Content-Disposition.
    const plain = name === "" ? "" : formatParameter("name", name.replaceAll(/[^ -~]|=\?/gu, "_"));
    parts.push(part(`${contentType}${plain}`, contentId, `${disposition}${file}`, bytes));
  }
  return parts;
}

function part(contentType: string, contentId: string, disposition: string, body: Uint8Array): string {
  const header = headerOf([
    ["Content-Type", contentType],
    ["Content-Transfer-Encoding", "base64"],
    ["Content-ID", `<${contentId}>`],
    ["Content-Disposition", disposition],
  ]);
  return `--${BOUNDARY}\r\n${header}\r\n${encodeBase64(body)}`;
}

function encodeReport(message: DeliveryReport | ReadReport, type: string, fields: readonly Field[]): Uint8Array {
  const head: readonly Field[] = [
    ...headOf(message, type),
    ["From", message.from],
    ["To", message.to],
    ...originOf(message),
  ];
  return new TextEncoder().encode(`${headerOf([...head, ...fields])}\r\n`);
}

function encodeResponse(message: Response): Uint8Array {
  const fields: readonly Field[] = [
    ...headOf(message, TYPE_OF_RESPONSE[message.answers]),
    ["Sender", message.sender],
    ["From", message.sender],
    ["To", message.recipient],
    ["X-Mms-Request-Status-Code", message.status],
    ["X-Mms-Status-Text", encodeWords(message.statusText)],
  ];
  return new TextEncoder().encode(`${headerOf(fields)}\r\n`);
}

function headOf(message: Mm4Message, type: string): readonly Field[] {
  return [
    ["X-Mms-3GPP-MMS-Version", MMS_VERSION],
    ["X-Mms-Message-Type", type],
    ["X-Mms-Transaction-ID", message.transactionId],
    ["X-Mms-Message-ID", message.messageId],
    ["Date", message.date ? formatDate(message.date) : ""],
  ];
}

function originOf({
  originatorSystem,
  isAckRequested,
}: ForwardRequest | DeliveryReport | ReadReport): readonly Field[] {
  return [
    ["Sender", originatorSystem],
    ["X-Mms-Originator-System", originatorSystem],
    ["X-Mms-Ack-Request", yesOrNo(isAckRequested)],
  ];
}

/** Fields without a value are left out. */
function headerOf(fields: readonly Field[]): string {
  return fields.flatMap(([name, value]) => (value === "" ? [] : [fieldLine(name, value)])).join("");
}

function yesOrNo(value: boolean): string {
  return value ? "Yes" : "No";
}

/** RFC 5322 3.3. */
function formatDate(date: Date): string {
  return Number.isNaN(date.getTime()) ? "" : date.toUTCString().replace("GMT", "+0000");
}
