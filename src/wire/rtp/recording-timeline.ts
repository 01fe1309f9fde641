// Places the audio of two legs on one time line, which runs by our clock: G.711 packets go where their timestamps say,
// in any order; what is lost, late or not sent is silence. Comes out as mu-law octets of both legs in turn.
//
// Guarantees: the length is the time that passed, whatever the legs send; memory is bounded, however long it lasts; a
// leg whose clock runs faster or slower than ours is followed, one sample at a time, so that both legs stay together.

import { type Law, SILENCE, toUlaw } from "./g711.ts";

/** A packet that is later than this is lost; so long after its time audio is final. */
export const LATE_MS_MAX = 240;
const SAMPLES_PER_MS = 8;
/** Of a power of two; more than two seconds: what is final is taken several times a second. */
const RING = 16_384;
const MASK = RING - 1;
/** So many samples of each leg come out at once at most. */
const TAKEN_MAX = 4_000;
/** A leg's clock is followed when its packets are off by more than this on average: 10 ms. */
const DEVIATION_MAX = 80;
/** How much of a packet's deviation goes into the average. */
const SMOOTHING = 1 / 128;
/** Off by more: the sender's timestamps have jumped, once several packets in a row say so or a new spurt begins. */
const JUMP = 200 * SAMPLES_PER_MS;
const JUMPED_PACKETS = 10;
/** Off by more: they have jumped, without doubt. */
const FAR_JUMP = 2_000 * SAMPLES_PER_MS;
const NONE = -1;

/** What is needed of a packet. `start` and `end` are its payload in `octets`. */
export interface RecordedPacket {
  readonly hasMarker: boolean;
  readonly timestamp: number;
  readonly ssrc: number;
  readonly start: number;
  readonly end: number;
}

/** One leg. Positions are samples since the beginning. */
class Track {
  readonly ring = new Uint8Array(RING).fill(SILENCE.PCMU);
  #ssrc = NONE;
  #timestamp = 0;
  #position = 0;
  /** How much later than their place packets come, on average. */
  #deviation = 0;
  #jumped = 0;

  /** Where a packet belongs that came at `arrival`. */
  positionOf({ ssrc, timestamp, hasMarker }: RecordedPacket, arrival: number): number {
    const expected = this.#position + ((timestamp - this.#timestamp) | 0);
    const late = arrival - expected;
    const isOff = Math.abs(late) > JUMP;
    this.#jumped = isOff ? this.#jumped + 1 : 0;
    const hasJumped = isOff && (hasMarker || this.#jumped >= JUMPED_PACKETS || Math.abs(late) > FAR_JUMP);
    if (ssrc !== this.#ssrc || hasJumped) {
      this.#ssrc = ssrc;
      this.#deviation = 0;
      this.#jumped = 0;
      this.#position = arrival;
    } else {
      if (!isOff) this.#deviation += (late - this.#deviation) * SMOOTHING;
      this.#position = expected + this.#shift();
    }
    this.#timestamp = timestamp;
    return this.#position;
  }

  #shift(): number {
    if (Math.abs(this.#deviation) <= DEVIATION_MAX) return 0;
    const shift = Math.sign(this.#deviation);
    this.#deviation -= shift;
    return shift;
  }
}

export class RecordingTimeline {
  readonly #startMs: number;
  readonly #tracks = [new Track(), new Track()] as const;
  #taken = 0;

  /** The time line begins at `startMs` of the clock that the other methods are given. */
  constructor(startMs: number) {
    this.#startMs = startMs;
  }

  /** The length of what came out, in samples of one leg. */
  get taken(): number {
    return this.#taken;
  }

  place(leg: 0 | 1, octets: Uint8Array, packet: RecordedPacket, law: Law, nowMs: number): void {
    const track = this.#tracks[leg];
    const arrival = this.#positionAt(nowMs);
    const position = track.positionOf(packet, arrival);
    const from = Math.max(position, this.#taken);
    const to = Math.min(position + packet.end - packet.start, this.#taken + RING);
    const { ring } = track;
    const offset = packet.start - position;
    if (law === "PCMU" && (from & MASK) + to - from <= RING && from < to) {
      ring.set(octets.subarray(from + offset, to + offset), from & MASK);
    } else {
      const table = toUlaw(law);
      for (let at = from; at < to; at++) ring[at & MASK] = table[octets[at + offset] as number] as number;
    }
    // A clock that is followed leaves a gap of one sample now and then.
    const before = (position - 1) & MASK;
    if (position > this.#taken && from < to && ring[before] === SILENCE.PCMU)
      ring[before] = ring[from & MASK] as number;
  }

  /** What is final at this moment, both legs in turn, piece by piece; undefined when there is no more. */
  take(endMs: number): Uint8Array | undefined {
    const count = Math.min(this.#positionAt(endMs) - this.#taken, TAKEN_MAX);
    if (count <= 0) return undefined;
    const [{ ring: first }, { ring: second }] = this.#tracks;
    const pairs = new Uint16Array(count);
    const start = this.#taken & MASK;
    // A pair is written at once; the machines that we run on have its lower octet first.
    for (let at = 0; at < count; at++) {
      const place = (start + at) & MASK;
      pairs[at] = (first[place] as number) | ((second[place] as number) << 8);
    }
    for (const ring of [first, second]) {
      ring.fill(SILENCE.PCMU, start, Math.min(start + count, RING));
      if (start + count > RING) ring.fill(SILENCE.PCMU, 0, start + count - RING);
    }
    this.#taken += count;
    return new Uint8Array(pairs.buffer);
  }

  #positionAt(ms: number): number {
    return Math.round((ms - this.#startMs) * SAMPLES_PER_MS);
  }
}
