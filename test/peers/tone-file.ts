// Sound files (WAV, 16 bit, mono) that telephones play and record.

import { readFileSync } from "node:fs";
import { purityOf } from "../fakes/rtp-phone.ts";

const RATE = 8000;
const HEADER = 44;

/** A minute of a tone at 8 kHz. */
export function toneFile(hz: number): Uint8Array {
  const samples = RATE * 60;
  const octets = Buffer.alloc(HEADER + samples * 2);
  octets.write("RIFF", 0);
  octets.writeUInt32LE(36 + samples * 2, 4);
  octets.write("WAVEfmt ", 8);
  octets.writeUInt32LE(16, 16);
  octets.writeUInt16LE(1, 20);
  octets.writeUInt16LE(1, 22);
  octets.writeUInt32LE(RATE, 24);
  octets.writeUInt32LE(RATE * 2, 28);
  octets.writeUInt16LE(2, 32);
  octets.writeUInt16LE(16, 34);
  octets.write("data", 36);
  octets.writeUInt32LE(samples * 2, 40);
  for (let at = 0; at < samples; at++) {
    octets.writeInt16LE(Math.round(8000 * Math.sin((2 * Math.PI * hz * at) / RATE)), HEADER + at * 2);
  }
  return octets;
}

/** The share of this frequency in the last half second of a file that is still being written; 0 where it is shorter. */
export function purityOfFile(path: string, hz: number): number {
  const octets = readFileSync(path);
  const wanted = RATE;
  const end = octets.length - (octets.length % 2);
  if (end - HEADER < wanted) return 0;
  const samples: number[] = [];
  for (let at = end - wanted; at < end; at += 2) samples.push(octets.readInt16LE(at));
  return purityOf(samples, hz);
}
