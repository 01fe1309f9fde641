import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { segmentEncoder, sweepUnfinished } from "./segment-encoder.ts";

const dataDir = mkdtempSync(join(tmpdir(), "tandem-segments-"));
afterAll(() => rmSync(dataDir, { recursive: true }));

const SEGMENT = {
  accountSid: "AC1",
  callSid: "CA1",
  recordingSid: "RE1",
  index: 1,
  rawFile: "RE1-1.ulaw2",
  channels: 2 as const,
  samples: 8_000,
  attempts: 0,
  key: "k",
};

test.each([
  ["ENOSPC", true],
  ["EDQUOT", true],
  ["ENOENT", false],
  [undefined, false],
])("a fault with code %s passes: %s", async (code, isPassing) => {
  const encoder = segmentEncoder(dataDir, {
    places: 1,
    encode: async () => Promise.reject(Object.assign(new Error("no"), { code })),
    close: async () => undefined,
  });
  expect(await encoder.encode(SEGMENT)).toEqual({ ok: false, refusal: { reason: "no", isPassing } });
});

test("what killed encoders left is removed when nobody writes it any more", async () => {
  const folder = join(dataDir, "recordings", "encoded");
  const now = new Date();
  const long = new Date(now.getTime() - 7_200_000);
  const [left, written, done] = ["a.mp3.new-0a1b", "b.mp3.new-0c1d", "c.mp3"].map((name) => join(folder, name));
  for (const file of [left, written, done]) writeFileSync(file ?? "", "");
  for (const file of [left, done]) utimesSync(file ?? "", long, long);
  await sweepUnfinished(dataDir, now);
  expect(readdirSync(folder).sort()).toEqual(["b.mp3.new-0c1d", "c.mp3"]);
});
