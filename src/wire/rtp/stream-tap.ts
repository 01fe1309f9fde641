// The audio of a leg for a program, in frames of 20 ms of µ-law, by our clock: what is lost, late or missing is
// silence. It is as late as packets may be.

import { RecordingTimeline } from "./recording-timeline.ts";

const FRAME_SAMPLES = 160;
const SAMPLES_PER_MS = 8;
/** A packet that is later than this counts as lost. */
const TAP_LATE_MS = 40;
const NOTHING = new Uint8Array(0);

export class StreamTap extends RecordingTimeline {
  readonly #startMs: number;
  readonly #hearsBoth: boolean;

  /** `hearsBoth`: what is sent to the peer, too; otherwise frames of that are empty. */
  constructor(startMs: number, hearsBoth: boolean) {
    super(startMs, TAP_LATE_MS);
    this.#startMs = startMs;
    this.#hearsBoth = hearsBoth;
  }

  get hearsBoth(): boolean {
    return this.#hearsBoth;
  }

  /** The next frame that is complete, of both tracks; undefined when there is none yet. */
  next(nowMs: number): readonly [Uint8Array, Uint8Array] | undefined {
    const endMs = this.#startMs + (this.taken + FRAME_SAMPLES) / SAMPLES_PER_MS;
    if (nowMs - TAP_LATE_MS < endMs) return undefined;
    const inbound = newFrame();
    const outbound = this.#hearsBoth ? newFrame() : undefined;
    this.takeApart(inbound, outbound);
    return [inbound, outbound ?? NOTHING];
  }
}

/** From Node's pool: memory of its own for each frame costs more than the rest of its way. */
function newFrame(): Uint8Array {
  return Buffer.allocUnsafe(FRAME_SAMPLES);
}
