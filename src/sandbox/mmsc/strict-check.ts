// Checks an MM4_forward.REQ for what TS 23.140 8.4 and SMTP require but our parser tolerates, so that tests notice
// every violation. One sentence for each fault.

import { parseAddressList } from "../../wire/mm4/addresses.ts";
import { firstField, type HeaderFields, readHeaderFields } from "../../wire/mm4/header-fields.ts";
import { parseParameterized } from "../../wire/mm4/parameters.ts";
import { decodeBase64 } from "../../wire/mm4/transfer-encoding.ts";

/** Required fields and the form of their values. */
const FIELDS: readonly (readonly [name: string, form: RegExp])[] = [
  ["x-mms-3gpp-mms-version", /^\d+\.\d+\.\d+$/],
  ["x-mms-message-type", /^MM4_forward\.REQ$/],
  ["x-mms-transaction-id", /^"[^"\\]+"$/],
  ["x-mms-message-id", /^"[^"\\@]+@[^"\\@]+"$/],
  ["x-mms-originator-system", /^[^@\s]+@[^@\s]+$/],
  ["x-mms-ack-request", /^(?:Yes|No)$/],
  ["x-mms-delivery-report", /^(?:Yes|No)$/],
  ["x-mms-read-reply", /^(?:Yes|No)$/],
  ["x-mms-priority", /^(?:Low|Normal|High)$/],
  ["x-mms-message-class", /^(?:Personal|Advertisement|Informational|Auto)$/],
  ["x-mms-sender-visibility", /^(?:Show|Hide)$/],
  ["sender", /^[^@\s]+@[^@\s]+$/],
  ["from", /^\+?\d+\/TYPE=PLMN@[\w.-]+$/],
  ["to", /./],
  ["date", /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d [+-]\d{4}$/],
  ["mime-version", /^1\.0$/],
  ["content-type", /^multipart\/related;/],
];

const LINE_OCTETS_MAX = 998;
const HEADER_OCTETS_MAX = 64 * 1024;

export interface Envelope {
  readonly from: string;
  readonly to: readonly string[];
}

export function findFaults(bytes: Uint8Array, envelope: Envelope): readonly string[] {
  const block = readHeaderFields(bytes, 0, bytes.length, HEADER_OCTETS_MAX);
  if (!block.ok) return [block.refusal];
  const { fields } = block.value;
  return [
    ...lineFaults(bytes),
    ...fieldFaults(fields),
    ...addressFaults(fields, envelope),
    ...partFaults(bytes, fields),
  ];
}

function lineFaults(bytes: Uint8Array): readonly string[] {
  const faults = new Set<string>();
  let lineStart = 0;
  for (let at = 0; at < bytes.length; at++) {
    const code = bytes[at] as number;
    if (code > 126 || code === 0) faults.add("there are octets beyond ASCII");
    if (code === 10 && bytes[at - 1] !== 13) faults.add("a line ends in LF alone");
    if (code === 13 && bytes[at + 1] !== 10) faults.add("a line ends in CR alone");
    if (code !== 10) continue;
    if (at - 1 - lineStart > LINE_OCTETS_MAX) faults.add(`a line is longer than ${LINE_OCTETS_MAX}`);
    lineStart = at + 1;
  }
  return [...faults];
}

function fieldFaults(fields: HeaderFields): readonly string[] {
  return FIELDS.flatMap(([name, form]) => {
    const values = fields.get(name) ?? [];
    if (values.length !== 1) return [`${name} is there ${values.length} times`];
    return form.test(values[0] ?? "") ? [] : [`${name} is ${JSON.stringify(values[0])}`];
  });
}

function addressFaults(fields: HeaderFields, envelope: Envelope): readonly string[] {
  const to = parseAddressList(firstField(fields, "to") ?? "");
  const faults = to.flatMap((address) =>
    /^\+?\d+\/TYPE=PLMN@[\w.-]+$/.test(address) ? [] : [`To names ${JSON.stringify(address)}`],
  );
  for (const address of envelope.to) if (!to.includes(address)) faults.push(`RCPT ${address} is not in To`);
  if (envelope.from !== firstField(fields, "from")) faults.push(`MAIL FROM is ${JSON.stringify(envelope.from)}`);
  return faults;
}

/** There must be a presentation, and it must refer only to existing parts. */
function partFaults(bytes: Uint8Array, fields: HeaderFields): readonly string[] {
  const { parameters } = parseParameterized(firstField(fields, "content-type") ?? "");
  const boundary = parameters.get("boundary") ?? "";
  const start = parameters.get("start") ?? "";
  const text = new TextDecoder("latin1").decode(bytes);
  const faults: string[] = [];
  if (!text.endsWith(`--${boundary}--\r\n`)) faults.push("the last delimiter is missing");
  const ids = [...text.matchAll(/^Content-ID: (<[^>]+>)\r$/gim)].map(([, id]) => id);
  if (!ids.includes(start)) faults.push(`the start ${start} is no part`);
  const smil = /^Content-Type: application\/smil[\s\S]*?\r\n\r\n([\s\S]*?)\r\n--/im.exec(text)?.[1] ?? "";
  const shown = new TextDecoder().decode(decodeBase64(new TextEncoder().encode(smil)));
  if (!shown.startsWith("<smil>")) faults.push("there is no presentation");
  for (const [, id] of shown.matchAll(/cid:([^"]+)"/g)) {
    if (!ids.includes(`<${id}>`)) faults.push(`the presentation shows ${id}, which is no part`);
  }
  return faults;
}
