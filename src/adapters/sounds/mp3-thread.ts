// The thread that decodes MP3 files. It is a separate entry of the build, beside the main program.

import { setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import { MPEGDecoder } from "mpg123-decoder";
import { toTelephoneRate } from "../../wire/audio/resample.ts";
import { mpegAudioStart } from "../../wire/mp3/mpeg-header.ts";
import type { JobReport } from "../worker-pool.ts";

/** Live audio comes first. */
const NICENESS = 10;
/** The decoder turns a piece of noise into far more sound than a piece of music. */
const PIECE_OCTETS = 4_096;
const PROGRESS_PIECES = 64;
const SECONDS_MAX = 600;

try {
  // On Linux this is the priority of the thread alone.
  if (process.platform === "linux") setPriority(NICENESS);
} catch {
  // Then it runs at normal priority.
}
// The decoder writes a line for every frame that it cannot read.
console.error = () => undefined;

parentPort?.on("message", (file: Uint8Array) => void decode(file).then(report, failed));

async function decode(file: Uint8Array): Promise<Int16Array> {
  const start = mpegAudioStart(file);
  if (start === undefined) throw new Error("it has no MPEG audio");
  const decoder = new MPEGDecoder();
  await decoder.ready;
  try {
    const { parts, rate } = decodeFrom(decoder, file.subarray(start));
    const samples = new Int16Array(parts.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const part of parts) {
      samples.set(part, at);
      at += part.length;
    }
    if (samples.length === 0) throw new Error("no sound could be decoded");
    return toTelephoneRate({ rate, samples });
  } finally {
    decoder.free();
  }
}

/** The first ten minutes. */
function decodeFrom(decoder: MPEGDecoder, audio: Uint8Array): { parts: readonly Int16Array[]; rate: number } {
  const parts: Int16Array[] = [];
  let [rate, seconds] = [0, 0];
  for (let at = 0; at < audio.length && seconds < SECONDS_MAX; at += PIECE_OCTETS) {
    const { channelData, sampleRate } = decoder.decode(audio.subarray(at, at + PIECE_OCTETS));
    const mono = mixed(channelData);
    if (mono.length > 0) {
      parts.push(mono);
      rate = sampleRate;
      seconds += mono.length / sampleRate;
    }
    if ((at / PIECE_OCTETS) % PROGRESS_PIECES === 0) parentPort?.postMessage({ kind: "progress" });
  }
  return { parts, rate };
}

/** All channels in one. */
function mixed(channels: readonly Float32Array[]): Int16Array {
  const mono = new Int16Array(channels[0]?.length ?? 0);
  for (let at = 0; at < mono.length; at++) {
    const sum = channels.reduce((all, channel) => all + (channel[at] ?? 0), 0);
    mono[at] = Math.max(-32_768, Math.min(32_767, Math.round((sum / channels.length) * 32_768)));
  }
  return mono;
}

function report(value: Int16Array): void {
  const done: JobReport<Int16Array> = { kind: "done", value };
  parentPort?.postMessage(done, [value.buffer as ArrayBuffer]);
}

function failed(fault: unknown): void {
  const told: JobReport<Int16Array> = {
    kind: "failed",
    reason: fault instanceof Error ? fault.message : String(fault),
  };
  parentPort?.postMessage(told);
}
