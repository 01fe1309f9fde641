// Doubles and halves the rate of audio that comes in pieces, between 8 and 16 kHz, with the filter of resample.ts: what
// comes out is one stream, however the samples were cut. It is late by half the filter, 2 ms.

import { makeKernel } from "./resample.ts";

const WIDE_RATE = 16_000;
const KERNEL = makeKernel(WIDE_RATE, 0);
const LAST = KERNEL.length - 1;
const MIDDLE = LAST >> 1;

export class RateDoubler {
  /** The samples before the next one. */
  #past = new Float64Array(MIDDLE);

  take(samples: Int16Array): Int16Array {
    const all = joined(this.#past, samples);
    const doubled = new Int16Array(2 * samples.length);
    for (let at = 0; at < doubled.length; at++) {
      // Of the samples at the double rate every other one is 0.
      const phase = at & 1;
      const newest = this.#past.length + (at >> 1);
      let sum = 0;
      for (let tap = phase; tap <= LAST; tap += 2) {
        sum += (KERNEL[tap] as number) * (all[newest - (tap >> 1)] as number);
      }
      doubled[at] = bounded(2 * sum);
    }
    this.#past = all.slice(samples.length);
    return doubled;
  }
}

export class RateHalver {
  #past = new Float64Array(LAST);
  /** Whether the next sample is one of those that are left out. */
  #isBetween = false;

  take(samples: Int16Array): Int16Array {
    const all = joined(this.#past, samples);
    const first = this.#isBetween ? 1 : 0;
    const halved = new Int16Array(Math.ceil(Math.max(0, samples.length - first) / 2));
    for (let at = 0; at < halved.length; at++) {
      const newest = LAST + first + 2 * at;
      const oldest = newest - LAST;
      // The filter is symmetric: each tap but the middle one weighs two samples.
      let sum = (KERNEL[MIDDLE] as number) * (all[oldest + MIDDLE] as number);
      for (let tap = 0; tap < MIDDLE; tap++) {
        sum += (KERNEL[tap] as number) * ((all[newest - tap] as number) + (all[oldest + tap] as number));
      }
      halved[at] = bounded(sum);
    }
    if (samples.length & 1) this.#isBetween = !this.#isBetween;
    this.#past = all.slice(samples.length);
    return halved;
  }
}

/** As numbers of the filter's kind, so that no tap converts one. */
function joined(past: Float64Array, samples: Int16Array): Float64Array {
  const all = new Float64Array(past.length + samples.length);
  all.set(past);
  all.set(samples, past.length);
  return all;
}

function bounded(sample: number): number {
  return Math.max(-32_768, Math.min(32_767, Math.round(sample)));
}
