// Makes a verified MP3 of a raw segment: interleaved mu-law octets of two channels at 8 kHz, in pieces, so that a call
// of four hours takes no more memory than one of a second.
//
// Guarantees: the file under its final name is durable, complete and was read back: its frames are counted, its
// checksum is right, and the samples that a player plays are those of the raw file. A file that already exists (the
// process died, or the file could not be stored) is only read back. The raw file is not touched.

import { createHash, randomUUID } from "node:crypto";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { crc16 } from "../../wire/mp3/crc16.ts";
import { type Channels, FrameCount, SAMPLE_RATE } from "../../wire/mp3/frames.ts";
import { INFO_OCTETS, playedSamples, readInfoFrame, writeInfoFrame } from "../../wire/mp3/info-frame.ts";

export interface SegmentOrder {
  readonly raw: string;
  readonly mp3: string;
  /** The file has both channels, or the first alone. */
  readonly channels: Channels;
}

export interface EncodedSegment {
  readonly samples: number;
  readonly sizeBytes: number;
  readonly sha256: string;
}

/**
 * Makes MP3 frames of interleaved mu-law octets of one or two channels, without an Info frame. Each piece, input or
 * output, is valid until the next one is requested.
 */
export type Mp3Encoder = (pieces: AsyncIterable<Uint8Array>, channels: Channels) => AsyncIterable<Uint8Array>;

/** Of raw files. */
const CHANNELS = 2;
/** Four seconds. */
const PIECE_SAMPLES = 4 * SAMPLE_RATE;
/** What is encoded at a stretch: eight seconds of audio, in whole pieces. */
export const UNIT_SAMPLES = 2 * PIECE_SAMPLES;
/** A recording that is not longer has its turn as a whole: a minute. */
export const SHORT_SAMPLES = 15 * PIECE_SAMPLES;
const READ_OCTETS = 64 * 1024;

export interface EncodingPace {
  /** Called repeatedly while the encoding advances. */
  progress(): void;
  /** Awaited after each unit but the last. */
  nextUnit(): Promise<void>;
}

export async function encodeSegment(
  encoder: Mp3Encoder,
  { raw, mp3, channels }: SegmentOrder,
  pace: EncodingPace,
): Promise<EncodedSegment> {
  const file = await open(raw, "r");
  try {
    const { size } = await file.stat();
    // A file may be cut anywhere: half a sample at its end is dropped.
    const samples = Math.floor(size / CHANNELS);
    const made = await readBack(mp3, samples, channels);
    if (typeof made === "object") return made;
    await encodeTo(mp3, encoder, { raw: file, samples, channels, pace });
    const written = await readBack(mp3, samples, channels);
    if (typeof written === "object") return written;
    await rm(mp3, { force: true });
    throw new Error(`the MP3 is not good: ${written}`);
  } finally {
    await file.close();
  }
}

interface RawSegment {
  readonly raw: FileHandle;
  readonly samples: number;
  readonly channels: Channels;
  readonly pace: EncodingPace;
}

/** Writes under another name until the file is complete, so a file under the final name is always complete. */
async function encodeTo(mp3: string, encoder: Mp3Encoder, segment: RawSegment): Promise<void> {
  const unfinished = `${mp3}.new-${randomUUID()}`;
  try {
    const file = await open(unfinished, "wx", 0o600);
    try {
      await writeMp3(file, encoder, segment);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(unfinished, mp3);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
  const folder = await open(dirname(mp3), "r");
  await folder.sync().finally(() => folder.close());
}

async function writeMp3(file: FileHandle, encode: Mp3Encoder, segment: RawSegment): Promise<void> {
  const { samples, channels, pace } = segment;
  const count = new FrameCount(channels);
  let crc = 0;
  for await (const octets of encode(piecesOf(segment), channels)) {
    count.add(octets);
    crc = crc16(octets, crc);
    await file.write(octets, 0, octets.length, INFO_OCTETS + count.octets - octets.length);
    pace.progress();
  }
  const fault = count.fault();
  if (fault !== undefined) throw new Error(`the encoder made no MP3: ${fault}`);
  const info = writeInfoFrame({ frames: count.frames, octets: count.octets, crc }, samples, channels);
  if (!info) throw new Error(`the encoder made ${count.frames} frames of ${samples} samples`);
  await file.write(info, 0, info.length, 0);
}

async function* piecesOf({ raw, samples, channels, pace }: RawSegment): AsyncIterable<Uint8Array> {
  const octets = new Uint8Array(PIECE_SAMPLES * CHANNELS);
  for (let done = 0; done < samples; ) {
    if (done > 0 && done % UNIT_SAMPLES === 0) await pace.nextUnit();
    const wanted = Math.min(PIECE_SAMPLES, samples - done);
    const piece = octets.subarray(0, wanted * CHANNELS);
    await readFully(raw, piece, done * CHANNELS);
    yield channels === 1 ? firstOf(piece) : piece;
    done += wanted;
  }
}

/** The first channel. */
function firstOf(piece: Uint8Array): Uint8Array {
  return Uint8Array.from({ length: piece.length / CHANNELS }, (_, at) => piece[at * CHANNELS] as number);
}

async function readFully(file: FileHandle, into: Uint8Array, position: number): Promise<void> {
  for (let read = 0; read < into.length; ) {
    const { bytesRead } = await file.read(into, read, into.length - read, position + read);
    if (bytesRead === 0) throw new Error("the raw file became shorter while it was read");
    read += bytesRead;
  }
}

/** Returns what the file holds if it plays exactly `samples`; otherwise what is wrong with it. */
export async function readBack(mp3: string, samples: number, channels: Channels): Promise<EncodedSegment | string> {
  let file: FileHandle;
  try {
    file = await open(mp3, "r");
  } catch (error) {
    return (error as Error).message;
  }
  try {
    const first = new Uint8Array(INFO_OCTETS);
    const { bytesRead } = await file.read(first, 0, INFO_OCTETS, 0);
    const info = readInfoFrame(first.subarray(0, bytesRead), channels);
    if (!info) return "it has no Info frame";
    const digest = createHash("sha256").update(first);
    const count = new FrameCount(channels);
    let crc = 0;
    const octets = new Uint8Array(READ_OCTETS);
    for (;;) {
      const { bytesRead: length } = await file.read(octets, 0, READ_OCTETS, INFO_OCTETS + count.octets);
      if (length === 0) break;
      const piece = octets.subarray(0, length);
      count.add(piece);
      crc = crc16(piece, crc);
      digest.update(piece);
    }
    const fault = count.fault();
    if (fault !== undefined) return fault;
    if (count.frames !== info.frames || count.octets !== info.octets || crc !== info.crc) {
      return `it holds ${count.frames} frames in ${count.octets} octets, and should hold ${info.frames} in ${info.octets}`;
    }
    if (playedSamples(info) !== samples) return `it plays ${playedSamples(info)} samples instead of ${samples}`;
    return { samples, sizeBytes: INFO_OCTETS + count.octets, sha256: digest.digest("hex") };
  } finally {
    await file.close();
  }
}
