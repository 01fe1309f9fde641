// The loudness of a recording over time, for the two legs: the first is the left channel, the second the right. The
// browser decodes the MP3 without playing it.

import { client } from "../../api/client.ts";

export interface Peaks {
  /** From 0 to 1, as many as requested. */
  readonly first: readonly number[];
  readonly second: readonly number[];
}

const SAMPLE_RATE = 8000;

export async function peaksOf(callSid: string, index: number, bars: number, signal: AbortSignal): Promise<Peaks> {
  const { data } = await client.calls.recording(callSid, index, { signal });
  // An offline context decodes without permission to play, which a page has only after a user gesture.
  const context = new OfflineAudioContext(2, 1, SAMPLE_RATE);
  const audio = await context.decodeAudioData(new Uint8Array(data).buffer);
  const first = loudest(audio.getChannelData(0), bars);
  return { first, second: audio.numberOfChannels > 1 ? loudest(audio.getChannelData(1), bars) : first };
}

function loudest(samples: Float32Array, bars: number): readonly number[] {
  const width = samples.length / bars;
  return Array.from({ length: bars }, (_, bar) => {
    let peak = 0;
    const end = Math.min(samples.length, Math.floor((bar + 1) * width));
    for (let at = Math.floor(bar * width); at < end; at++) peak = Math.max(peak, Math.abs(samples[at] ?? 0));
    return peak;
  });
}

export const WAVE_HEIGHT = 72;
const BAR_PITCH = 4;
const BAR_WIDTH = 2.5;
const MIDDLE = WAVE_HEIGHT / 2;
const REACH = MIDDLE - 3;
const LEAST = 0.7;

export const waveWidth = (bars: number): number => bars * BAR_PITCH;

/** Bars above the middle (`up`) or below it, as an SVG path. */
export function pathOf(peaks: readonly number[], loudestPeak: number, up: boolean): string {
  return peaks
    .map((peak, bar) => {
      const height = Math.max(LEAST, (peak / loudestPeak) * REACH);
      const left = bar * BAR_PITCH + (BAR_PITCH - BAR_WIDTH) / 2;
      const top = up ? MIDDLE - 1 - height : MIDDLE + 1;
      return `M${left.toFixed(2)} ${top.toFixed(1)}h${BAR_WIDTH}v${height.toFixed(1)}h-${BAR_WIDTH}z`;
    })
    .join("");
}
