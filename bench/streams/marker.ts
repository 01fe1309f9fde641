// Finds the markers that the phones put into sound (bench/media/generator.c), wherever they are, also when they are
// split over two messages, and writes into them when a program had them. A marker is eight octets that nothing else
// has, the phone's time of sending, and the time of the program; times are microseconds, little-endian.

export const MAGIC = Uint8Array.of(0x13, 0x9e, 0x37, 0x79, 0xb9, 0x7f, 0x4a, 0x7c);
const STAMP_AT = 16;
const MARKER_OCTETS = 24;

/** The sound of one stream, message after message. */
export class MarkerStamper {
  /** How many octets of a marker were read. */
  #read = 0;
  readonly #stamp = new DataView(new ArrayBuffer(MARKER_OCTETS - STAMP_AT));

  /** Whether any of the octets was written. */
  stamp(octets: Uint8Array, nowUs: number): boolean {
    let isWritten = false;
    for (let at = 0; at < octets.length; at++) {
      const octet = octets[at];
      // The first octet is not repeated, so a search that fails goes on at the octet that it failed at.
      if (this.#read < MAGIC.length && octet !== MAGIC[this.#read]) this.#read = 0;
      if (this.#read < MAGIC.length && octet !== MAGIC[this.#read]) continue;
      if (this.#read === STAMP_AT) this.#stamp.setBigUint64(0, BigInt(Math.round(nowUs)), true);
      if (this.#read >= STAMP_AT) {
        octets[at] = this.#stamp.getUint8(this.#read - STAMP_AT);
        isWritten = true;
      }
      this.#read = (this.#read + 1) % MARKER_OCTETS;
    }
    return isWritten;
  }
}
