import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { SILENCE } from "../../wire/rtp/g711.ts";
import { LATE_MS_MAX, RecordingTimeline } from "../../wire/rtp/recording-timeline.ts";
import { SegmentRecorder } from "./recorder.ts";

const UNTIL = { timeout: 120_000, interval: 5 };
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tandem-recorder-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A recorder whose first leg speaks all the time, in octets that encode the second in which they were spoken. */
function start(file: string) {
  const timeline = new RecordingTimeline(0);
  const faults: string[] = [];
  const recorder = new SegmentRecorder(file, timeline, (reason) => faults.push(reason));
  let spokenMs = 0;
  const until = (ms: number, step: (atMs: number) => void, readMs?: number) => {
    for (; spokenMs < ms; spokenMs += 20) {
      const octets = new Uint8Array(160).fill(1 + Math.floor(spokenMs / 1000));
      const header = { hasMarker: false, timestamp: spokenMs * 8, ssrc: 1, start: 0, end: 160 };
      timeline.place(0, octets, header, "PCMU", readMs ?? spokenMs);
      if (spokenMs % 240 === 0) step(spokenMs);
    }
  };
  return {
    faults,
    /** Speaks until this time, while the recorder ticks. */
    speak: (ms: number) => until(ms, (atMs) => recorder.tick(atMs)),
    /** Delivers, at this time, everything spoken until then. */
    hear: (ms: number) => until(ms, () => undefined, ms),
    tick: (ms: number) => recorder.tick(ms),
    stop: (ms: number) => new Promise<number>((resolve) => recorder.stop(ms, resolve)),
  };
}

const size = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
/** The first leg's octet in the middle of each second. */
const secondsIn = (file: string) => {
  const octets = readFileSync(file);
  return Array.from({ length: Math.floor(octets.length / 16_000) }, (_, second) => octets[second * 16_000 + 8_000]);
};

test("what is final is in the file while it is recorded, and all of it at the end", async () => {
  const file = join(folder, "one.ulaw2");
  const recorder = start(file);
  recorder.speak(2_000);
  recorder.tick(2_000);
  await expect.poll(() => size(file), UNTIL).toBeGreaterThanOrEqual((1_920 - LATE_MS_MAX) * 16);
  expect(await recorder.stop(2_500)).toBe(2_500 * 8);
  expect(size(file)).toBe(2_500 * 16);
  expect(secondsIn(file)).toEqual([1, 2]);
  expect(readFileSync(file).filter((_, at) => at % 2 === 1)).toEqual(Buffer.alloc(2_500 * 8, SILENCE.PCMU));
  expect(recorder.faults).toEqual([]);
});

test("packets that wait to be read while the process stands still are in the file", async () => {
  const file = join(folder, "one.ulaw2");
  const recorder = start(file);
  recorder.speak(2_000);
  recorder.tick(2_900);
  recorder.hear(2_900);
  recorder.tick(3_150);
  expect(await recorder.stop(2_900)).toBe(2_900 * 8);
  const spoken = readFileSync(file).filter((_, at) => at % 2 === 0);
  expect(spoken.every((octet) => octet !== SILENCE.PCMU)).toBe(true);
});

test("a disk that cannot be written to for a while costs what did not fit into memory, and moves nothing", async () => {
  const file = join(folder, "later", "one.ulaw2");
  const recorder = start(file);
  await expect.poll(() => recorder.faults.length, UNTIL).toBe(1);
  recorder.speak(10_000);
  mkdirSync(join(folder, "later"));
  // Every tick tries again, until everything pending was written.
  await expect
    .poll(() => {
      recorder.tick(10_000);
      return size(file);
    }, UNTIL)
    .toBe((10_000 - LATE_MS_MAX) * 16);
  // The recorder's last write completes before this call does.
  await stat(file);
  recorder.speak(12_000);
  expect(await recorder.stop(12_000)).toBe(12_000 * 8);
  expect(recorder.faults).toEqual([expect.stringContaining("ENOENT")]);
  expect(secondsIn(file)).toEqual([1, 2, 3, 4, ...new Array(6).fill(SILENCE.PCMU), 11, 12]);
});

test.skipIf(process.platform !== "linux")("a full disk is told once, and a recorder that is stopped ends", async () => {
  const file = join(folder, "full.ulaw2");
  symlinkSync("/dev/full", file);
  const recorder = start(file);
  recorder.speak(3_000);
  await expect.poll(() => recorder.faults, UNTIL).toEqual([expect.stringContaining("ENOSPC")]);
  recorder.speak(600_000);
  expect(await recorder.stop(600_000)).toBe(0);
  expect(recorder.faults).toHaveLength(1);
});
