// A full conference for half an hour, on virtual time: telephones whose clocks run fast and slow, in both codecs.

import { beforeAll, describe, expect, test } from "vitest";
import { Chance } from "../../../test/fakes/chance.ts";
import { ConferenceMix, FRAME_SAMPLES, type MixParty } from "./conference-mix.ts";
import { decodeSample, encodeSample, type Law } from "./g711.ts";

const PARTIES = 50;
const CLOCK_PPM = 100;
const FRAME_MS = 20;
const TICK_MS = 10;
const SAMPLES_PER_MS = 8;
const END_MS = 30 * 60_000;
/** What the network adds to the way of a packet, at most. */
const JITTER_MS = 5;
/** One packet in so many, of each party, begins with a click, by which its way through the buffer is measured. */
const CLICK_EVERY = 500;
/** Louder than anything else that a party says. */
const CLICK = 30_000;
const AMPLITUDE = 600;
/** Where a clock is followed, a tone has a break, which weakens it and leaves a little in the places of others. */
const OTHERS_MIN = AMPLITUDE / 4;
const OWN_MAX = AMPLITUDE / 10;
/** All tones have whole periods in a frame: each packet of a party is the same, and so is the sum of many frames. */
const HERTZ_STEP = 50;
const HERTZ_MIN = 300;
/** What is heard is examined for so long, at these times, between the clicks. */
const WINDOW_MS = 400;
const WINDOWS_MS = [5_000, 15 * 60_000 + 5_000, END_MS - 5_000] as const;

const chance = new Chance(28);

function toneOf(hertz: number, law: Law): Uint8Array {
  return Uint8Array.from({ length: FRAME_SAMPLES }, (_, at) =>
    encodeSample(law, AMPLITUDE * Math.sin((2 * Math.PI * hertz * at) / 8_000)),
  );
}

class Telephone {
  readonly party: MixParty;
  /** How far the place of a sample in the mix is from when it was spoken, at each click. */
  readonly offMs: number[] = [];
  /** What waited to be sent to it, after each packet. */
  waitingMin = Number.POSITIVE_INFINITY;
  waitingMax = 0;
  /** The sum of the frames that it heard in each window. */
  readonly heard = WINDOWS_MS.map(() => new Float64Array(FRAME_SAMPLES));
  readonly #law: Law;
  readonly #tone: Uint8Array;
  readonly #clicking: Uint8Array;
  readonly #ssrc: number;
  readonly #startMs = chance.next() * FRAME_MS;
  readonly #packetMs: number;
  #sent = 0;
  #sendMs: number;
  #dueMs = chance.integer(0, FRAME_MS);
  #clickedMs: number | undefined;
  readonly #packet = new Uint8Array(FRAME_SAMPLES);

  constructor(mix: ConferenceMix, place: number) {
    this.party = mix.enter();
    this.party.speaks = true;
    this.#ssrc = place;
    this.#law = place % 2 === 0 ? "PCMU" : "PCMA";
    this.#tone = toneOf(HERTZ_MIN + HERTZ_STEP * place, this.#law);
    this.#clicking = this.#tone.slice();
    this.#clicking[0] = encodeSample(this.#law, CLICK);
    // From -100 ppm to 100 ppm. A fast clock sends packets more often.
    const ppm = ((2 * place) / (PARTIES - 1) - 1) * CLOCK_PPM;
    this.#packetMs = FRAME_MS / (1 + ppm / 1e6);
    this.#sendMs = this.#startMs;
    this.#watch();
  }

  /** Looks for the click in what the mix takes. Sums are of no interest outside of the windows, and cost the most. */
  #watch(): void {
    const take = this.party.frame.bind(this.party);
    this.party.frame = (endMs) => {
      const frame = take(endMs);
      if (frame && this.#clickedMs !== undefined) this.#measure(frame, endMs - FRAME_MS, this.#clickedMs);
      const isHeard = WINDOWS_MS.some((startMs) => endMs > startMs - 1_000 && endMs < startMs + WINDOW_MS);
      return isHeard ? frame : undefined;
    };
  }

  #measure(frame: Uint8Array, startMs: number, clickedMs: number): void {
    const at = frame.findIndex((octet) => Math.abs(decodeSample("PCMU", octet)) > CLICK / 2);
    if (at < 0) return;
    this.offMs.push(startMs + at / SAMPLES_PER_MS - clickedMs);
    this.#clickedMs = undefined;
  }

  /** Sends what it has said until now. */
  speak(nowMs: number): void {
    for (; this.#sendMs + JITTER_MS <= nowMs; this.#sendMs = this.#startMs + this.#sent * this.#packetMs) {
      const clicks = this.#sent % CLICK_EVERY === 0;
      if (clicks) this.#clickedMs = this.#sendMs;
      const timestamp = (this.#sent * FRAME_SAMPLES) >>> 0;
      const packet = { hasMarker: this.#sent === 0, timestamp, ssrc: this.#ssrc, start: 0, end: FRAME_SAMPLES };
      const arrivedMs = this.#sendMs + chance.next() * JITTER_MS;
      this.party.hear(clicks ? this.#clicking : this.#tone, packet, this.#law, arrivedMs);
      this.#sent++;
    }
  }

  /** Is sent what is due, like a leg. */
  listen(nowMs: number): void {
    for (; this.#dueMs <= nowMs; this.#dueMs += FRAME_MS) {
      this.party.sound.fill(this.#packet, 0, FRAME_SAMPLES, this.#law);
      const window = WINDOWS_MS.findIndex((startMs) => nowMs >= startMs && nowMs < startMs + WINDOW_MS);
      const sum = this.heard[window];
      for (let at = 0; sum && at < FRAME_SAMPLES; at++) sum[at] = (sum[at] as number) + this.#linearAt(at);
      if (nowMs < WINDOWS_MS[0]) continue;
      this.waitingMin = Math.min(this.waitingMin, this.party.sound.waiting);
      this.waitingMax = Math.max(this.waitingMax, this.party.sound.waiting);
    }
  }

  #linearAt(at: number): number {
    return decodeSample(this.#law, this.#packet[at] as number);
  }

  /** The amplitude of a party's tone in what this one heard. */
  levelOf(place: number, window: number): number {
    const hertz = HERTZ_MIN + HERTZ_STEP * place;
    let [cosine, sine] = [0, 0];
    for (const [at, sample] of (this.heard[window] as Float64Array).entries()) {
      cosine += sample * Math.cos((2 * Math.PI * hertz * at) / 8_000);
      sine += sample * Math.sin((2 * Math.PI * hertz * at) / 8_000);
    }
    return (2 * Math.hypot(cosine, sine)) / (FRAME_SAMPLES * (WINDOW_MS / FRAME_MS));
  }
}

describe("fifty parties in both codecs, for half an hour, with clocks of -100 to 100 ppm", () => {
  const mix = new ConferenceMix(0);
  const telephones = Array.from({ length: PARTIES }, (_, place) => new Telephone(mix, place));

  beforeAll(() => {
    for (let nowMs = 0; nowMs < END_MS; nowMs += TICK_MS) {
      for (const telephone of telephones) telephone.speak(nowMs);
      mix.tick(nowMs);
      for (const telephone of telephones) telephone.listen(nowMs);
    }
  });

  test("each party's buffer stays within a frame of its start", () => {
    for (const [place, { offMs, waitingMin, waitingMax }] of telephones.entries()) {
      // Every click was heard: no packet came too late.
      expect(offMs.length, `clicks of party ${place}`).toBeGreaterThan(END_MS / (CLICK_EVERY * FRAME_MS) - 2);
      const moved = offMs.map((ms) => Math.abs(ms - (offMs[0] as number)));
      expect(Math.max(...moved), `buffer of party ${place}`).toBeLessThan(FRAME_MS);
      expect(waitingMax - waitingMin, `what waits for party ${place}`).toBeLessThanOrEqual(FRAME_SAMPLES);
      expect(waitingMax).toBeLessThanOrEqual(2 * FRAME_SAMPLES);
    }
  });

  test.each(WINDOWS_MS.map((_, window) => window))(
    "none hears itself, and each hears all others: window %i",
    (window) => {
      for (const [listener, telephone] of telephones.entries()) {
        for (let speaker = 0; speaker < PARTIES; speaker++) {
          const level = telephone.levelOf(speaker, window);
          const who = `party ${speaker} at party ${listener}`;
          if (speaker === listener) expect(level, who).toBeLessThan(OWN_MAX);
          else expect(level, who).toBeGreaterThan(OTHERS_MIN);
        }
      }
    },
  );
});
