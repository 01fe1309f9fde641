// Octets in sequence, as Node's readable streams deliver them.

export interface ByteStream extends AsyncIterable<Uint8Array> {
  /** Ends the stream before it has been read to its end. */
  destroy(): void;
}
