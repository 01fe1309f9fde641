// Places the audio of two legs on one time line, which runs by our clock: G.711 packets are placed by their timestamps,
// in any order; lost, late or missing audio becomes silence. The output is interleaved µ-law octets of both legs.
//
// Guarantees: the length is the elapsed time, whatever the legs send; memory is bounded, however long the recording is;
// if a leg's clock runs faster or slower than ours, its audio is shifted sample by sample, so that both legs stay
// aligned.

import { type Law, SILENCE, toUlaw } from "./g711.ts";

/** A packet later than this counts as lost; audio older than this is final. */
export const LATE_MS_MAX = 320;
const SAMPLES_PER_MS = 8;
/** A power of two; more than two seconds of samples, because final audio is taken several times a second. */
const RING = 16_384;
const MASK = RING - 1;
/** The maximum number of samples of each leg that `take` returns. */
const TAKEN_MAX = 4_000;
/**
 * A leg's clock is followed when even the most punctual of PACKETS_IN_WHILE packets is off by more than this, 10 ms.
 * Network delays only add, so occasional late packets are no sign of the clock.
 */
const DEVIATION_MAX = 80;
const PACKETS_IN_WHILE = 256;
/** At most one in this many packets is shifted by a sample: 390 ppm, which is inaudible. */
const SHIFT_EVERY = 16;
/** Off by more, as a rule: the timestamps have jumped, if a talk spurt begins or the deviation outlasts a burst. */
const JUMP_MS = 280;
const JUMP_LASTS = 150 * SAMPLES_PER_MS;
/** Off by more: the timestamps have certainly jumped. */
const FAR_JUMP = 2_000 * SAMPLES_PER_MS;
const NONE = -1;

/** The fields of a packet that are needed. `start` and `end` delimit its payload in `octets`. */
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
  /** When packets began to be off, with no punctual packet since. */
  #offSince: number | undefined;
  /** Number of packets in the current measurement, and the lateness of the most punctual one. */
  #packets = 0;
  #leastLate = Number.POSITIVE_INFINITY;
  /** The number of samples by which packets still have to be shifted. */
  #owed = 0;
  readonly #jump: number;

  constructor(jump: number) {
    this.#jump = jump;
  }

  /** The position of a packet that arrived at `arrival`. */
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
    if (off <= this.#jump) {
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
  readonly #tracks: readonly [Track, Track];
  #taken = 0;

  /**
   * The time line begins at `startMs` of the clock that the other methods are given. Audio that stays off by more than
   * `jumpMs` is placed anew: a caller that takes audio sooner would lose it, and needs less.
   */
  constructor(startMs: number, jumpMs = JUMP_MS) {
    this.#startMs = startMs;
    const jump = jumpMs * SAMPLES_PER_MS;
    this.#tracks = [new Track(jump), new Track(jump)];
  }

  /** The length of the audio taken so far, in samples of one leg. */
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
    // Following a clock occasionally leaves a gap of one sample.
    const before = (position - 1) & MASK;
    if (position > this.#taken && from < to && ring[before] === SILENCE.PCMU)
      ring[before] = ring[from & MASK] as number;
  }

  /** The audio that is final at this moment, both legs interleaved, in pieces; undefined when there is no more. */
  take(endMs: number): Uint8Array | undefined {
    const count = Math.min(this.#positionAt(endMs) - this.#taken, TAKEN_MAX);
    if (count <= 0) return undefined;
    const [{ ring: first }, { ring: second }] = this.#tracks;
    const pairs = new Uint16Array(count);
    const start = this.#taken & MASK;
    // Writes both octets as one 16-bit value; our platforms are little-endian.
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

  /** What is final of the first leg, where it is the only one, up to what fits into `audio`. Returns its length. */
  protected takeFirst(endMs: number, audio: Uint8Array): number {
    const count = Math.min(this.#positionAt(endMs) - this.#taken, audio.length);
    if (count <= 0) return 0;
    this.takeApart(audio.subarray(0, count), undefined);
    return count;
  }

  /** The next samples of each leg, apart; the caller knows that they are final. A leg without octets is skipped. */
  protected takeApart(first: Uint8Array, second: Uint8Array | undefined): void {
    this.#move(this.#tracks[0].ring, first);
    if (second) this.#move(this.#tracks[1].ring, second);
    this.#taken += first.length;
  }

  #move(ring: Uint8Array, octets: Uint8Array): void {
    const start = this.#taken & MASK;
    const end = start + octets.length;
    octets.set(ring.subarray(start, end));
    ring.fill(SILENCE.PCMU, start, end);
    if (end <= RING) return;
    octets.set(ring.subarray(0, end - RING), RING - start);
    ring.fill(SILENCE.PCMU, 0, end - RING);
  }

  #positionAt(ms: number): number {
    return Math.round((ms - this.#startMs) * SAMPLES_PER_MS);
  }
}
