// Parses a MIME body (RFC 2046) into its decoded leaves. The number of parts, their nesting and their headers are
// bounded. Deviations of peers are tolerated: the last delimiter may be missing, and lines may end in LF alone.

import { ok, type Result, refused } from "../../base/result.ts";
import { decodeEncodedWords } from "./encoded-words.ts";
import { firstField, type HeaderFields, lineAt, readHeaderFields } from "./header-fields.ts";
import { type Parameterized, parseParameterized } from "./parameters.ts";
import { decodeBase64, decodeQuotedPrintable, latin1Bytes } from "./transfer-encoding.ts";

export interface MimeLeaf {
  readonly contentType: string;
  readonly charset: string | undefined;
  readonly isAttachment: boolean;
  /** Empty when nothing names it. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

export const PARTS_MAX = 30;
const DEPTH_MAX = 4;
const PART_HEADER_OCTETS_MAX = 8 * 1024;
const NAME_MAX = 64;
/** RFC 2046 5.1.1. */
const BOUNDARY_MAX = 70;
const MEDIA_TYPE = /^[a-z0-9!#$&^_.+-]{1,127}\/[a-z0-9!#$&^_.+-]{1,127}$/;

export function isMediaType(text: string): boolean {
  return MEDIA_TYPE.test(text);
}

interface Entity {
  readonly bytes: Uint8Array;
  readonly fields: HeaderFields;
  readonly start: number;
  readonly end: number;
}

/** The leaves of the entity whose header is `fields` and whose body is the rest of `bytes` from `bodyStart` on. */
export function readLeaves(
  bytes: Uint8Array,
  fields: HeaderFields,
  bodyStart: number,
): Result<readonly MimeLeaf[], string> {
  const leaves: MimeLeaf[] = [];
  const refusal = gather({ bytes, fields, start: bodyStart, end: bytes.length }, 0, leaves);
  return refusal === undefined ? ok(leaves) : refused(refusal);
}

function gather(entity: Entity, depth: number, leaves: MimeLeaf[]): string | undefined {
  // RFC 2045 5.2: a part without a Content-Type is plain text.
  const type = parseParameterized(firstField(entity.fields, "content-type") ?? "text/plain");
  if (!type.value.startsWith("multipart/")) {
    if (leaves.length >= PARTS_MAX) return `there are more than ${PARTS_MAX} parts`;
    leaves.push(leafOf(entity, type));
    return undefined;
  }
  if (depth >= DEPTH_MAX) return `parts lie more than ${DEPTH_MAX} deep in each other`;
  const boundary = type.parameters.get("boundary") ?? "";
  if (boundary === "" || boundary.length > BOUNDARY_MAX) return "a multipart has no boundary";
  const parts = split(entity, latin1Bytes(`--${boundary}`));
  if (parts === undefined) return `there are more than ${PARTS_MAX} parts`;
  for (const [start, end] of parts) {
    const block = readHeaderFields(entity.bytes, start, end, PART_HEADER_OCTETS_MAX);
    if (!block.ok) return `of a part ${block.refusal}`;
    const part = { bytes: entity.bytes, fields: block.value.fields, start: block.value.bodyStart, end };
    const refusal = gather(part, depth + 1, leaves);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

/** Start and end of each part between the delimiters; undefined when there are too many. */
function split({ bytes, start, end }: Entity, delimiter: Uint8Array): (readonly [number, number])[] | undefined {
  const parts: (readonly [number, number])[] = [];
  let partStart: number | undefined;
  let previousEnd = start;
  let at = start;
  while (at < end) {
    const [lineEnd, next] = lineAt(bytes, at, end);
    const kind = delimiterKind(bytes, at, lineEnd, delimiter);
    if (kind !== undefined) {
      // The line break before a delimiter belongs to the delimiter.
      if (partStart !== undefined) parts.push([partStart, Math.max(previousEnd, partStart)]);
      if (parts.length > PARTS_MAX) return undefined;
      if (kind === "last") return parts;
      partStart = next;
    }
    previousEnd = lineEnd;
    at = next;
  }
  if (partStart !== undefined) parts.push([partStart, end]);
  return parts.length > PARTS_MAX ? undefined : parts;
}

function delimiterKind(
  bytes: Uint8Array,
  at: number,
  lineEnd: number,
  delimiter: Uint8Array,
): "next" | "last" | undefined {
  if (lineEnd - at < delimiter.length) return undefined;
  for (let index = 0; index < delimiter.length; index++) if (bytes[at + index] !== delimiter[index]) return undefined;
  let rest = at + delimiter.length;
  const isLast = bytes[rest] === 0x2d && bytes[rest + 1] === 0x2d && rest + 2 <= lineEnd;
  if (isLast) rest += 2;
  while (rest < lineEnd && (bytes[rest] === 0x20 || bytes[rest] === 0x09)) rest += 1;
  if (rest < lineEnd) return undefined;
  return isLast ? "last" : "next";
}

function leafOf({ bytes, fields, start, end }: Entity, type: Parameterized): MimeLeaf {
  const disposition = parseParameterized(firstField(fields, "content-disposition") ?? "");
  const encoding = (firstField(fields, "content-transfer-encoding") ?? "").toLowerCase();
  const name =
    disposition.parameters.get("filename") ??
    type.parameters.get("name") ??
    decodeEncodedWords(firstField(fields, "content-location") ?? "");
  return {
    contentType: isMediaType(type.value) ? type.value : "application/octet-stream",
    charset: type.parameters.get("charset"),
    isAttachment: disposition.value === "attachment",
    name: safeName(name),
    bytes: decodeBody(bytes.subarray(start, Math.max(start, end)), encoding),
  };
}

function decodeBody(body: Uint8Array, encoding: string): Uint8Array {
  if (encoding === "base64") return decodeBase64(body);
  if (encoding === "quoted-printable") return decodeQuotedPrintable(body);
  // A copy, so that a small part does not keep the whole message in memory.
  return body.slice();
}

/** A plain file name: no folders, no control characters, bounded in length. */
export function safeName(text: string): string {
  const last = text
    .replaceAll(/[\p{Cc}<>]/gu, "")
    .split(/[/\\]/)
    .at(-1);
  return Array.from((last ?? "").trim())
    .slice(0, NAME_MAX)
    .join("")
    .trim();
}
