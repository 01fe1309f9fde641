// Writes one raw segment: takes what is final from the timeline and appends it to the file, without ever blocking on
// the disk. A failed write is tried again at every tick; what does not fit into memory meanwhile is written as silence
// later, so that the rest keeps its position.

import { close, open, write } from "node:fs";
import { SILENCE } from "../../wire/rtp/g711.ts";
import { LATE_MS_MAX, type RecordingTimeline } from "../../wire/rtp/recording-timeline.ts";

/** How often `tick` is called, in ms. */
export const RECORD_MS = 250;
/** Four seconds. */
const PENDING_MAX = 64_000;
const SILENT_PIECE = new Uint8Array(32_000).fill(SILENCE.PCMU);

export class SegmentRecorder {
  readonly #file: string;
  readonly #timeline: RecordingTimeline;
  readonly #fault: (reason: string) => void;
  readonly #pending: Uint8Array[] = [];
  #pendingOctets = 0;
  /** When `tick` was last called. */
  #turnMs = Number.NEGATIVE_INFINITY;
  /** Octets that did not fit into memory, after those that are pending. */
  #missing = 0;
  #written = 0;
  #fd: number | undefined;
  #isBusy = false;
  #hasFault = false;
  #stopped: ((samples: number) => void) | undefined;

  /** `fault` is called once, with the first reason why something could not be written. */
  constructor(file: string, timeline: RecordingTimeline, fault: (reason: string) => void) {
    this.#file = file;
    this.#timeline = timeline;
    this.#fault = fault;
    this.#goOn();
  }

  /**
   * Appends what was final at the previous tick: if this process was not scheduled in between, packets that arrived in
   * time are still unread.
   */
  tick(nowMs: number): void {
    this.#take(this.#turnMs - LATE_MS_MAX);
    this.#turnMs = nowMs;
  }

  /** Appends everything up to this moment and closes the file; `stopped` gets the samples of each channel in it. */
  stop(endMs: number, stopped: (samples: number) => void): void {
    this.#stopped = stopped;
    this.#take(endMs);
  }

  #take(endMs: number): void {
    for (let octets = this.#timeline.take(endMs); octets; octets = this.#timeline.take(endMs)) {
      if (this.#missing > 0 || this.#pendingOctets + octets.length > PENDING_MAX) this.#missing += octets.length;
      else {
        this.#pending.push(octets);
        this.#pendingOctets += octets.length;
      }
    }
    this.#goOn();
  }

  /** Opens the file, writes the next piece, or closes the file: one at a time. */
  #goOn(): void {
    if (this.#isBusy) return;
    const fd = this.#fd;
    if (fd === undefined) {
      this.#isBusy = true;
      open(this.#file, "a", 0o600, (error, opened) => {
        this.#fd = opened;
        this.#done(error);
      });
      return;
    }
    const piece = this.#pending[0] ?? SILENT_PIECE.subarray(0, this.#missing);
    if (piece.length === 0) {
      if (this.#stopped) this.#close(fd);
      return;
    }
    this.#isBusy = true;
    write(fd, piece, (error, octets) => {
      if (!error) this.#wrote(piece, octets);
      this.#done(error);
    });
  }

  #wrote(piece: Uint8Array, octets: number): void {
    this.#written += octets;
    if (this.#pending[0] !== piece) {
      this.#missing -= octets;
      return;
    }
    this.#pendingOctets -= octets;
    if (octets === piece.length) this.#pending.shift();
    else this.#pending[0] = piece.subarray(octets);
  }

  /** A failed step is retried at the next tick; a stopped recorder has no more ticks. */
  #done(error: NodeJS.ErrnoException | null): void {
    this.#isBusy = false;
    if (!error) return void this.#goOn();
    if (!this.#hasFault) this.#fault(error.message);
    this.#hasFault = true;
    if (this.#stopped) this.#close(this.#fd);
  }

  #close(fd: number | undefined): void {
    const stopped = this.#stopped;
    this.#stopped = undefined;
    const samples = Math.floor(this.#written / 2);
    if (fd === undefined) stopped?.(samples);
    else close(fd, () => stopped?.(samples));
  }
}
