// Sound that comes in bursts, for a telephone that needs a packet of it every 20 ms.
//
// Guarantees: no more than a fifth of a second waits. When more comes, the oldest is dropped: who listens hears a gap
// once, and not everything late from then on. When it runs empty it waits for a few packets, so that the next delay is
// not heard.

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

  /** Undefined where there is nothing to say just now. */
  next(): Int16Array | undefined {
    if (!this.#isPlaying && this.#packets.length < PACKETS_TO_BEGIN) return undefined;
    const samples = this.#packets.shift();
    this.#isPlaying = samples !== undefined;
    return samples;
  }
}
