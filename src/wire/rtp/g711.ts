// ITU-T G.711: PCMU and PCMA. All conversions use tables that are computed once: from each law to 16-bit linear, from
// linear to each law, and from each law to the other.

export type Law = "PCMU" | "PCMA";

/** The octet for silence in each law. */
export const SILENCE: Readonly<Record<Law, number>> = { PCMU: 0xff, PCMA: 0xd5 };

function linearOfUlaw(octet: number): number {
  const bits = ~octet & 0xff;
  const magnitude = ((((bits & 0x0f) << 3) + 0x84) << ((bits & 0x70) >> 4)) - 0x84;
  return (bits & 0x80) === 0 ? magnitude : -magnitude;
}

function linearOfAlaw(octet: number): number {
  const bits = octet ^ 0x55;
  const segment = (bits & 0x70) >> 4;
  const step = ((bits & 0x0f) << 4) + 8;
  const magnitude = segment === 0 ? step : (step + 0x100) << (segment - 1);
  return (bits & 0x80) === 0 ? -magnitude : magnitude;
}

export const TO_LINEAR: Readonly<Record<Law, Int16Array>> = {
  PCMU: Int16Array.from({ length: 256 }, (_, octet) => linearOfUlaw(octet)),
  PCMA: Int16Array.from({ length: 256 }, (_, octet) => linearOfAlaw(octet)),
};

/** By the 16-bit sample plus 32,768. */
export const FROM_LINEAR: Readonly<Record<Law, Uint8Array>> = { PCMU: nearest("PCMU"), PCMA: nearest("PCMA") };

const ACROSS: Readonly<Record<Law, Uint8Array>> = {
  PCMU: Uint8Array.from(TO_LINEAR.PCMU, (sample) => encodeSample("PCMA", sample)),
  PCMA: Uint8Array.from(TO_LINEAR.PCMA, (sample) => encodeSample("PCMU", sample)),
};

/** For every 16-bit sample, the octet with the nearest value. */
function nearest(law: Law): Uint8Array {
  const samples = [...TO_LINEAR[law]].map((sample, octet) => ({ sample, octet })).sort((a, b) => a.sample - b.sample);
  const table = new Uint8Array(65_536);
  let [from, below] = [-32_768, Number.POSITIVE_INFINITY];
  for (const { sample, octet } of samples) {
    // An octet covers the samples from the midpoint to its lower neighbour on. Of two octets for zero, the second wins.
    if (sample > below) from = Math.ceil((below + sample) / 2);
    table.fill(octet, from + 32_768);
    below = sample;
  }
  return table;
}

export function encodeSample(law: Law, sample: number): number {
  const bounded = Math.max(-32_768, Math.min(32_767, Math.round(sample)));
  return FROM_LINEAR[law][bounded + 32_768] as number;
}

const SAME = Uint8Array.from({ length: 256 }, (_, octet) => octet);

/** Maps each octet of `law` to PCMU. */
export function toUlaw(law: Law): Uint8Array {
  return law === "PCMU" ? SAME : ACROSS.PCMA;
}

export function decodeSample(law: Law, octet: number): number {
  return TO_LINEAR[law][octet] as number;
}

/** Converts samples of `law` to the other law, in place. */
export function transcode(law: Law, octets: Uint8Array, start: number, end: number): void {
  const table = ACROSS[law];
  for (let place = start; place < end; place++) octets[place] = table[octets[place] as number] as number;
}
