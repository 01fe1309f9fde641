// Two people who speak in turn, as a raw segment: voiced and unvoiced syllables with changing pitch and formants. Tones
// would be encoded faster than speech.

import { encodeSample } from "../../src/wire/rtp/g711.ts";

const RATE = 8_000;
const TURN_SECONDS = 4;
const SYLLABLE_SECONDS = 0.18;
const HARMONICS = 24;

export function conversation(seconds: number): Uint8Array {
  const octets = new Uint8Array(seconds * RATE * 2);
  let seed = 1;
  const chance = () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return seed / 2 ** 32;
  };
  let phase = 0;
  let syllable = newSyllable(chance);
  for (let at = 0; at < seconds * RATE; at++) {
    const inSyllable = (at / RATE) % SYLLABLE_SECONDS;
    if (at % Math.round(SYLLABLE_SECONDS * RATE) === 0) syllable = newSyllable(chance);
    phase += (2 * Math.PI * syllable.pitchHz) / RATE;
    const envelope = Math.sin((Math.PI * inSyllable) / SYLLABLE_SECONDS);
    const sample = envelope * (syllable.isVoiced ? voiced(phase, syllable) : 3_000 * (chance() - 0.5));
    const speaker = Math.floor(at / RATE / TURN_SECONDS) % 2;
    const noise = 60 * (chance() - 0.5);
    octets[at * 2 + speaker] = encodeSample("PCMU", sample);
    octets[at * 2 + 1 - speaker] = encodeSample("PCMU", noise);
  }
  return octets;
}

interface Syllable {
  readonly pitchHz: number;
  readonly formantsHz: readonly number[];
  readonly isVoiced: boolean;
}

function newSyllable(chance: () => number): Syllable {
  const formantsHz = [300 + 500 * chance(), 900 + 1_200 * chance(), 2_300 + 700 * chance()];
  return { pitchHz: 100 + 120 * chance(), formantsHz, isVoiced: chance() < 0.75 };
}

function voiced(phase: number, { pitchHz, formantsHz }: Syllable): number {
  let sum = 0;
  for (let harmonic = 1; harmonic <= HARMONICS && harmonic * pitchHz < RATE / 2; harmonic++) {
    const hz = harmonic * pitchHz;
    const gain = formantsHz.reduce((most, formant) => Math.max(most, 1 / (1 + ((hz - formant) / 120) ** 2)), 0.02);
    sum += gain * Math.sin(harmonic * phase);
  }
  return 2_500 * sum;
}
