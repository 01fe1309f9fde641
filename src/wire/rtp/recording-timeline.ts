// Places the audio of two legs on one time line, which runs by our clock: G.711 packets go where their timestamps say,
// in any order; what is lost, late or not sent is silence. Comes out as mu-law octets of both legs in turn.
//
// Guarantees: the length is the time that passed, whatever the legs send; memory is bounded, however long it lasts; a
// leg whose clock runs faster or slower than ours is followed, one sample at a time, so that both legs stay together.

import { type Law, SILENCE, toUlaw } from "./g711.ts";

/** A packet that is later than this is lost; so long after its time audio is final. */
export const LATE_MS_MAX = 320;
const SAMPLES_PER_MS = 8;
/** Of a power of two; more than two seconds: what is final is taken several times a second. */
const RING = 16_384;
const MASK = RING - 1;
/** So many samples of each leg come out at once at most. */
const TAKEN_MAX = 4_000;
/**
 * A leg's clock is followed when even its most punctual packet of a while is off by more than this, 10 ms. Delays only
 * add, so what is late now and then says nothing about the clock.
 */
const DEVIATION_MAX = 80;
const PACKETS_IN_WHILE = 256;
/** A packet that is shifted by a sample is followed by so many that are not: 390 ppm, which nobody hears. */
const SHIFT_EVERY = 16;
/** Off by more: the sender's timestamps have jumped, if a new spurt begins or this lasts. A burst does not last. */
const JUMP = 280 * SAMPLES_PER_MS;
const JUMP_LASTS = 150 * SAMPLES_PER_MS;
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
  /** When packets began to be off, without one between that was not. */
  #offSince: number | undefined;
  /** Of the packets of this while: how many there were, and how late the most punctual of them was. */
  #packets = 0;
  #leastLate = Number.POSITIVE_INFINITY;
  /** By how many samples packets are still to be shifted. */
  #owed = 0;

  /** Where a packet belongs that came at `arrival`. */
  positionOf({ ssrc, timestamp, hasMarker }: RecordedPacket, arrival: number): number {
    const expected = this.#position + ((timestamp - this.#timestamp) | 0);
    const late = arrival - expected;
    if (ssrc !== this.#ssrc || this.#hasJumped(late, hasMarker, arrival)) {
      this.#ssrc = ssrc;
      this.#position = arrival;
      this.#offSince = undefined;
      this.#packets = 0;
      this.#leastLate = Number.POSITIVE_INFINITY;
      this.#owed = 0;
    } else this.#position = expected + this.#shift(late);
    this.#timestamp = timestamp;
    return this.#position;
  }

  #hasJumped(late: number, hasMarker: boolean, arrival: number): boolean {
    const off = Math.abs(late);
    if (off <= JUMP) {
      this.#offSince = undefined;
      return false;
    }
    this.#offSince ??= arrival;
    return hasMarker || off > FAR_JUMP || arrival - this.#offSince >= JUMP_LASTS;
  }

  #shift(late: number): number {
    this.#leastLate = Math.min(this.#leastLate, late);
    if (++this.#packets === PACKETS_IN_WHILE) {
      this.#owed = Math.abs(this.#leastLate) > DEVIATION_MAX ? this.#leastLate : 0;
      this.#packets = 0;
      this.#leastLate = Number.POSITIVE_INFINITY;
    }
    if (this.#owed === 0 || this.#packets % SHIFT_EVERY !== 0) return 0;
    const shift = Math.sign(this.#owed);
    this.#owed -= shift;
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
