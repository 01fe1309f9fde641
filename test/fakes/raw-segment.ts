// Raw segments of recordings as the recorder writes them: mu-law octets of two channels, alternating.

import { encodeSample } from "../../src/wire/rtp/g711.ts";

/** A tone on each channel. */
export function rawTones(samples: number, leftHz: number, rightHz: number): Uint8Array {
  const octets = new Uint8Array(samples * 2);
  for (let at = 0; at < samples; at++) {
    octets[at * 2] = encodeSample("PCMU", 8_000 * Math.sin((2 * Math.PI * leftHz * at) / 8_000));
    octets[at * 2 + 1] = encodeSample("PCMU", 8_000 * Math.sin((2 * Math.PI * rightHz * at) / 8_000));
  }
  return octets;
}
