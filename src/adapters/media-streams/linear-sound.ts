// The sound of one stream as 16-bit linear samples, little-endian, at 8 or 16 kHz: for programs that want neither JSON
// nor µ-law. Everything else waits while a frame of megabytes is read: the loops are plain for that reason.

import type { LinearRate } from "../../domain/voice/index.ts";
import { RateDoubler, RateHalver } from "../../wire/audio/stream-rate.ts";
import { FROM_LINEAR, TO_LINEAR } from "../../wire/rtp/g711.ts";

const SAMPLE_OCTETS = 2;
const { PCMU: FROM_ULAW } = TO_LINEAR;
const { PCMU: TO_ULAW } = FROM_LINEAR;
/** Where the sample 0 is in the table of all samples. */
const MIDDLE = 32_768;

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
    const narrow = new Int16Array(octets.length);
    for (let at = 0; at < narrow.length; at++) narrow[at] = FROM_ULAW[octets[at] as number] as number;
    const samples = this.#doubler?.take(narrow) ?? narrow;
    const frame = new Uint8Array(samples.length * SAMPLE_OCTETS);
    const view = new DataView(frame.buffer);
    for (let at = 0; at < samples.length; at++) view.setInt16(at * SAMPLE_OCTETS, samples[at] as number, true);
    return frame;
  }

  /** To µ-law at 8 kHz; undefined for half a sample. */
  read(frame: Uint8Array): Uint8Array | undefined {
    if (frame.length % SAMPLE_OCTETS !== 0) return undefined;
    const view = new DataView(frame.buffer, frame.byteOffset, frame.length);
    const samples = new Int16Array(frame.length / SAMPLE_OCTETS);
    for (let at = 0; at < samples.length; at++) samples[at] = view.getInt16(at * SAMPLE_OCTETS, true);
    const narrow = this.#halver?.take(samples) ?? samples;
    const octets = new Uint8Array(narrow.length);
    for (let at = 0; at < octets.length; at++) octets[at] = TO_ULAW[(narrow[at] as number) + MIDDLE] as number;
    return octets;
  }
}
