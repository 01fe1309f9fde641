// LAME as WebAssembly: needs no program on the machine.

import { createMp3Encoder } from "wasm-media-encoders";
import { type Channels, SAMPLE_RATE } from "../../wire/mp3/frames.ts";
import { BITRATE } from "../../wire/mp3/info-frame.ts";
import { TO_LINEAR } from "../../wire/rtp/g711.ts";
import type { Mp3Encoder } from "./encode-segment.ts";

const SAMPLES = Float32Array.from(TO_LINEAR.PCMU, (sample) => sample / 32_768);

/** Compiling it takes some time, so one encoder makes many files, one after another. */
export async function builtInEncoder(): Promise<Mp3Encoder> {
  const encoder = await createMp3Encoder();
  return async function* encode(pieces, channels) {
    encoder.configure({ channels, sampleRate: SAMPLE_RATE, outputSampleRate: SAMPLE_RATE, bitrate: BITRATE });
    // The returned octets are valid only until the encoder is called again.
    for await (const piece of pieces) yield encoder.encode(channelsOf(piece, channels));
    yield encoder.finalize();
  };
}

function channelsOf(octets: Uint8Array, channels: Channels): readonly Float32Array[] {
  const length = octets.length / channels;
  return Array.from({ length: channels }, (_, channel) => {
    const samples = new Float32Array(length);
    for (let at = 0; at < length; at++) samples[at] = SAMPLES[octets[at * channels + channel] as number] as number;
    return samples;
  });
}
