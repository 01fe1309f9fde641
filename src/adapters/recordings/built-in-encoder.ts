// LAME as WebAssembly: needs no program on the machine.

import { createMp3Encoder } from "wasm-media-encoders";
import { SAMPLE_RATE } from "../../wire/mp3/frames.ts";
import { BITRATE } from "../../wire/mp3/info-frame.ts";
import { TO_LINEAR } from "../../wire/rtp/g711.ts";
import { CHANNELS, type Mp3Encoder } from "./encode-segment.ts";

const SAMPLES = Float32Array.from(TO_LINEAR.PCMU, (sample) => sample / 32_768);

/** Compiling it takes some time, so one encoder makes many files, one after another. */
export async function builtInEncoder(): Promise<Mp3Encoder> {
  const encoder = await createMp3Encoder();
  return async function* encode(pieces) {
    encoder.configure({ channels: CHANNELS, sampleRate: SAMPLE_RATE, outputSampleRate: SAMPLE_RATE, bitrate: BITRATE });
    // The returned octets are valid only until the encoder is called again.
    for await (const piece of pieces) yield encoder.encode(channelsOf(piece));
    yield encoder.finalize();
  };
}

function channelsOf(octets: Uint8Array): readonly Float32Array[] {
  const samples = octets.length / CHANNELS;
  const left = new Float32Array(samples);
  const right = new Float32Array(samples);
  for (let at = 0; at < samples; at++) {
    left[at] = SAMPLES[octets[at * CHANNELS] as number] as number;
    right[at] = SAMPLES[octets[at * CHANNELS + 1] as number] as number;
  }
  return [left, right];
}
