// Builds the bytes of the artefact from a folder of sources.

import { encodeTable } from "./encode-table.ts";
import { paintIntervals } from "./paint-intervals.ts";
import { type LayerCount, readSources } from "./read-sources.ts";

export interface BuiltTable {
  readonly bytes: Uint8Array;
  readonly counts: readonly LayerCount[];
  readonly intervalCount: number;
  readonly holderCount: number;
}

export function buildTable(sourcesFolder: string): BuiltTable {
  const { header, prefixes, counts } = readSources(sourcesFolder);
  const intervals = paintIntervals(prefixes);
  return {
    bytes: encodeTable(header, intervals),
    counts,
    intervalCount: intervals.starts.length,
    holderCount: header.holders.length,
  };
}
