// The program that encodes recordings. It is a process of its own at the lowest priority: live calls come first, and a
// fault of the encoder does not end the server. It takes one order at a time from the process that started it and ends
// with that process. Its optional argument is the program `lame`, to be used in place of the built-in encoder.

import { constants, setPriority } from "node:os";
import type { JobReport } from "../worker-pool.ts";
import { builtInEncoder } from "./built-in-encoder.ts";
import { type EncodedSegment, encodeSegment, type SegmentOrder } from "./encode-segment.ts";
import { lameEncoder } from "./lame-encoder.ts";

const PROGRESS_MS = 5_000;

setPriority(constants.priority.PRIORITY_LOW);
const [lame] = process.argv.slice(2);
const encoder = lame === undefined ? builtInEncoder() : lameEncoder(lame);

process.on("message", (order: SegmentOrder) => void encode(order));
process.on("disconnect", () => process.exit());

async function encode(order: SegmentOrder): Promise<void> {
  let reportedMs = performance.now();
  const progress = () => {
    if (performance.now() - reportedMs < PROGRESS_MS) return;
    reportedMs = performance.now();
    report({ kind: "progress" });
  };
  try {
    report({ kind: "done", value: await encodeSegment(await encoder, order, progress) });
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    report({ kind: "failed", reason: message, code });
  }
}

function report(what: JobReport<EncodedSegment>): void {
  process.send?.(what);
}
