// Listens for silence in the audio of a party: how long it lasts by the samples that came, not by the clock. Audio that
// is missing is not silence, but comfort noise is: RFC 3389, a party that sends no audio until it speaks again.

import { type Law, TO_LINEAR } from "./g711.ts";

/** Quieter on average than this, of 32,768: what Asterisk takes for silence. */
const MAGNITUDE = 256;
/** Judged at once: 20 ms, which is what most packets hold. */
const FRAME_SAMPLES = 160;
const SAMPLES_PER_MS = 8;
/** Comfort noise says at least this often that it goes on; a longer gap is missing audio. */
const NOISE_SAMPLES_MAX = 8_000;

/** `start` and `end` delimit its audio. */
interface HeardPacket {
  readonly start: number;
  readonly end: number;
  readonly timestamp: number;
}

export class SilenceListener {
  readonly #enough: number;
  #silent = 0;
  /** Of the frame that is being filled. */
  #sum = 0;
  #count = 0;
  /** The timestamp of the last packet, if that was comfort noise. */
  #noiseAt: number | undefined;

  constructor(ms: number) {
    this.#enough = ms * SAMPLES_PER_MS;
  }

  /** Whether the silence has lasted long enough. */
  hear(octets: Uint8Array, { start, end, timestamp }: HeardPacket, law: Law): boolean {
    this.#addNoise(timestamp);
    this.#noiseAt = undefined;
    const linear = TO_LINEAR[law];
    for (let at = start; at < end; at++) {
      this.#sum += Math.abs(linear[octets[at] as number] as number);
      if (++this.#count < FRAME_SAMPLES) continue;
      this.#silent = this.#sum < MAGNITUDE * FRAME_SAMPLES ? this.#silent + FRAME_SAMPLES : 0;
      this.#sum = 0;
      this.#count = 0;
      if (this.#silent >= this.#enough) return true;
    }
    return false;
  }

  hearNoise(timestamp: number): boolean {
    this.#addNoise(timestamp);
    this.#noiseAt = timestamp;
    return this.#silent >= this.#enough;
  }

  #addNoise(timestamp: number): void {
    if (this.#noiseAt === undefined) return;
    // RFC 3550 5.1: timestamps wrap around at 32 bits.
    const samples = (timestamp - this.#noiseAt) | 0;
    if (samples > 0 && samples <= NOISE_SAMPLES_MAX) this.#silent += samples;
  }
}
