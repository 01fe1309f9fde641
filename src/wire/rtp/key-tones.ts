// DTMF: keys as tones in the audio (ITU-T Q.23, Q.24). Detects two simultaneous frequencies by Goertzel's algorithm in
// windows of 16 ms every 8 ms. A key is reported once, after 32 ms of a clean pair; speech is never that clean for that
// long.

import { decodeSample, type Law } from "./g711.ts";

const ROWS = [697, 770, 852, 941] as const;
const COLUMNS = [1209, 1336, 1477, 1633] as const;
const KEYS = "123A456B789C*0#D";
const WINDOW = 128;
const STEP = 64;
/** This many equal windows in a row begin or end a key. */
const WINDOWS_MIN = 3;
/** The minimum amplitude of each frequency, about -36 dBm0. */
const AMPLITUDE_MIN = 350;
const POWER_MIN = (WINDOW * AMPLITUDE_MIN ** 2) / 2;
/** The maximum ratio of the powers of the two frequencies: 10 dB. */
const TWIST_MAX = 10;
/** The minimum share of the two frequencies in the window's energy. */
const SHARE_MIN = 0.65;
/** The maximum power of any other frequency in the same group, relative to the strongest. */
const RIVAL_MAX = 0.25;

const COEFFICIENTS = [...ROWS, ...COLUMNS].map((hz) => 2 * Math.cos((2 * Math.PI * hz) / 8000));

/** The two frequencies of a key; empty if it is not a key. */
export function keyFrequencies(key: string): readonly number[] {
  const place = key.length === 1 ? KEYS.indexOf(key) : -1;
  return [ROWS[place >> 2], COLUMNS[place & 3]].flatMap((hz) => (place < 0 || hz === undefined ? [] : [hz]));
}

export class KeyTones {
  readonly #window = new Float64Array(WINDOW);
  readonly #powers = new Float64Array(COEFFICIENTS.length);
  #place = 0;
  #seen: string | undefined;
  #windows = 0;
  #held: string | undefined;

  /** The key whose detection these octets complete. */
  hear(octets: Uint8Array, start: number, end: number, law: Law): string | undefined {
    let pressed: string | undefined;
    for (let at = start; at < end; at++) {
      this.#window[this.#place++] = decodeSample(law, octets[at] as number);
      if (this.#place < WINDOW) continue;
      pressed ??= this.#step();
      this.#window.copyWithin(0, STEP);
      this.#place = WINDOW - STEP;
    }
    return pressed;
  }

  #step(): string | undefined {
    const key = this.#keyInWindow();
    this.#windows = key === this.#seen ? this.#windows + 1 : 1;
    this.#seen = key;
    if (this.#windows < WINDOWS_MIN || key === this.#held) return undefined;
    this.#held = key;
    return key;
  }

  #keyInWindow(): string | undefined {
    let energy = 0;
    for (let at = 0; at < WINDOW; at++) energy += (this.#window[at] as number) ** 2;
    if (energy < 2 * POWER_MIN) return undefined;
    for (let at = 0; at < COEFFICIENTS.length; at++) this.#powers[at] = this.#powerOf(COEFFICIENTS[at] as number);
    const row = strongest(this.#powers, 0, ROWS.length);
    const column = strongest(this.#powers, ROWS.length, COEFFICIENTS.length);
    if (row === undefined || column === undefined) return undefined;
    const rowPower = this.#powers[row] as number;
    const columnPower = this.#powers[column] as number;
    if (rowPower > TWIST_MAX * columnPower || columnPower > TWIST_MAX * rowPower) return undefined;
    if (rowPower + columnPower < SHARE_MIN * energy) return undefined;
    return KEYS[row * COLUMNS.length + column - ROWS.length];
  }

  /** The energy of the window at one frequency. */
  #powerOf(coefficient: number): number {
    let before = 0;
    let beforeThat = 0;
    const window = this.#window;
    for (let at = 0; at < WINDOW; at++) {
      const now = (window[at] as number) + coefficient * before - beforeThat;
      beforeThat = before;
      before = now;
    }
    return (2 * (before * before + beforeThat * beforeThat - coefficient * before * beforeThat)) / WINDOW;
  }
}

/** The index of the frequency that stands out in its group. */
function strongest(powers: Float64Array, start: number, end: number): number | undefined {
  let best = start;
  for (let at = start; at < end; at++) if ((powers[at] as number) > (powers[best] as number)) best = at;
  const power = powers[best] as number;
  if (power < POWER_MIN) return undefined;
  for (let at = start; at < end; at++) if (at !== best && (powers[at] as number) > RIVAL_MAX * power) return undefined;
  return best;
}
