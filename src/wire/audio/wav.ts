// Reads WAV files as speech engines and telephone systems write them: 16-bit PCM or G.711 with one channel or more.
// Reading is total. A length beyond the end of the file, left open by a program that could not know it in advance, is
// reduced to the octets that exist.

import { ok, type Result, refused } from "../../base/result.ts";
import { type Law, TO_LINEAR } from "../rtp/g711.ts";

export interface Recorded {
  readonly rate: number;
  /** One channel. */
  readonly samples: Int16Array;
}

const PCM = 1;
const LAWS: ReadonlyMap<number, Law> = new Map([
  [6, "PCMA"],
  [7, "PCMU"],
]);
/** The format is in the first two octets of the subformat identifier. */
const EXTENSIBLE = 0xfffe;
const RATE_MIN = 4_000;
const RATE_MAX = 192_000;

interface Format {
  readonly channels: number;
  readonly rate: number;
  readonly law: Law | undefined;
}

export function readWav(octets: Uint8Array): Result<Recorded, string> {
  const view = new DataView(octets.buffer, octets.byteOffset, octets.byteLength);
  if (octets.length < 12 || nameAt(octets, 0) !== "RIFF" || nameAt(octets, 8) !== "WAVE")
    return refused("it is no WAV");
  let format: Format | undefined;
  for (let place = 12; place + 8 <= octets.length; ) {
    const start = place + 8;
    const length = Math.min(view.getUint32(place + 4, true), octets.length - start);
    const name = nameAt(octets, place);
    if (name === "fmt ") {
      format = formatAt(view, start, length);
      if (!format) return refused("it is neither 16 bit PCM nor G.711");
    }
    if (name === "data") return format ? ok(readSamples(view, start, length, format)) : refused("it has no format");
    place = start + length + (length % 2);
  }
  return refused("it has no sound");
}

function formatAt(view: DataView, start: number, length: number): Format | undefined {
  if (length < 16) return undefined;
  const tag = view.getUint16(start, true);
  const law = LAWS.get(tag);
  const isPcm = tag === PCM || (tag === EXTENSIBLE && length >= 26 && view.getUint16(start + 24, true) === PCM);
  const channels = view.getUint16(start + 2, true);
  const rate = view.getUint32(start + 4, true);
  const isUsable = law || (isPcm && view.getUint16(start + 14, true) === 16);
  const isBounded = channels > 0 && channels <= 8 && rate >= RATE_MIN && rate <= RATE_MAX;
  return isUsable && isBounded ? { channels, rate, law } : undefined;
}

/** Reads the first channel. */
function readSamples(view: DataView, start: number, length: number, { channels, rate, law }: Format): Recorded {
  const linear = law && TO_LINEAR[law];
  const step = channels * (linear ? 1 : 2);
  const samples = new Int16Array(Math.floor(length / step));
  for (let at = 0; at < samples.length; at++) {
    const place = start + at * step;
    samples[at] = linear ? (linear[view.getUint8(place)] as number) : view.getInt16(place, true);
  }
  return { rate, samples };
}

function nameAt(octets: Uint8Array, place: number): string {
  return String.fromCharCode(...octets.subarray(place, place + 4));
}
