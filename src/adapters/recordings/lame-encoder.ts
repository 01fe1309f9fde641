// Encodes with the machine's `lame` program: the same frames as the built-in encoder in two thirds of the time. The
// program is started for every file, and ends with the encoder that started it.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { SAMPLE_RATE } from "../../wire/mp3/frames.ts";
import { BITRATE } from "../../wire/mp3/info-frame.ts";
import { TO_LINEAR } from "../../wire/rtp/g711.ts";
import type { Mp3Encoder } from "./encode-segment.ts";

const COMPLAINT_MAX = 500;
/** Raw samples in, frames of constant bitrate out, without an Info frame. */
const ARGUMENTS = ["-t", "--quiet", "-r", "-s", String(SAMPLE_RATE / 1000), "--cbr", "-b", String(BITRATE)];
/** LAME's names of the modes. */
const MODES = { 1: "m", 2: "j" } as const;

export function lameEncoder(program: string): Mp3Encoder {
  return async function* encode(pieces, channels) {
    const child = spawn(program, [...ARGUMENTS, "-m", MODES[channels], "-", "-"], { stdio: ["pipe", "pipe", "pipe"] });
    let complaint = "";
    child.stderr.on("data", (part: Buffer) => {
      complaint = (complaint + part.toString()).slice(-COMPLAINT_MAX);
    });
    // A program that cannot be started, or stops reading, is reported by `ended`.
    const ended = once(child, "close").then(([code, signal]) => {
      if (code !== 0) throw new Error(`${program} ended with ${signal ?? code}: ${complaint.trim()}`);
    });
    const fed = pipeline(Readable.from(linear(pieces)), child.stdin);
    const outcome = Promise.all([ended, fed.catch(() => ended)]);
    outcome.catch(() => {});
    try {
      yield* child.stdout as AsyncIterable<Uint8Array>;
      await outcome;
    } finally {
      child.kill("SIGKILL");
    }
  };
}

async function* linear(pieces: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  for await (const piece of pieces) {
    const samples = Int16Array.from(piece, (octet) => TO_LINEAR.PCMU[octet] as number);
    yield new Uint8Array(samples.buffer);
  }
}
