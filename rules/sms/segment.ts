// Splits a text into SMS segments: 160 septets or 70 UCS-2 units in a single segment, 153 or 67 in each of several,
// which need a concatenation header.
//
// Never splits a surrogate pair, an escape sequence or, in UCS-2, a grapheme cluster; a cluster longer than a segment
// is split between its code points. Counts agree with Twilio's calculator for every text whose clusters have at most 32
// units.

import { clusterEnd } from "./graphemes.ts";
import { countSeptets, septetsOfUnit } from "./gsm7.ts";
import { smartEncode } from "./smart-encoding.ts";

export type SmsEncoding = "GSM7" | "UCS2";

export interface SegmentOptions {
  /** Replaces typographic characters if the text then fits GSM-7. */
  readonly smartEncoding?: boolean;
  /** Size of the concatenation reference. 16 bits take one more octet: 152 septets or 66 units a part. */
  readonly referenceBits?: 8 | 16;
}

export interface SegmentedText {
  readonly encoding: SmsEncoding;
  /** The text as it is sent: the segments joined. */
  readonly text: string;
  /** At least one, even for an empty text. */
  readonly segments: readonly string[];
  /** Septets or UCS-2 units of the whole text, without headers. */
  readonly units: number;
}

const UNITS_MAX = {
  GSM7: { single: 160, part8: 153, part16: 152 },
  UCS2: { single: 70, part8: 67, part16: 66 },
} as const;

export function segmentText(text: string, options: SegmentOptions = {}): SegmentedText {
  const sent = options.smartEncoding ? smartEncode(text) : text;
  const segments: string[] = [];
  let start = 0;
  const { encoding, units } = cut(sent, options, (end) => {
    segments.push(sent.slice(start, end));
    start = end;
  });
  return { encoding, text: sent, segments, units };
}

export interface SegmentCount extends Pick<SegmentedText, "encoding" | "units"> {
  readonly count: number;
  /** How many units fit into this number of segments. */
  readonly unitsMax: number;
}

/** The same count without creating the segments. */
export function countSegments(text: string, options: SegmentOptions = {}): SegmentCount {
  let count = 0;
  const { encoding, units } = cut(options.smartEncoding ? smartEncode(text) : text, options, () => {
    count++;
  });
  return {
    encoding,
    count,
    units,
    unitsMax: count === 1 ? UNITS_MAX[encoding].single : count * partMax(encoding, options),
  };
}

function partMax(encoding: SmsEncoding, { referenceBits = 8 }: SegmentOptions): number {
  return referenceBits === 8 ? UNITS_MAX[encoding].part8 : UNITS_MAX[encoding].part16;
}

/** Calls `onSegment` with the end of each segment, in order. */
function cut(text: string, options: SegmentOptions, onSegment: (end: number) => void) {
  const septets = countSeptets(text);
  const encoding: SmsEncoding = septets < 0 ? "UCS2" : "GSM7";
  const units = septets < 0 ? text.length : septets;
  if (units <= UNITS_MAX[encoding].single) onSegment(text.length);
  else if (encoding === "GSM7") cutSeptets(text, partMax(encoding, options), onSegment);
  else cutClusters(text, partMax(encoding, options), onSegment);
  return { encoding, units };
}

function cutSeptets(text: string, unitsMax: number, onSegment: (end: number) => void): void {
  let used = 0;
  for (let at = 0; at < text.length; at++) {
    const width = septetsOfUnit(text.charCodeAt(at));
    if (used + width > unitsMax) {
      onSegment(at);
      used = 0;
    }
    used += width;
  }
  onSegment(text.length);
}

function cutClusters(text: string, unitsMax: number, onSegment: (end: number) => void): void {
  let start = 0;
  let at = 0;
  while (at < text.length) {
    const end = clusterEnd(text, at);
    if (end - start > unitsMax && at > start) {
      onSegment(at);
      start = at;
    }
    while (end - start > unitsMax) {
      start += unitsMax - (isPairAcross(text, start + unitsMax) ? 1 : 0);
      onSegment(start);
    }
    at = end;
  }
  onSegment(text.length);
}

function isPairAcross(text: string, at: number): boolean {
  return (text.codePointAt(at - 1) as number) > 0xffff;
}
