// The audio of a conference: each party hears all others, and never itself. Frames of 20 ms by our clock: each party's
// packets are placed by their timestamps (`RecordingTimeline`, which follows a clock that drifts), are summed once, and
// each party gets the sum without its own part. What is lost or late is silence.
//
// Guarantees: a party hears nothing of itself, of parties that may not speak, and of those of other conferences; a step
// costs a pass over each speaking party's frame; what waits for a party that takes nothing is bounded.

import { FROM_LINEAR, TO_LINEAR } from "./g711.ts";
import { type RecordedPacket, RecordingTimeline } from "./recording-timeline.ts";
import { StreamSound } from "./stream-sound.ts";

export const FRAME_SAMPLES = 160;
const FRAME_MS = 20;
const SAMPLES_PER_MS = FRAME_SAMPLES / FRAME_MS;
/** A packet that is later than this counts as lost. */
const LATE_MS = 60;
/** What waits for a party beyond this is old: its leg was sent something else meanwhile. */
const WAITING_MAX = 5 * FRAME_SAMPLES;
/** What was said longer ago, because the thread paused, is not mixed any more. */
const BEHIND_MS_MAX = 1_000;
const LINEAR_MAX = 32_767;

const TO_16_BITS = TO_LINEAR.PCMU;
const TO_ULAW = FROM_LINEAR.PCMU;
const sum = new Int32Array(FRAME_SAMPLES);
const mixed = new Uint8Array(FRAME_SAMPLES);

/**
 * Tells what each of the parties hears: the frames of all others. All who say nothing share one frame. Each frame is
 * valid during its call of `hear`.
 */
export function mixFrames(
  frames: readonly (Uint8Array | undefined)[],
  tone: Int16Array | undefined,
  hear: (party: number, frame: Uint8Array) => void,
): void {
  addUp(frames, tone);
  for (const [party, own] of frames.entries()) {
    if (!own) continue;
    for (let at = 0; at < FRAME_SAMPLES; at++) mixed[at] = encoded((sum[at] as number) - linear(own, at));
    hear(party, mixed);
  }
  if (!frames.includes(undefined)) return;
  for (let at = 0; at < FRAME_SAMPLES; at++) mixed[at] = encoded(sum[at] as number);
  for (const [party, own] of frames.entries()) if (!own) hear(party, mixed);
}

function addUp(frames: readonly (Uint8Array | undefined)[], tone: Int16Array | undefined): void {
  sum.fill(0);
  if (tone) sum.set(tone);
  for (const frame of frames) {
    if (!frame) continue;
    for (let at = 0; at < FRAME_SAMPLES; at++) sum[at] = (sum[at] as number) + linear(frame, at);
  }
}

function linear(frame: Uint8Array, at: number): number {
  return TO_16_BITS[frame[at] as number] as number;
}

/** Saturates once, after all were added. */
function encoded(sample: number): number {
  const bounded = sample > LINEAR_MAX ? LINEAR_MAX : sample < -LINEAR_MAX ? -LINEAR_MAX : sample;
  return TO_ULAW[bounded + 32_768] as number;
}

/** What all say together, with the tone; valid until the next call. */
function mixAll(frames: readonly (Uint8Array | undefined)[], tone: Int16Array | undefined): Uint8Array {
  addUp(frames, tone);
  for (let at = 0; at < FRAME_SAMPLES; at++) mixed[at] = encoded(sum[at] as number);
  return mixed;
}

/** One party: what it says, and what it is to hear. */
export class MixParty extends RecordingTimeline {
  /** What its leg sends it, while it hears the conference. */
  readonly sound = new StreamSound(0, () => {});
  speaks = false;
  readonly #frame = new Uint8Array(FRAME_SAMPLES);

  /** Later than `LATE_MS` it is not heard: a path that has become so slow, or a clock so far off, is followed soon. */
  constructor(startMs: number) {
    super(startMs, LATE_MS);
  }

  /** A packet of its audio. */
  hear(octets: Uint8Array, packet: RecordedPacket, law: "PCMU" | "PCMA", nowMs: number): void {
    if (this.speaks) this.place(0, octets, packet, law, nowMs);
  }

  /** Its audio until this moment, which ends a frame; valid until the next. */
  frame(endMs: number): Uint8Array | undefined {
    this.takeFirst(endMs, this.#frame);
    return this.speaks ? this.#frame : undefined;
  }

  /** Forgets its audio until this moment, which ends a frame. */
  skip(endMs: number): void {
    while (this.takeFirst(endMs, this.#frame) > 0);
  }

  send(frame: Uint8Array): void {
    if (this.sound.waiting >= WAITING_MAX) this.sound.clear();
    this.sound.add(frame);
  }
}

export class ConferenceMix {
  /** Where what all say together is recorded, if it is. */
  timeline: RecordingTimeline | undefined;
  readonly #parties = new Set<MixParty>();
  readonly #startMs: number;
  #endMs: number;
  /** What all hear beside the parties, and how much of it they have heard. */
  #tone: Int16Array = new Int16Array(0);
  #toneAt = 0;

  constructor(nowMs: number) {
    this.#startMs = nowMs;
    this.#endMs = nowMs;
  }

  get isEmpty(): boolean {
    return this.#parties.size === 0;
  }

  /** Its time line begins where a frame of the conference does. */
  enter(): MixParty {
    const party = new MixParty(this.#endMs);
    this.#parties.add(party);
    return party;
  }

  leave(party: MixParty): void {
    this.#parties.delete(party);
  }

  /** Replaces the tone that is being played. */
  play(tone: Int16Array): void {
    this.#tone = tone;
    this.#toneAt = 0;
  }

  /** Passes on the frames that are complete. */
  tick(nowMs: number): void {
    const behindMs = nowMs - LATE_MS - this.#endMs;
    if (behindMs > BEHIND_MS_MAX) this.#skip(Math.floor(behindMs / FRAME_MS));
    while (nowMs - LATE_MS >= this.#endMs + FRAME_MS) this.#step();
  }

  #skip(frames: number): void {
    this.#endMs += frames * FRAME_MS;
    for (const party of this.#parties) party.skip(this.#endMs);
  }

  #step(): void {
    this.#endMs += FRAME_MS;
    const parties = [...this.#parties];
    const frames = parties.map((party) => party.frame(this.#endMs));
    const tone = this.#nextOfTone();
    mixFrames(frames, tone, (at, frame) => parties[at]?.send(frame));
    if (this.timeline) this.#record(this.timeline, mixAll(frames, tone));
  }

  /** Frames are placed as packets of a sender would be whose clock is ours. */
  #record(timeline: RecordingTimeline, frame: Uint8Array): void {
    const timestamp = Math.round((this.#endMs - this.#startMs) * SAMPLES_PER_MS) | 0;
    const packet = { hasMarker: false, timestamp, ssrc: 0, start: 0, end: FRAME_SAMPLES };
    timeline.place(0, frame, packet, "PCMU", this.#endMs);
  }

  #nextOfTone(): Int16Array | undefined {
    if (this.#toneAt >= this.#tone.length) return undefined;
    const next = this.#tone.subarray(this.#toneAt, this.#toneAt + FRAME_SAMPLES);
    this.#toneAt += FRAME_SAMPLES;
    return next;
  }
}

const TONE_SAMPLES = 2_080;
/** About -16 dBm0, so that it does not drown what is said. */
const TONE_AMPLITUDE = 3_600;
const TONE_FADE = 80;
const ENTER_HERTZ = [330, 440] as const;
const EXIT_HERTZ = [440, 330] as const;

/** Rises when a party enters and falls when one leaves. */
export function conferenceTone(kind: "enter" | "exit"): Int16Array {
  const [first, second] = kind === "enter" ? ENTER_HERTZ : EXIT_HERTZ;
  const half = TONE_SAMPLES / 2;
  return Int16Array.from({ length: TONE_SAMPLES }, (_, at) => {
    const place = at % half;
    const fade = Math.min(1, place / TONE_FADE, (half - 1 - place) / TONE_FADE);
    const hertz = at < half ? first : second;
    return Math.round(TONE_AMPLITUDE * fade * Math.sin((2 * Math.PI * hertz * place) / 8_000));
  });
}
