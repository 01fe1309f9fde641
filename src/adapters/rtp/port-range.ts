// The UDP ports for media: pairs of an even port for RTP and the next one for RTCP, from a fixed range. Pairs are
// handed out in rotation, so that a port rests before it is reused and late packets of an old call reach no new one.

import { Fifo } from "../../base/fifo.ts";

export class PortRange {
  readonly #free = new Fifo<number>();

  constructor(min: number, max: number) {
    for (let port = min + (min % 2); port + 1 <= max; port += 2) this.#free.push(port);
  }

  get free(): number {
    return this.#free.length;
  }

  /** The even port of a pair; `undefined` when all are taken. */
  take(): number | undefined {
    return this.#free.shift();
  }

  giveBack(port: number): void {
    this.#free.push(port);
  }
}
