// G.711 decoder: octets to samples, by the formulas of the standard, to check the product's tables.

import type { Law } from "../../src/wire/rtp/g711.ts";

export function decodeSample(law: Law, octet: number): number {
  const bits = law === "PCMU" ? ~octet & 0xff : octet ^ 0x55;
  const exponent = (bits >> 4) & 7;
  const mantissa = bits & 0x0f;
  if (law === "PCMU") {
    const magnitude = (((mantissa << 3) + 132) << exponent) - 132;
    return bits > 127 ? 0 - magnitude : magnitude;
  }
  const magnitude = exponent === 0 ? (mantissa << 4) + 8 : ((mantissa << 4) + 264) << (exponent - 1);
  return bits > 127 ? magnitude : -magnitude;
}
