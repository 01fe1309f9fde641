// For speed alone (`bench -- smpp` would notice): parts that were sent and are not answered, by the reference they were
// sent under. Answers mostly come in the order of sending, so the oldest part is checked first.
//
// An array and not a Map: a Map that grows and shrinks keeps replacing its table, and V8 lets each table refer to the
// next. Once one of them has reached the old generation of the heap, every part that was sent after it stays until that
// is collected, which took twice as long as all the rest of sending.

import type { Part } from "./submission.ts";

interface Sent {
  readonly ref: string;
  readonly part: Part;
}

export class SentParts {
  /** In the order of sending; not longer than the window. */
  readonly #sent: Sent[] = [];

  get count(): number {
    return this.#sent.length;
  }

  add(ref: string, part: Part): void {
    this.#sent.push({ ref, part });
  }

  find(ref: string): Part | undefined {
    return this.#sent[this.#placeOf(ref)]?.part;
  }

  take(ref: string): Part | undefined {
    const place = this.#placeOf(ref);
    const sent = this.#sent[place];
    if (!sent) return undefined;
    if (place === 0) this.#sent.shift();
    else this.#sent.splice(place, 1);
    return sent.part;
  }

  #placeOf(ref: string): number {
    let place = 0;
    while (place < this.#sent.length && this.#sent[place]?.ref !== ref) place++;
    return place;
  }
}
