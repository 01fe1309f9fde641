// What a program sends a party over its socket: µ-law audio that waits for its turn, and marks between it.
//
// Guarantees: where nothing waits there is silence, so that the peer gets one steady stream; a mark is reached when all
// audio before it has been sent, or at once where none waits; marks are reached in the order in which they were set.
// The sender bounds what waits.

import { Fifo } from "../../base/fifo.ts";
import { type Law, SILENCE, transcode } from "./g711.ts";
import type { Sound } from "./sound.ts";

/** Powers of two, in octets. */
const ROOM_MIN = 8_192;

export class StreamSound implements Sound {
  readonly name: number;
  readonly isReady = true;
  readonly isOver = false;
  readonly #reached: (mark: number) => void;
  #room = new Uint8Array(ROOM_MIN);
  #waiting = 0;
  /** How much was sent or cleared. */
  #gone = 0;
  readonly #marks = new Fifo<{ readonly mark: number; readonly place: number }>();

  constructor(name: number, reached: (mark: number) => void) {
    this.name = name;
    this.#reached = reached;
  }

  get gone(): number {
    return this.#gone;
  }

  /** How much was added and not sent yet. */
  get waiting(): number {
    return this.#waiting;
  }

  add(octets: Uint8Array): void {
    this.#grow(this.#waiting + octets.length);
    const size = this.#room.length;
    const start = (this.#gone + this.#waiting) % size;
    const first = Math.min(octets.length, size - start);
    this.#room.set(octets.subarray(0, first), start);
    this.#room.set(octets.subarray(first), 0);
    this.#waiting += octets.length;
  }

  mark(mark: number): void {
    if (this.#waiting === 0) this.#reached(mark);
    else this.#marks.push({ mark, place: this.#gone + this.#waiting });
  }

  /** Forgets what waits. Its marks are reached. */
  clear(): void {
    this.#gone += this.#waiting;
    this.#waiting = 0;
    this.#reach();
  }

  fill(octets: Uint8Array, start: number, count: number, law: Law): void {
    const taken = Math.min(count, this.#waiting);
    const from = this.#gone % this.#room.length;
    const first = Math.min(taken, this.#room.length - from);
    octets.set(this.#room.subarray(from, from + first), start);
    octets.set(this.#room.subarray(0, taken - first), start + first);
    octets.fill(SILENCE.PCMU, start + taken, start + count);
    if (law !== "PCMU") transcode("PCMU", octets, start, start + count);
    this.#gone += taken;
    this.#waiting -= taken;
    this.#reach();
  }

  #reach(): void {
    for (let next = this.#marks.first; next && next.place <= this.#gone; next = this.#marks.first) {
      this.#marks.shift();
      this.#reached(next.mark);
    }
  }

  #grow(needed: number): void {
    if (needed <= this.#room.length) return;
    const before = this.#room;
    let size = before.length;
    while (size < needed) size *= 2;
    this.#room = new Uint8Array(size);
    for (let at = 0; at < this.#waiting; at++) {
      this.#room[(this.#gone + at) % size] = before[(this.#gone + at) % before.length] as number;
    }
  }
}
