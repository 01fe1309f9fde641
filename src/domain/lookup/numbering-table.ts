// Opens the numbering artefact: the holder of each block of numbers, as one sorted list of disjoint intervals.
//
// Guarantees: any bytes give either a table or a refusal that states what is wrong, never an exception; a truncated
// file or a changed byte is refused; opening copies nothing when the bytes are aligned; a query costs one binary
// search.
// Not guaranteed: that the file was made by us (the checksum finds accidents, not forgery).
//
// Layout, little-endian: magic (8 bytes), version, header bytes, intervals, checksum (u32 each), then the JSON header
// padded with spaces to a multiple of 8, the starts (f64 each), the holder of each interval (u16 each), zeros up to a
// multiple of 4. A start is a prefix padded with zeros to 15 digits; an interval reaches to the next start; holder 0
// means that there is none.

import { ok, type Result, refused } from "../../base/result.ts";
import { PHONE_TYPES, type PhoneType } from "./number-info.ts";
import type { BlockHolder, NumberingTable } from "./ports.ts";

export const NUMBERING_MAGIC = "TNDMNUMB";
export const NUMBERING_VERSION = 1;
export const PREAMBLE_BYTES = 24;
export const CHECKSUM_AT = 20;
export const E164_DIGITS_MAX = 15;

const HEADER_BYTES_MAX = 16 * 1024 * 1024;
const LINE_TYPES: readonly string[] = [...PHONE_TYPES, "Pager"];

/** One source of the table and how old its data is. */
export interface NumberingLayer {
  readonly name: string;
  /** ISO date, `2026-09-03`. */
  readonly date: string;
  readonly licence: string;
}

export interface NumberingHolder {
  readonly carrierName: string;
  readonly lineType?: PhoneType | "Pager";
  /** Index in `layers`. */
  readonly layer: number;
}

export interface NumberingHeader {
  readonly layers: readonly NumberingLayer[];
  /** The holder with id 1 comes first. */
  readonly holders: readonly NumberingHolder[];
}

export interface OpenNumberingTable extends NumberingTable {
  readonly layers: readonly NumberingLayer[];
  readonly intervalCount: number;
}

export function openNumberingTable(bytes: Uint8Array): Result<OpenNumberingTable, { readonly reason: string }> {
  if (!isLittleEndian()) return refused({ reason: "this machine is big-endian; the artefact is little-endian" });
  if (bytes.length < PREAMBLE_BYTES) {
    return refused({ reason: `truncated: ${bytes.length} bytes, fewer than the ${PREAMBLE_BYTES} of its preamble` });
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!startsWithMagic(bytes)) {
    return refused({ reason: "not a numbering artefact: the first bytes are not its magic" });
  }
  const version = view.getUint32(8, true);
  if (version !== NUMBERING_VERSION) {
    return refused({ reason: `version ${version}, but this program reads version ${NUMBERING_VERSION}` });
  }
  const headerBytes = view.getUint32(12, true);
  const intervalCount = view.getUint32(16, true);
  if (headerBytes % 8 !== 0 || headerBytes > HEADER_BYTES_MAX) {
    return refused({ reason: `corrupt: a header of ${headerBytes} bytes cannot be` });
  }
  const expectedBytes = artefactBytes(headerBytes, intervalCount);
  if (bytes.length < expectedBytes) {
    return refused({ reason: `truncated: ${bytes.length} of ${expectedBytes} bytes are there` });
  }
  if (bytes.length > expectedBytes) {
    return refused({ reason: `corrupt: ${bytes.length - expectedBytes} bytes too many` });
  }
  // A Buffer's slice() is a view, so the copy is made by the constructor.
  const aligned = bytes.byteOffset % 8 === 0 ? bytes : new Uint8Array(bytes);
  if (checksumOf(aligned) !== view.getUint32(CHECKSUM_AT, true)) {
    return refused({ reason: "corrupt: the checksum does not match" });
  }
  const header = parseHeader(aligned.subarray(PREAMBLE_BYTES, PREAMBLE_BYTES + headerBytes));
  if (!header) return refused({ reason: "corrupt: the header is not one of a numbering artefact" });

  const startsAt = aligned.byteOffset + PREAMBLE_BYTES + headerBytes;
  const starts = new Float64Array(aligned.buffer, startsAt, intervalCount);
  const holderIds = new Uint16Array(aligned.buffer, startsAt + intervalCount * 8, intervalCount);
  if (!isAscending(starts)) return refused({ reason: "corrupt: the intervals are not in order" });
  return ok(tableOver(header, starts, holderIds));
}

function tableOver(header: NumberingHeader, starts: Float64Array, holderIds: Uint16Array): OpenNumberingTable {
  const dates = header.layers.map((layer) => new Date(layer.date));
  const newest = new Date(Math.max(0, ...dates.map((date) => date.getTime())));
  const holders: (BlockHolder | undefined)[] = [undefined];
  for (const { carrierName, lineType, layer } of header.holders) {
    holders.push(Object.freeze({ carrierName, lineType, asOf: dates[layer] ?? newest }));
  }
  return {
    asOf: newest,
    layers: header.layers,
    intervalCount: starts.length,
    holderOf(number) {
      const key = keyOf(number);
      if (key === undefined) return undefined;
      const at = lastAtOrBefore(starts, key);
      return at < 0 ? undefined : holders[holderIds[at] ?? 0];
    },
  };
}

/** The digits of a number, with or without plus, padded to 15: its place in the list. */
function keyOf(number: string): number | undefined {
  const from = number.charCodeAt(0) === 0x2b ? 1 : 0;
  const digits = number.length - from;
  if (digits < 1 || digits > E164_DIGITS_MAX) return undefined;
  let key = 0;
  for (let at = from; at < number.length; at++) {
    const digit = number.charCodeAt(at) - 0x30;
    if (digit < 0 || digit > 9) return undefined;
    key = key * 10 + digit;
  }
  return key * (POWERS_OF_TEN[E164_DIGITS_MAX - digits] ?? 1);
}

export const POWERS_OF_TEN: readonly number[] = Array.from({ length: E164_DIGITS_MAX + 1 }, (_, power) => 10 ** power);

function lastAtOrBefore(starts: Float64Array, key: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] as number) <= key) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** How long an artefact with this header and that many intervals is. */
export function artefactBytes(headerBytes: number, intervalCount: number): number {
  return PREAMBLE_BYTES + headerBytes + intervalCount * 8 + Math.ceil(intervalCount / 2) * 4;
}

/**
 * FNV-1a over 32-bit words, except the checksum's own word and the magic: each step is reversible, so a single changed
 * word is always detected.
 */
export function checksumOf(aligned: Uint8Array): number {
  const words = new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.length >>> 2);
  const checksumWord = CHECKSUM_AT / 4;
  let hash = 0x811c9dc5;
  for (let at = 2; at < checksumWord; at++) hash = Math.imul(hash ^ (words[at] as number), 0x01000193);
  for (let at = checksumWord + 1; at < words.length; at++) hash = Math.imul(hash ^ (words[at] as number), 0x01000193);
  return hash >>> 0;
}

function parseHeader(bytes: Uint8Array): NumberingHeader | undefined {
  let header: unknown;
  try {
    header = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
  return isHeader(header) ? header : undefined;
}

function isHeader(value: unknown): value is NumberingHeader {
  if (!isRecord(value) || !Array.isArray(value.layers) || !Array.isArray(value.holders)) return false;
  const layerCount = value.layers.length;
  return value.layers.every(isLayer) && value.holders.every((holder: unknown) => isHolder(holder, layerCount));
}

function isLayer(value: unknown): boolean {
  return (
    isRecord(value) &&
    typeof value.name === "string" &&
    typeof value.licence === "string" &&
    typeof value.date === "string" &&
    !Number.isNaN(Date.parse(value.date))
  );
}

function isHolder(value: unknown, layerCount: number): boolean {
  return (
    isRecord(value) &&
    typeof value.carrierName === "string" &&
    (value.lineType === undefined || LINE_TYPES.includes(value.lineType as string)) &&
    Number.isInteger(value.layer) &&
    (value.layer as number) >= 0 &&
    (value.layer as number) < layerCount
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function isAscending(starts: Float64Array): boolean {
  let previous = -1;
  for (let at = 0; at < starts.length; at++) {
    const start = starts[at] as number;
    if (!(start > previous)) return false;
    previous = start;
  }
  return true;
}

function startsWithMagic(bytes: Uint8Array): boolean {
  for (let at = 0; at < NUMBERING_MAGIC.length; at++) {
    if (bytes[at] !== NUMBERING_MAGIC.charCodeAt(at)) return false;
  }
  return true;
}

function isLittleEndian(): boolean {
  return new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;
}
