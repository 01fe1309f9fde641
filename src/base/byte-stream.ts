// Octets that come one after another, as Node's readable streams give them.

export interface ByteStream extends AsyncIterable<Uint8Array> {
  /** Ends it before it was read to its end. */
  destroy(): void;
}
