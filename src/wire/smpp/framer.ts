// A stream of octets, split anywhere → whole PDUs. Holds at most one unfinished PDU. A PDU that lies whole in one chunk
// is returned as a view of that chunk; other octets are copied once, or amortised twice for a long PDU in many chunks.
//
// After a fault nothing shows where the next PDU begins: the framer ignores further input, and the session ends.

import { PDU_LENGTH_MIN } from "./decode.ts";
import { readU32 } from "./pdu-reader.ts";
import { PDU_LENGTH_MAX } from "./pdu-writer.ts";

export interface Framed {
  readonly pdus: readonly Uint8Array[];
  /** Set when the next PDU has an impossible length. */
  readonly fault?: string;
}

const LENGTH_OCTETS = 4;
const FIRST_CAPACITY = 512;

export class Framer {
  readonly #lengthMax: number;
  /** The beginning of an unfinished PDU. */
  #held = new Uint8Array(0);
  #heldLength = 0;
  #fault: string | undefined;

  constructor({ pduLengthMax = PDU_LENGTH_MAX }: { readonly pduLengthMax?: number } = {}) {
    this.#lengthMax = pduLengthMax;
  }

  /** Octets held of a PDU that is not whole yet. */
  get held(): number {
    return this.#heldLength;
  }

  push(chunk: Uint8Array): Framed {
    const pdus: Uint8Array[] = [];
    let at = 0;
    while (at < chunk.length && this.#fault === undefined) {
      at = this.#heldLength > 0 ? this.#complete(chunk, at, pdus) : this.#cutWhole(chunk, at, pdus);
    }
    return this.#fault === undefined ? { pdus } : { pdus, fault: this.#fault };
  }

  /** Returns the PDUs that lie whole in the chunk and keeps the beginning of the next. */
  #cutWhole(chunk: Uint8Array, start: number, pdus: Uint8Array[]): number {
    let at = start;
    while (chunk.length - at >= LENGTH_OCTETS) {
      const length = readU32(chunk, at);
      if (!this.#mayBe(length)) return chunk.length;
      if (length > chunk.length - at) break;
      pdus.push(new Uint8Array(chunk.buffer, chunk.byteOffset + at, length));
      at += length;
    }
    if (at < chunk.length) this.#hold(chunk, at, chunk.length - at);
    return chunk.length;
  }

  /** Completes the held PDU from the chunk: its length first, then the rest. */
  #complete(chunk: Uint8Array, at: number, pdus: Uint8Array[]): number {
    const isLengthKnown = this.#heldLength >= LENGTH_OCTETS;
    const wanted = isLengthKnown ? readU32(this.#held, 0) : LENGTH_OCTETS;
    const taken = Math.min(wanted - this.#heldLength, chunk.length - at);
    this.#hold(chunk, at, taken);
    if (this.#heldLength === LENGTH_OCTETS && !isLengthKnown) this.#mayBe(readU32(this.#held, 0));
    else if (isLengthKnown && this.#heldLength === wanted) {
      pdus.push(this.#held.subarray(0, wanted));
      this.#held = new Uint8Array(0);
      this.#heldLength = 0;
    }
    return at + taken;
  }

  #hold(chunk: Uint8Array, at: number, length: number): void {
    const needed = this.#heldLength + length;
    if (needed > this.#held.length) {
      // The buffer doubles and ignores the announced length: a header alone must not make us allocate 64 KiB.
      const larger = new Uint8Array(Math.max(needed, this.#held.length * 2, FIRST_CAPACITY));
      larger.set(this.#held.subarray(0, this.#heldLength));
      this.#held = larger;
    }
    this.#held.set(new Uint8Array(chunk.buffer, chunk.byteOffset + at, length), this.#heldLength);
    this.#heldLength = needed;
  }

  #mayBe(length: number): boolean {
    if (length >= PDU_LENGTH_MIN && length <= this.#lengthMax) return true;
    this.#fault = `command_length ${length} is not between ${PDU_LENGTH_MIN} and ${this.#lengthMax}`;
    this.#held = new Uint8Array(0);
    this.#heldLength = 0;
    return false;
  }
}
