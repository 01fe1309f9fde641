// Writes the artefact that openNumberingTable reads; the layout is described there.

import {
  artefactBytes,
  CHECKSUM_AT,
  checksumOf,
  NUMBERING_MAGIC,
  NUMBERING_VERSION,
  type NumberingHeader,
  PREAMBLE_BYTES,
} from "../src/domain/lookup/numbering-table.ts";
import type { Intervals } from "./paint-intervals.ts";

export function encodeTable(header: NumberingHeader, intervals: Intervals): Uint8Array {
  const json = new TextEncoder().encode(JSON.stringify(header));
  const headerBytes = Math.ceil(json.length / 8) * 8;
  const intervalCount = intervals.starts.length;
  const bytes = new Uint8Array(artefactBytes(headerBytes, intervalCount));
  const view = new DataView(bytes.buffer);
  bytes.set(new TextEncoder().encode(NUMBERING_MAGIC));
  view.setUint32(8, NUMBERING_VERSION, true);
  view.setUint32(12, headerBytes, true);
  view.setUint32(16, intervalCount, true);
  bytes.fill(0x20, PREAMBLE_BYTES, PREAMBLE_BYTES + headerBytes);
  bytes.set(json, PREAMBLE_BYTES);
  const startsAt = PREAMBLE_BYTES + headerBytes;
  const holdersAt = startsAt + intervalCount * 8;
  for (let at = 0; at < intervalCount; at++) {
    view.setFloat64(startsAt + at * 8, intervals.starts[at] ?? 0, true);
    view.setUint16(holdersAt + at * 2, intervals.holders[at] ?? 0, true);
  }
  view.setUint32(CHECKSUM_AT, checksumOf(bytes), true);
  return bytes;
}
