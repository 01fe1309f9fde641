// RFC 3711 3.3.1 and 3.3.2: the index of a packet (its sequence number with the count of its rollovers), guessed from
// the highest one so far, and the replay list of recent indices, which detects repeated packets.

const WINDOW = 64;

export class PacketIndex {
  #highest = -1;
  /** Bit n: the packet n below the highest one was received. */
  #seen = 0n;

  /** The most likely index of a packet with this sequence number. */
  guess(sequence: number): number {
    if (this.#highest < 0) return sequence;
    const rollovers = Math.floor(this.#highest / 0x10000);
    const last = this.#highest % 0x10000;
    if (last < 0x8000 && sequence - last > 0x8000) return Math.max(0, rollovers - 1) * 0x10000 + sequence;
    const isNextRound = last >= 0x8000 && last - 0x8000 > sequence;
    return (rollovers + (isNextRound ? 1 : 0)) * 0x10000 + sequence;
  }

  /** False when the index was used before, or is older than the replay list. */
  isNew(index: number): boolean {
    const below = this.#highest - index;
    return below < 0 || (below < WINDOW && ((this.#seen >> BigInt(below)) & 1n) === 0n);
  }

  use(index: number): void {
    const ahead = index - this.#highest;
    if (ahead > 0) {
      const kept = ahead < WINDOW ? this.#seen << BigInt(ahead) : 0n;
      this.#seen = BigInt.asUintN(WINDOW, kept | 1n);
      this.#highest = index;
    } else this.#seen |= 1n << BigInt(-ahead);
  }
}
