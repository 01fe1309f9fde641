// What a peer hears of our own: a tone that is repeated, or speech that comes in parts.

import { encodeSample, type Law, SILENCE } from "./g711.ts";

export interface Sound {
  /** Whether there is something to send now. */
  readonly isReady: boolean;
  readonly isOver: boolean;
  /** Writes the next `count` octets of a law to `octets`, from `start` on. */
  fill(octets: Uint8Array, start: number, count: number, law: Law): void;
}

/** Octets of a law, again and again. */
export class RepeatedSound implements Sound {
  readonly isReady = true;
  readonly isOver = false;
  readonly #samples: Uint8Array;
  #place = 0;

  constructor(samples: Uint8Array) {
    this.#samples = samples;
  }

  fill(octets: Uint8Array, start: number, count: number): void {
    for (let at = 0; at < count; at++) {
      octets[start + at] = this.#samples[this.#place] as number;
      this.#place = (this.#place + 1) % this.#samples.length;
    }
  }
}

/** Samples of 16 bits at 8 kHz. Nothing is sent before the first part; where a later one is late there is silence. */
export class SpokenSound implements Sound {
  /** Which of the leg's speeches it is. */
  readonly name: number;
  readonly #wants: () => void;
  readonly #parts: Int16Array[] = [];
  #place = 0;
  #hasBegun = false;
  /** Samples of silence after the last part; undefined while more parts may come. */
  #tail: number | undefined;

  /** `wants` is called whenever a part has been used up. */
  constructor(name: number, wants: () => void) {
    this.name = name;
    this.#wants = wants;
  }

  get isReady(): boolean {
    return this.#hasBegun || this.#tail !== undefined;
  }

  get isOver(): boolean {
    return this.#parts.length === 0 && this.#tail === 0;
  }

  add(part: Int16Array): void {
    this.#hasBegun = true;
    if (part.length > 0) this.#parts.push(part);
    else this.#wants();
  }

  finish(tailMs: number): void {
    this.#tail = Math.max(0, Math.round(tailMs * 8));
  }

  fill(octets: Uint8Array, start: number, count: number, law: Law): void {
    for (let at = 0; at < count; at++) octets[start + at] = this.#next(law);
  }

  #next(law: Law): number {
    const part = this.#parts[0];
    if (!part) {
      if (this.#tail) this.#tail--;
      return SILENCE[law];
    }
    const sample = part[this.#place++] as number;
    if (this.#place === part.length) {
      this.#parts.shift();
      this.#place = 0;
      this.#wants();
    }
    return encodeSample(law, sample);
  }
}
