// The first frame of an MP3 file of constant bitrate: it decodes to silence and carries the tags `Info` (Xing) and
// `LAME`. They tell players the length of the file and which samples at its ends are not part of the recording: an
// encoder begins with a delay and pads its last frame. Without this frame a player guesses the length and plays the
// padding.
//
//   0   header and 17 octets of side information, or 9 for one channel: then all that follows is 8 octets earlier
//  21   "Info", flags, frames, octets, table of contents (100), quality
// 141   "LAME3.100", method, lowpass, gains, flags, bitrate, delay and padding (12 bits each), length and CRC of the
//       music, CRC of this tag
//
// Frames are counted without this one, octets with it.

import { crc16 } from "./crc16.ts";
import { type Channels, FRAME_SAMPLES, HEADER_OCTETS } from "./frames.ts";

/** 32 kbit/s. */
export const INFO_OCTETS = 288;
export const BITRATE = 32;

/** The number of samples that LAME inserts before its input. */
export const ENCODER_DELAY = 576;

const ALL_FIELDS = 0x0f;
const CONTENTS_OCTETS = 100;

/** Where the fields stand: after the side information, which is shorter for one channel. */
function placesFor(channels: Channels) {
  const tag = HEADER_OCTETS + (channels === 1 ? 9 : 17);
  const contents = tag + 16;
  const quality = contents + CONTENTS_OCTETS;
  const lame = quality + 4;
  // The fourth octet has the mode: single channel, or joint stereo.
  const header = [0xff, 0xe3, 0x48, channels === 1 ? 0xc0 : 0x40];
  return { header, tag, contents, lame, delays: lame + 21, length: lame + 28, crc: lame + 32, tagCrc: lame + 34 };
}

const PLACES = { 1: placesFor(1), 2: placesFor(2) } as const;
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
export function writeInfoFrame(music: Music, samples: number, channels: Channels): Uint8Array | undefined {
  const padding = music.frames * FRAME_SAMPLES - ENCODER_DELAY - samples;
  if (padding < 0 || padding > PADDING_MAX) return undefined;
  const { header, tag, contents, lame, delays, length, crc, tagCrc } = PLACES[channels];
  const frame = new Uint8Array(INFO_OCTETS);
  const view = new DataView(frame.buffer);
  frame.set(header);
  frame.set(ascii("Info"), tag);
  view.setUint32(tag + 4, ALL_FIELDS);
  view.setUint32(tag + 8, music.frames);
  view.setUint32(tag + 12, INFO_OCTETS + music.octets);
  // All frames have the same length, so the position in the file is proportional to the time.
  for (let percent = 0; percent < CONTENTS_OCTETS; percent++) frame[contents + percent] = (percent * 256) / 100;
  frame.set(ascii("LAME3.100"), lame);
  frame[lame + 9] = CONSTANT_BITRATE;
  frame[lame + 10] = LOWPASS_HUNDREDS;
  frame[lame + 20] = BITRATE;
  frame.set([ENCODER_DELAY >> 4, ((ENCODER_DELAY & 0xf) << 4) | (padding >> 8), padding & 0xff], delays);
  view.setUint32(length, INFO_OCTETS + music.octets);
  view.setUint16(crc, music.crc);
  view.setUint16(tagCrc, crc16(frame.subarray(0, tagCrc)));
  return frame;
}

/** Undefined when `frame` is not an Info frame of ours, or is damaged. */
export function readInfoFrame(frame: Uint8Array, channels: Channels): Info | undefined {
  const { header, tag, lame, delays, crc, tagCrc } = PLACES[channels];
  if (frame.length < INFO_OCTETS || header.some((octet, at) => frame[at] !== octet)) return undefined;
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
  const hasTag = isAt(frame, tag, "Info") && isAt(frame, lame, "LAME") && view.getUint32(tag + 4) === ALL_FIELDS;
  if (!hasTag || view.getUint16(tagCrc) !== crc16(frame.subarray(0, tagCrc))) return undefined;
  const [high, middle, low] = [...frame.subarray(delays, delays + 3)] as [number, number, number];
  return {
    frames: view.getUint32(tag + 8),
    octets: view.getUint32(tag + 12) - INFO_OCTETS,
    crc: view.getUint16(crc),
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
