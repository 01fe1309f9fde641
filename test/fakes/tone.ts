// A tone in G.711 µ-law, 8 kHz.

export function encodeUlaw(hertz: number, seconds: number): Uint8Array {
  const samples = new Uint8Array(8_000 * seconds);
  for (let at = 0; at < samples.length; at++) {
    samples[at] = ulaw(Math.round(8_000 * Math.sin((2 * Math.PI * hertz * at) / 8_000)));
  }
  return samples;
}

/** ITU-T G.711. */
function ulaw(sample: number): number {
  const sign = sample < 0 ? 0x80 : 0;
  const magnitude = Math.min(Math.abs(sample), 32_635) + 132;
  const exponent = Math.max(0, Math.floor(Math.log2(magnitude)) - 7);
  return ~(sign | (exponent << 4) | ((magnitude >> (exponent + 3)) & 0x0f)) & 0xff;
}
