// Reads WAV files as speech engines write them: 16-bit PCM with one channel or more. Reading is total. A length beyond
// the end of the file, left open by a program that could not know it in advance, is reduced to the octets that exist.

import { ok, type Result, refused } from "../../base/result.ts";

export interface Recorded {
  readonly rate: number;
  /** One channel. */
  readonly samples: Int16Array;
}

const PCM = 1;
/** The format is in the first two octets of the subformat identifier. */
const EXTENSIBLE = 0xfffe;
const RATE_MIN = 4_000;
const RATE_MAX = 192_000;

interface Format {
  readonly channels: number;
  readonly rate: number;
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
      if (!format) return refused("it is not 16 bit PCM");
    }
    if (name === "data") return format ? ok(readSamples(view, start, length, format)) : refused("it has no format");
    place = start + length + (length % 2);
  }
  return refused("it has no sound");
}

function formatAt(view: DataView, start: number, length: number): Format | undefined {
  if (length < 16) return undefined;
  const tag = view.getUint16(start, true);
  const isPcm = tag === PCM || (tag === EXTENSIBLE && length >= 26 && view.getUint16(start + 24, true) === PCM);
  const channels = view.getUint16(start + 2, true);
  const rate = view.getUint32(start + 4, true);
  const isUsable = isPcm && view.getUint16(start + 14, true) === 16 && channels > 0 && channels <= 8;
  return isUsable && rate >= RATE_MIN && rate <= RATE_MAX ? { channels, rate } : undefined;
}

/** Reads the first channel. */
function readSamples(view: DataView, start: number, length: number, { channels, rate }: Format): Recorded {
  const samples = new Int16Array(Math.floor(length / (2 * channels)));
  for (let at = 0; at < samples.length; at++) samples[at] = view.getInt16(start + at * 2 * channels, true);
  return { rate, samples };
}

function nameAt(octets: Uint8Array, place: number): string {
  return String.fromCharCode(...octets.subarray(place, place + 4));
}
