// The sound of one stream as 16-bit linear samples, little-endian, at 8 or 16 kHz: for programs that want neither JSON
// nor µ-law.

import type { LinearRate } from "../../domain/voice/index.ts";
import { RateDoubler, RateHalver } from "../../wire/audio/stream-rate.ts";
import { encodeSample, TO_LINEAR } from "../../wire/rtp/g711.ts";

const SAMPLE_OCTETS = 2;

export class LinearSound {
  readonly #doubler: RateDoubler | undefined;
  readonly #halver: RateHalver | undefined;

  constructor(rate: LinearRate) {
    if (rate === 8_000) return;
    this.#doubler = new RateDoubler();
    this.#halver = new RateHalver();
  }

  /** From µ-law at 8 kHz. */
  written(octets: Uint8Array): Uint8Array {
    const narrow = Int16Array.from(octets, (octet) => TO_LINEAR.PCMU[octet] as number);
    const samples = this.#doubler?.take(narrow) ?? narrow;
    const frame = new Uint8Array(samples.length * SAMPLE_OCTETS);
    const view = new DataView(frame.buffer);
    samples.forEach((sample, at) => {
      view.setInt16(at * SAMPLE_OCTETS, sample, true);
    });
    return frame;
  }

  /** To µ-law at 8 kHz; undefined for half a sample. */
  read(frame: Uint8Array): Uint8Array | undefined {
    if (frame.length % SAMPLE_OCTETS !== 0) return undefined;
    const view = new DataView(frame.buffer, frame.byteOffset, frame.length);
    const samples = Int16Array.from({ length: frame.length / SAMPLE_OCTETS }, (_, at) =>
      view.getInt16(at * SAMPLE_OCTETS, true),
    );
    const narrow = this.#halver?.take(samples) ?? samples;
    return Uint8Array.from(narrow, (sample) => encodeSample("PCMU", sample));
  }
}
