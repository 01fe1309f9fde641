// Ringing and busy tones for a caller: each country's tones (ITU-T E.180 and its list of national tones), and those of
// North America for countries that are not listed.

import { encodeSample, type Law, SILENCE } from "./g711.ts";

/** Simultaneous frequencies, and the cadence: milliseconds of tone and silence alternately. */
interface Tone {
  readonly hz: readonly number[];
  readonly cadenceMs: readonly number[];
}

const even = (hz: number, ms: number): Tone => ({ hz: [hz], cadenceMs: [ms, ms] });

const ONE_FOUR: Tone = { hz: [425], cadenceMs: [1000, 4000] };
const BRITISH: Tone = { hz: [400, 450], cadenceMs: [400, 200, 400, 2000] };

/** A modulated tone is given by the two frequencies that the modulation produces. */
const RINGING: Readonly<Record<string, Tone>> = {
  AR: { hz: [425], cadenceMs: [1000, 4500] },
  AT: { hz: [420], cadenceMs: [1000, 5000] },
  AU: { hz: [413, 438], cadenceMs: [400, 200, 400, 2000] },
  BE: { hz: [425], cadenceMs: [1000, 3000] },
  BR: ONE_FOUR,
  CH: ONE_FOUR,
  CL: { hz: [400], cadenceMs: [1000, 3000] },
  CN: { hz: [450], cadenceMs: [1000, 4000] },
  CZ: ONE_FOUR,
  DE: ONE_FOUR,
  DK: ONE_FOUR,
  ES: { hz: [425], cadenceMs: [1500, 3000] },
  FI: ONE_FOUR,
  FR: { hz: [440], cadenceMs: [1500, 3500] },
  GB: BRITISH,
  GR: ONE_FOUR,
  HK: { hz: [440, 480], cadenceMs: [400, 200, 400, 3000] },
  HU: { hz: [425], cadenceMs: [1250, 3750] },
  IE: BRITISH,
  IL: { hz: [400], cadenceMs: [1000, 3000] },
  IN: { hz: [375, 425], cadenceMs: [400, 200, 400, 2000] },
  IT: ONE_FOUR,
  JP: { hz: [384, 416], cadenceMs: [1000, 2000] },
  KR: { hz: [440, 480], cadenceMs: [1000, 2000] },
  MX: ONE_FOUR,
  NL: ONE_FOUR,
  NO: ONE_FOUR,
  NZ: BRITISH,
  PL: ONE_FOUR,
  PT: { hz: [425], cadenceMs: [1000, 5000] },
  RU: { hz: [425], cadenceMs: [800, 3200] },
  SE: { hz: [425], cadenceMs: [1000, 5000] },
  SG: { hz: [401, 449], cadenceMs: [400, 200, 400, 2000] },
  TR: { hz: [450], cadenceMs: [2000, 4000] },
  TW: { hz: [440, 480], cadenceMs: [1000, 2000] },
  US: { hz: [440, 480], cadenceMs: [2000, 4000] },
  ZA: { hz: [367, 433], cadenceMs: [400, 200, 400, 2000] },
};

const AMERICAN_BUSY: Tone = { hz: [480, 620], cadenceMs: [500, 500] };

const BUSY: Readonly<Record<string, Tone>> = {
  AR: { hz: [425], cadenceMs: [300, 200] },
  AT: even(420, 400),
  AU: even(425, 375),
  BE: even(425, 500),
  BR: even(425, 250),
  CH: even(425, 500),
  CL: even(400, 500),
  CN: even(450, 350),
  CZ: even(425, 330),
  DE: even(425, 480),
  DK: even(425, 500),
  ES: even(425, 200),
  FI: even(425, 300),
  FR: even(440, 500),
  GB: even(400, 375),
  GR: even(425, 300),
  HK: AMERICAN_BUSY,
  HU: even(425, 300),
  IE: even(425, 500),
  IL: even(400, 500),
  IN: even(400, 750),
  IT: even(425, 500),
  JP: even(400, 500),
  KR: AMERICAN_BUSY,
  MX: even(425, 250),
  NL: even(425, 500),
  NO: even(425, 500),
  NZ: even(400, 500),
  PL: even(425, 500),
  PT: even(425, 500),
  RU: even(425, 350),
  SE: even(425, 250),
  SG: even(425, 750),
  TR: even(450, 500),
  TW: AMERICAN_BUSY,
  US: AMERICAN_BUSY,
  ZA: even(400, 500),
};

const TONES = { ringback: RINGING, busy: BUSY } as const;

/** About -19 dBm0 for each frequency. */
const AMPLITUDE = 2600;

const made = new Map<string, Uint8Array>();

/** One period of the country's tone, to be repeated. Computed once for each tone and law. */
export function toneOf(kind: keyof typeof TONES, country: string | undefined, law: Law): Uint8Array {
  const code = country !== undefined && Object.hasOwn(TONES[kind], country) ? country : "US";
  const key = `${kind} ${code} ${law}`;
  const known = made.get(key);
  if (known) return known;
  const period = makePeriod(TONES[kind][code] as Tone, law);
  made.set(key, period);
  return period;
}

function makePeriod({ hz, cadenceMs }: Tone, law: Law): Uint8Array {
  const parts = cadenceMs.map((ms, index) => {
    const part = new Uint8Array(ms * 8).fill(SILENCE[law]);
    return index % 2 === 0 ? part.map((_, at) => encodeSample(law, sampleAt(hz, at))) : part;
  });
  const period = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let place = 0;
  for (const part of parts) {
    period.set(part, place);
    place += part.length;
  }
  return period;
}

function sampleAt(hz: readonly number[], at: number): number {
  return hz.reduce((sum, frequency) => sum + AMPLITUDE * Math.sin((2 * Math.PI * frequency * at) / 8000), 0);
}

/** RFC 3389: one second of white noise at a level (in -dBov, as in comfort noise packets), to be repeated. */
export function comfortNoise(level: number, law: Law): Uint8Array {
  const bounded = Math.max(30, Math.min(90, Math.round(level / 5) * 5));
  const key = `noise ${bounded} ${law}`;
  const known = made.get(key);
  if (known) return known;
  const amplitude = 32_768 * 10 ** (-bounded / 20) * Math.sqrt(3);
  // A linear congruential generator: noise needs no better randomness, and may be the same every time.
  let state = 1;
  const noise = new Uint8Array(8000).map(() => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return encodeSample(law, amplitude * ((state >>> 8) / 0x800000 - 1));
  });
  made.set(key, noise);
  return noise;
}
