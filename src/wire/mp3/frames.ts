// Frames of the MP3 files that we make: MPEG-2.5 Layer III (ISO/IEC 13818-3 with the extension to low sampling rates)
// at 8 kHz with one channel or two. A frame is 576 samples, 72 ms. Other frames are not recognised.

export const SAMPLE_RATE = 8_000;
export const FRAME_SAMPLES = 576;
export const HEADER_OCTETS = 4;

/** In kbit/s; 0: free format, which is not supported. */
const BITRATES = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const RATE_8000 = 2;
const MONO = 3;

export type Channels = 1 | 2;

/** The length in octets of the frame whose header begins at `at`; undefined if there is no such frame. */
export function frameLength(octets: Uint8Array, at: number, channels: Channels): number | undefined {
  if (at + HEADER_OCTETS > octets.length || octets[at] !== 0xff) return undefined;
  // Synchronisation, version 2.5, Layer III; the last bit indicates whether a CRC follows.
  if (((octets[at + 1] as number) & 0xfe) !== 0xe2) return undefined;
  const third = octets[at + 2] as number;
  const bitrate = BITRATES[third >> 4] ?? 0;
  const channelMode = (octets[at + 3] as number) >> 6;
  if (bitrate === 0 || ((third >> 2) & 3) !== RATE_8000 || (channelMode === MONO) !== (channels === 1))
    return undefined;
  // 72 · bitrate / sampling rate, and one octet of padding if the header announces it.
  return 9 * bitrate + ((third >> 1) & 1);
}

/** Counts the frames of a file that arrives in pieces. */
export class FrameCount {
  readonly #channels: Channels;
  readonly #header = new Uint8Array(HEADER_OCTETS);
  #headerLength = 0;
  /** Octets of the current frame that have not arrived yet. */
  #rest = 0;
  #frames = 0;
  #octets = 0;
  #fault: string | undefined;

  constructor(channels: Channels) {
    this.#channels = channels;
  }

  get frames(): number {
    return this.#frames;
  }

  get octets(): number {
    return this.#octets;
  }

  add(piece: Uint8Array): void {
    for (let at = 0; at < piece.length && this.#fault === undefined; ) {
      if (this.#rest > 0) {
        const taken = Math.min(this.#rest, piece.length - at);
        this.#rest -= taken;
        at += taken;
        continue;
      }
      this.#header[this.#headerLength++] = piece[at++] as number;
      if (this.#headerLength === HEADER_OCTETS) this.#begin(this.#octets + at - HEADER_OCTETS);
    }
    this.#octets += piece.length;
  }

  /** The fault of the file, if it ends here. */
  fault(): string | undefined {
    if (this.#fault === undefined && (this.#rest > 0 || this.#headerLength > 0)) return "the last frame is cut off";
    return this.#fault;
  }

  #begin(at: number): void {
    this.#headerLength = 0;
    const length = frameLength(this.#header, 0, this.#channels);
    if (length === undefined) {
      this.#fault = `there is no frame at octet ${at}`;
      return;
    }
    this.#rest = length - HEADER_OCTETS;
    this.#frames += 1;
  }
}
