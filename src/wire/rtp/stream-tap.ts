// The audio of a leg for a program, in frames of 20 ms of µ-law, by our clock: what is lost, late or missing is
// silence. It is as late as packets may be.

import { RecordingTimeline } from "./recording-timeline.ts";

const FRAME_SAMPLES = 160;
const SAMPLES_PER_MS = 8;
/** A packet that is later than this counts as lost. */
const TAP_LATE_MS = 40;

export class StreamTap extends RecordingTimeline {
  readonly #startMs: number;

  constructor(startMs: number) {
    super(startMs, TAP_LATE_MS);
    this.#startMs = startMs;
  }

  /** The next frame that is complete, of both tracks; undefined when there is none yet. */
  next(nowMs: number): readonly [Uint8Array, Uint8Array] | undefined {
    const endMs = this.#startMs + (this.taken + FRAME_SAMPLES) / SAMPLES_PER_MS;
    if (nowMs - TAP_LATE_MS < endMs) return undefined;
    const pairs = this.take(endMs);
    if (!pairs) return undefined;
    const frame = [new Uint8Array(FRAME_SAMPLES), new Uint8Array(FRAME_SAMPLES)] as const;
    for (let at = 0; at < pairs.length; at++) frame[at & 1 ? 1 : 0][at >> 1] = pairs[at] as number;
    return frame;
  }
}
