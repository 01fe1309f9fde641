// The single stream that a peer receives from us, from any speaker: a relayed leg, our own tone, keys. The peer sees
// one source (SSRC) whose sequence numbers and timestamps continue without a break when the speaker changes. Within one
// speaker, gaps and disorder are passed on unchanged, so that the peer's jitter buffer sees what ours would have seen.

/** A larger jump in the speaker's own numbers counts as a restart. */
const SEQUENCE_JUMP_MAX = 3000;
const SEQUENCE_BACK_MAX = 100;
const TIMESTAMP_JUMP_MAX = 8000 * 60;
/** The minimum distance between the last packet of a speaker and the first packet of the next, in samples. */
const STEP = 160;
const OWN = -1;

export interface Place {
  readonly sequence: number;
  readonly timestamp: number;
  /** The first packet of a speaker: it carries the marker. */
  readonly isFirst: boolean;
}

export class OutgoingStream {
  readonly ssrc: number;
  #speaker = Number.NaN;
  #sequence: number;
  #timestamp: number;
  #sentMs: number;
  #speakerSequence = 0;
  #speakerTimestamp = 0;
  #sequenceOffset = 0;
  #timestampOffset = 0;

  /** `ssrc`, `sequence` and `timestamp` are random numbers of 32, 16 and 32 bits. */
  constructor(ssrc: number, sequence: number, timestamp: number, nowMs: number) {
    this.ssrc = ssrc;
    this.#sequence = sequence;
    this.#timestamp = timestamp;
    this.#sentMs = nowMs;
  }

  /** The position of a relayed packet. `speaker` is its source. */
  relay(speaker: number, sequence: number, timestamp: number, nowMs: number): Place {
    const isFirst = speaker !== this.#speaker || this.#isJump(sequence, timestamp);
    if (isFirst) {
      this.#speaker = speaker;
      this.#sequenceOffset = this.#sequence + 1 - sequence;
      this.#timestampOffset = this.#nextTimestamp(nowMs) - timestamp;
      this.#speakerSequence = sequence;
      this.#speakerTimestamp = timestamp;
    } else if (((sequence - this.#speakerSequence) & 0xffff) < 0x8000) {
      this.#speakerSequence = sequence;
      this.#speakerTimestamp = timestamp;
    }
    const place = {
      sequence: (sequence + this.#sequenceOffset) & 0xffff,
      timestamp: (timestamp + this.#timestampOffset) >>> 0,
      isFirst,
    };
    if (((place.sequence - this.#sequence) & 0xffff) < 0x8000) this.#sent(place.sequence, place.timestamp, nowMs);
    return place;
  }

  /** The position of our own packet that begins `samples` after the previous one. */
  own(samples: number, nowMs: number): Place {
    const isFirst = this.#speaker !== OWN;
    const timestamp = isFirst ? this.#nextTimestamp(nowMs) : (this.#timestamp + samples) >>> 0;
    this.#speaker = OWN;
    this.#sent((this.#sequence + 1) & 0xffff, timestamp, nowMs);
    return { sequence: this.#sequence, timestamp, isFirst };
  }

  /** Nothing was sent for a while: the next packet counts as the first of its speaker, at its own time. */
  rest(): void {
    this.#speaker = Number.NaN;
  }

  /** The current timestamp, for sender reports. */
  timestampAt(nowMs: number): number {
    return (this.#timestamp + Math.round((nowMs - this.#sentMs) * 8)) >>> 0;
  }

  #isJump(sequence: number, timestamp: number): boolean {
    const ahead = (sequence - this.#speakerSequence) & 0xffff;
    if (ahead > SEQUENCE_JUMP_MAX && ahead < 0x10000 - SEQUENCE_BACK_MAX) return true;
    return Math.abs((timestamp - this.#speakerTimestamp) | 0) > TIMESTAMP_JUMP_MAX;
  }

  #nextTimestamp(nowMs: number): number {
    return (this.#timestamp + Math.max(STEP, Math.round((nowMs - this.#sentMs) * 8))) >>> 0;
  }

  #sent(sequence: number, timestamp: number, nowMs: number): void {
    this.#sequence = sequence;
    this.#timestamp = timestamp;
    this.#sentMs = nowMs;
  }
}
