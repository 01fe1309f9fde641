// What looking through one document may cost, whatever it names twice or lays over itself: so many parts and so many bytes in all. The
// work is cut into turns, by count and not by clock, and whoever works lets the event loop in between. A turn is about a millisecond.

import { setImmediate } from "node:timers/promises";

export class TooMuchWork extends Error {}

/** No more should be passed over in one go. */
export const BYTES_PER_TURN = 50_000;
/** A part takes about as long to read as so many bytes to pass over. */
const PART_BYTES = 150;

export class WorkBudget {
  #partsLeft: number;
  #bytesLeft: number;
  #turnLeft = BYTES_PER_TURN;

  constructor({ parts, bytes }: { readonly parts: number; readonly bytes: number }) {
    this.#partsLeft = parts;
    this.#bytesLeft = bytes;
  }

  takePart(): void {
    this.#partsLeft -= 1;
    this.#turnLeft -= PART_BYTES;
    if (this.#partsLeft < 0) throw new TooMuchWork();
  }

  /** Each time they are looked at. */
  takeBytes(count: number): void {
    this.#bytesLeft -= count;
    this.#turnLeft -= count;
    if (this.#bytesLeft < 0) throw new TooMuchWork();
  }

  get isTurnOver(): boolean {
    return this.#turnLeft <= 0;
  }

  async nextTurn(): Promise<void> {
    await setImmediate();
    this.#turnLeft = BYTES_PER_TURN;
  }
}
