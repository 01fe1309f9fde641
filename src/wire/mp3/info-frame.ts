// The first frame of an MP3 file of constant bitrate: it decodes to silence and carries the tags `Info` (Xing) and
// `LAME`. They tell players the length of the file and which samples at its ends are not part of the recording: an
// encoder begins with a delay and pads its last frame. Without this frame a player guesses the length and plays the
// padding.
//
//   0   header and 17 octets of side information
//  21   "Info", flags, frames, octets, table of contents (100), quality
// 141   "LAME3.100", method, lowpass, gains, flags, bitrate, delay and padding (12 bits each), length and CRC of the
//       music, CRC of this tag
//
// Frames are counted without this one, octets with it.

import { crc16 } from "./crc16.ts";
import { FRAME_SAMPLES, HEADER_OCTETS } from "./frames.ts";

/** 32 kbit/s. */
export const INFO_OCTETS = 288;
export const BITRATE = 32;

/** The number of samples that LAME inserts before its input. */
export const ENCODER_DELAY = 576;

const HEADER = [0xff, 0xe3, 0x48, 0x40];
const TAG = HEADER_OCTETS + 17;
const ALL_FIELDS = 0x0f;
const CONTENTS = TAG + 16;
const CONTENTS_OCTETS = 100;
const QUALITY = CONTENTS + CONTENTS_OCTETS;
const LAME = QUALITY + 4;
const DELAYS = LAME + 21;
const MUSIC_LENGTH = LAME + 28;
const MUSIC_CRC = LAME + 32;
const TAG_CRC = LAME + 34;
const CONSTANT_BITRATE = 1;
const LOWPASS_HUNDREDS = 40;
const PADDING_MAX = 0xfff;

export interface Music {
  readonly frames: number;
  /** Without the Info frame. */
  readonly octets: number;
  /** Over all octets after the Info frame. */
  readonly crc: number;
}

export interface Info extends Music {
  readonly delay: number;
  readonly padding: number;
}

/** How many samples a player plays. */
export function playedSamples({ frames, delay, padding }: Pick<Info, "frames" | "delay" | "padding">): number {
  return frames * FRAME_SAMPLES - delay - padding;
}

/** Undefined when the frames are too short for this many samples, or too long. */
export function writeInfoFrame(music: Music, samples: number): Uint8Array | undefined {
  const padding = music.frames * FRAME_SAMPLES - ENCODER_DELAY - samples;
  if (padding < 0 || padding > PADDING_MAX) return undefined;
  const frame = new Uint8Array(INFO_OCTETS);
  const view = new DataView(frame.buffer);
  frame.set(HEADER);
  frame.set(ascii("Info"), TAG);
  view.setUint32(TAG + 4, ALL_FIELDS);
  view.setUint32(TAG + 8, music.frames);
  view.setUint32(TAG + 12, INFO_OCTETS + music.octets);
  // All frames have the same length, so the position in the file is proportional to the time.
  for (let percent = 0; percent < CONTENTS_OCTETS; percent++) frame[CONTENTS + percent] = (percent * 256) / 100;
  frame.set(ascii("LAME3.100"), LAME);
  frame[LAME + 9] = CONSTANT_BITRATE;
  frame[LAME + 10] = LOWPASS_HUNDREDS;
  frame[LAME + 20] = BITRATE;
  frame.set([ENCODER_DELAY >> 4, ((ENCODER_DELAY & 0xf) << 4) | (padding >> 8), padding & 0xff], DELAYS);
  view.setUint32(MUSIC_LENGTH, INFO_OCTETS + music.octets);
  view.setUint16(MUSIC_CRC, music.crc);
  view.setUint16(TAG_CRC, crc16(frame.subarray(0, TAG_CRC)));
  return frame;
}

/** Undefined when `frame` is not an Info frame of ours, or is damaged. */
export function readInfoFrame(frame: Uint8Array): Info | undefined {
  if (frame.length < INFO_OCTETS || HEADER.some((octet, at) => frame[at] !== octet)) return undefined;
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
  const hasTag = isAt(frame, TAG, "Info") && isAt(frame, LAME, "LAME") && view.getUint32(TAG + 4) === ALL_FIELDS;
  if (!hasTag || view.getUint16(TAG_CRC) !== crc16(frame.subarray(0, TAG_CRC))) return undefined;
  const [high, middle, low] = [...frame.subarray(DELAYS, DELAYS + 3)] as [number, number, number];
  return {
    frames: view.getUint32(TAG + 8),
    octets: view.getUint32(TAG + 12) - INFO_OCTETS,
    crc: view.getUint16(MUSIC_CRC),
    delay: (high << 4) | (middle >> 4),
    padding: ((middle & 0xf) << 8) | low,
  };
}

function ascii(text: string): readonly number[] {
  return [...text].map((letter) => letter.charCodeAt(0));
}

function isAt(frame: Uint8Array, at: number, text: string): boolean {
  return ascii(text).every((octet, place) => frame[at + place] === octet);
}
