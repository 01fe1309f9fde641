// Resamples audio of any rate to the 8 kHz of telephony with a windowed sinc filter, which removes frequencies above 4
// kHz that would alias.

import type { Recorded } from "./wav.ts";

const RATE = 8_000;
/** Lobes of the sinc on each side. */
const LOBES = 16;
/** Below half the lower rate, so that the filter's transition band ends there. */
const CUTOFF = 0.94;

export function toTelephoneRate(recorded: Recorded): Int16Array {
  if (recorded.rate === RATE) return recorded.samples;
  const [whole = new Int16Array()] = telephoneParts(recorded, Number.POSITIVE_INFINITY);
  return whole;
}

/** The same in parts of so many samples, each made when it is asked for. */
export function* telephoneParts({ rate, samples }: Recorded, samplesMax: number): Generator<Int16Array, void, void> {
  const length = Math.floor((samples.length * RATE) / rate);
  /** By the phase between two samples. There are few phases: one for 16 kHz, 160 for 22,050 Hz. */
  const kernels = new Map<number, Float64Array>();
  for (let from = 0; from < length; from += samplesMax) {
    const to = Math.min(length, from + samplesMax);
    yield rate === RATE ? samples.slice(from, to) : resampled({ rate, samples }, kernels, from, to);
  }
}

function resampled(
  { rate, samples }: Recorded,
  kernels: Map<number, Float64Array>,
  from: number,
  to: number,
): Int16Array {
  const part = new Int16Array(to - from);
  for (let at = from; at < to; at++) {
    const phase = (at * rate) % RATE;
    const kernel = kernels.get(phase) ?? makeKernel(rate, phase);
    kernels.set(phase, kernel);
    const first = (at * rate - phase) / RATE - (kernel.length >> 1);
    let sum = 0;
    for (let tap = Math.max(0, -first); tap < kernel.length && first + tap < samples.length; tap++) {
      sum += (samples[first + tap] as number) * (kernel[tap] as number);
    }
    part[at - from] = Math.max(-32_768, Math.min(32_767, Math.round(sum)));
  }
  return part;
}

/** A sinc with a Hann window, centred `phase` after the middle sample. */
export function makeKernel(rate: number, phase: number): Float64Array {
  const width = CUTOFF * Math.min(1, RATE / rate);
  const reach = Math.ceil(LOBES / width);
  return Float64Array.from({ length: 2 * reach + 1 }, (_, tap) => {
    const distance = (tap - reach - phase / RATE) * width;
    if (distance === 0) return width;
    if (Math.abs(distance) >= LOBES) return 0;
    const angle = Math.PI * distance;
    return width * (Math.sin(angle) / angle) * (0.5 + 0.5 * Math.cos(angle / LOBES));
  });
}
