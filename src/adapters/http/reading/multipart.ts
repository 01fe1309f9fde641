// Parses a form with files (multipart/form-data, RFC 7578 over RFC 2046 5.1). The body is in memory already and bounded
// by the route; parts are views of it, not copies.
//
// Guarantees: any bytes give a form or a refusal without waiting; the number of parts and the size of their headers are
// bounded. No stream parser is used, because some wait for ever for the end of a part whose headers are broken.

import { ok, type Result, refused } from "../../../base/result.ts";

const PARTS_MAX = 32;
const HEADER_BYTES_MAX = 4096;
const NAME_LENGTH_MAX = 64;
const FILE_NAME_LENGTH_MAX = 1000;
const CRLF = Buffer.from("\r\n");
const HEADERS_END = Buffer.from("\r\n\r\n");

export interface FormPart {
  readonly name: string;
  /** Undefined for a field that is not a file. */
  readonly fileName: string | undefined;
  readonly bytes: Uint8Array;
}

export class Multipart {
  readonly parts: readonly FormPart[];

  constructor(parts: readonly FormPart[]) {
    this.parts = parts;
  }
}

export function parseMultipart(contentType: string, body: Buffer): Result<Multipart, string> {
  const boundary = boundaryOf(contentType);
  if (boundary === undefined) return refused("The Content-Type names no boundary that could be one.");
  const delimiter = Buffer.from(`--${boundary}`, "latin1");
  const parts: FormPart[] = [];
  for (let at = afterDelimiter(body, delimiter, firstDelimiter(body, delimiter)); ; ) {
    if (at === "end") return ok(new Multipart(parts));
    if (at === "broken") return refused("The form is cut short, or its parts are not set apart by their boundary.");
    if (parts.length >= PARTS_MAX) return refused(`A form may have ${PARTS_MAX} parts.`);
    const end = body.indexOf(Buffer.concat([CRLF, delimiter]), Math.max(at - CRLF.length, 0));
    if (end < 0) return refused("The form is cut short: its last part has no end.");
    const part = readPart(body.subarray(at, Math.max(end, at)));
    if (!part.ok) return part;
    parts.push(part.value);
    at = afterDelimiter(body, delimiter, end + CRLF.length);
  }
}

/** RFC 2046 5.1.1: 1 to 70 characters, not ending with a space. */
function boundaryOf(contentType: string): string | undefined {
  const [, quoted, token] = /;\s*boundary=(?:"([^"]*)"|([^\s;"]+))/i.exec(contentType) ?? [];
  const boundary = quoted ?? token ?? "";
  return /^[0-9A-Za-z'()+_,./:=? -]{0,69}[0-9A-Za-z'()+_,./:=?-]$/.test(boundary) ? boundary : undefined;
}

/** At the start of the body or of a line; text before it is ignored (the preamble of RFC 2046). */
function firstDelimiter(body: Buffer, delimiter: Buffer): number {
  if (body.subarray(0, delimiter.length).equals(delimiter)) return 0;
  const at = body.indexOf(Buffer.concat([CRLF, delimiter]));
  return at < 0 ? at : at + CRLF.length;
}

/** The start of the part whose delimiter is at `place`. */
function afterDelimiter(body: Buffer, delimiter: Buffer, place: number): number | "end" | "broken" {
  if (place < 0) return "broken";
  let at = place + delimiter.length;
  if (body.toString("latin1", at, at + 2) === "--") return "end";
  while (body[at] === 0x20 || body[at] === 0x09) at++;
  return body.subarray(at, at + CRLF.length).equals(CRLF) ? at + CRLF.length : "broken";
}

function readPart(part: Buffer): Result<FormPart, string> {
  const end = part.subarray(0, HEADER_BYTES_MAX).indexOf(HEADERS_END);
  if (end < 0) return refused("A part of the form has no headers, or too many of them.");
  // RFC 7578 5.1: names are UTF-8 by default.
  const lines = part.toString("utf8", 0, end).split("\r\n");
  const dispositions = lines.filter((line) => /^content-disposition[ \t]*:/i.test(line));
  const disposition = dispositions.length === 1 ? dispositions[0] : undefined;
  if (!disposition || !/^content-disposition[ \t]*:[ \t]*form-data[ \t]*(?:;|$)/i.test(disposition)) {
    return refused("A part of the form has no Content-Disposition of form-data.");
  }
  if (lines.some((line) => /^content-transfer-encoding[ \t]*:[ \t]*(?!binary|8bit|7bit)/i.test(line))) {
    return refused("A part of the form is encoded; send its bytes as they are.");
  }
  const name = parameterOf(disposition, "name");
  if (name === undefined || name === "" || name.length > NAME_LENGTH_MAX) {
    return refused("A part of the form has no name, or one that is too long.");
  }
  const fileName = parameterOf(disposition, "filename");
  return ok({
    name,
    fileName: fileName?.slice(-FILE_NAME_LENGTH_MAX).toWellFormed(),
    bytes: part.subarray(end + HEADERS_END.length),
  });
}

/** Within quotes, browsers write `%22` for a quote and other clients `\"`; any other backslash is literal. */
function parameterOf(header: string, name: string): string | undefined {
  const [, quoted, token] = new RegExp(`;[ \\t]*${name}=(?:"((?:\\\\"|[^"])*)"|([^\\s;"]+))`, "i").exec(header) ?? [];
  return quoted === undefined ? token : quoted.replace(/\\(["\\])/g, "$1").replace(/%22/g, '"');
}
