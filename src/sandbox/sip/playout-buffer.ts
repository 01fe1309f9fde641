// Buffers audio that arrives in bursts, for a telephone that needs a packet every 20 ms.
//
// Guarantees: at most a fifth of a second is buffered. When more arrives, the oldest packets are dropped: the listener
// hears one gap instead of a permanent delay. When the buffer runs empty it waits for a few packets, so that the next
// delay is not heard.

const PACKETS_MAX = 10;
const PACKETS_TO_BEGIN = 3;

export class PlayoutBuffer {
  readonly #packets: Int16Array[] = [];
  #isPlaying = false;

  push(samples: Int16Array): void {
    this.#packets.push(samples);
    const { length } = this.#packets;
    if (length > PACKETS_MAX) this.#packets.splice(0, length - PACKETS_TO_BEGIN);
  }

  /** Undefined when there is nothing to play now. */
  next(): Int16Array | undefined {
    if (!this.#isPlaying && this.#packets.length < PACKETS_TO_BEGIN) return undefined;
    const samples = this.#packets.shift();
    this.#isPlaying = samples !== undefined;
    return samples;
  }
}
