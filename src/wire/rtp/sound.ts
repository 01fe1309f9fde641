// Our own audio to a peer: a repeated tone, or speech that arrives in parts.

import { encodeSample, type Law, SILENCE } from "./g711.ts";

export interface Sound {
  /** Whether there is something to send now. */
  readonly isReady: boolean;
  readonly isOver: boolean;
  /** Writes the next `count` octets of a law to `octets`, from `start` on. */
  fill(octets: Uint8Array, start: number, count: number, law: Law): void;
}

/** Repeats octets of a law. */
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

/** The longest packet: with this many samples, or with the last part, there is something to send. */
const READY_SAMPLES = 480;

/** Samples of 16 bits at 8 kHz. When a part is late nothing is sent, so that no word is cut. */
export class SpokenSound implements Sound {
  /** Identifies the speech within its leg. */
  readonly name: number;
  readonly #wants: () => void;
  readonly #parts: Int16Array[] = [];
  #place = 0;
  /** Samples that were added but not sent. */
  #left = 0;
  /** Samples of silence after the last part; undefined while more parts may come. */
  #tail: number | undefined;

  /** `wants` is called once for each part: when it was used up, or immediately when it is shorter than a packet. */
  constructor(name: number, wants: () => void) {
    this.name = name;
    this.#wants = wants;
  }

  get isReady(): boolean {
    return this.#left >= READY_SAMPLES || this.#tail !== undefined;
  }

  get isOver(): boolean {
    return this.#left === 0 && this.#tail === 0;
  }

  add(part: Int16Array): void {
    this.#left += part.length;
    if (part.length > 0) this.#parts.push(part);
    if (part.length < READY_SAMPLES) this.#wants();
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
    this.#left--;
    if (this.#place === part.length) {
      this.#parts.shift();
      this.#place = 0;
      if (part.length >= READY_SAMPLES) this.#wants();
    }
    return encodeSample(law, sample);
  }
}
