// Limits the work of checking one document: a number of parts and of bytes, counted each time they are read, so that
// repeated references and overlaps count too. The work is divided into slices of about a millisecond, by count and not
// by clock; between slices the checker yields to the event loop.

import { setImmediate } from "node:timers/promises";

export class TooMuchWork extends Error {}

/** The most bytes to skip before yielding. */
export const BYTES_PER_SLICE = 50_000;
/** Reading a part takes about as long as skipping this many bytes. */
const PART_BYTES = 150;

export class WorkBudget {
  #partsLeft: number;
  #bytesLeft: number;
  #sliceLeft = BYTES_PER_SLICE;

  constructor({ parts, bytes }: { readonly parts: number; readonly bytes: number }) {
    this.#partsLeft = parts;
    this.#bytesLeft = bytes;
  }

  takePart(): void {
    this.#partsLeft -= 1;
    this.#sliceLeft -= PART_BYTES;
    if (this.#partsLeft < 0) throw new TooMuchWork();
  }

  /** To be called each time the bytes are read. */
  takeBytes(count: number): void {
    this.#bytesLeft -= count;
    this.#sliceLeft -= count;
    if (this.#bytesLeft < 0) throw new TooMuchWork();
  }

  get isSliceOver(): boolean {
    return this.#sliceLeft <= 0;
  }

  async nextSlice(): Promise<void> {
    await setImmediate();
    this.#sliceLeft = BYTES_PER_SLICE;
  }
}
