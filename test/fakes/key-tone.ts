// Keys as tones in the audio (ITU-T Q.23), with silence around them and noise added.

import { encodeSample, type Law } from "../../src/wire/rtp/g711.ts";

const ROWS = [697, 770, 852, 941];
const COLUMNS = [1209, 1336, 1477, 1633];
export const TONE_KEYS = "123A456B789C*0#D";

export interface ToneOrder {
  readonly toneMs?: number;
  readonly pauseMs?: number;
  readonly amplitude?: number;
  /** Factor by which the higher frequency is louder. */
  readonly twist?: number;
  /** Relative error of both frequencies. */
  readonly offBy?: number;
  readonly noise?: number;
}

export function keyTones(keys: string, law: Law, order: ToneOrder = {}): Uint8Array {
  const { toneMs = 100, pauseMs = 100, amplitude = 6000, twist = 1, offBy = 0, noise = 0 } = order;
  const samples: number[] = [];
  let chance = 1;
  const push = (sample: number) => {
    chance = (Math.imul(chance, 1_103_515_245) + 12_345) >>> 0;
    samples.push(sample + noise * ((chance >>> 8) / 0x800000 - 1));
  };
  const pause = () => {
    for (let at = 0; at < pauseMs * 8; at++) push(0);
  };
  pause();
  for (const key of keys) {
    const place = TONE_KEYS.indexOf(key);
    const row = (ROWS[place >> 2] ?? 0) * (1 + offBy);
    const column = (COLUMNS[place & 3] ?? 0) * (1 + offBy);
    for (let at = 0; at < toneMs * 8; at++) {
      const angle = (2 * Math.PI * at) / 8000;
      push(amplitude * (Math.sin(row * angle) + twist * Math.sin(column * angle)));
    }
    pause();
  }
  return Uint8Array.from(samples, (sample) => encodeSample(law, sample));
}
