// The program that encodes recordings. It is a process of its own at the lowest priority: live calls come first, and a
// fault of the encoder does not end the server. It takes one order at a time from the process that started it and ends
// with that process. After every eight seconds of audio it waits for `GO_ON`, so that others have their turn. Its
// optional argument is the program `lame`, to be used in place of the built-in encoder.

import { constants, setPriority } from "node:os";
import { GO_ON, type JobReport } from "../worker-pool.ts";
import { builtInEncoder } from "./built-in-encoder.ts";
import { type EncodedSegment, encodeSegment, type SegmentOrder } from "./encode-segment.ts";
import { lameEncoder } from "./lame-encoder.ts";

const PROGRESS_MS = 5_000;

setPriority(constants.priority.PRIORITY_LOW);
const [lame] = process.argv.slice(2);
const encoder = lame === undefined ? builtInEncoder() : lameEncoder(lame);

/** Called by `GO_ON`. */
let goOn = () => {};

process.on("message", (message: SegmentOrder | typeof GO_ON) => {
  if (message === GO_ON) goOn();
  else void encode(message);
});
process.on("disconnect", () => process.exit());

async function encode(order: SegmentOrder): Promise<void> {
  let reportedMs = performance.now();
  const progress = () => {
    if (performance.now() - reportedMs < PROGRESS_MS) return;
    reportedMs = performance.now();
    report({ kind: "progress" });
  };
  const nextUnit = () =>
    new Promise<void>((resolve) => {
      goOn = resolve;
      report({ kind: "unitDone" });
    });
  try {
    report({ kind: "done", value: await encodeSegment(await encoder, order, { progress, nextUnit }) });
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    report({ kind: "failed", reason: message, code });
  }
}

function report(what: JobReport<EncodedSegment>): void {
  process.send?.(what);
}
