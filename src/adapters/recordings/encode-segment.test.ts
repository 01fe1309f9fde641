import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { rawTones } from "../../../test/fakes/raw-segment.ts";
import { builtInEncoder } from "./built-in-encoder.ts";
import { type EncodingPace, encodeSegment, type Mp3Encoder, readBack, UNIT_SAMPLES } from "./encode-segment.ts";

const folder = mkdtempSync(join(tmpdir(), "tandem-encode-"));
const raw = join(folder, "raw");
let encoder: Mp3Encoder;
let made = 0;
let unitsWaited = 0;
const pace: EncodingPace = {
  progress: () => undefined,
  nextUnit: async () => void unitsWaited++,
};

beforeAll(async () => {
  encoder = await builtInEncoder();
});
afterAll(() => rmSync(folder, { recursive: true }));

async function encode(octets: Uint8Array, mp3 = join(folder, `${++made}.mp3`), channels: 1 | 2 = 2) {
  writeFileSync(raw, octets);
  return { mp3, segment: await encodeSegment(encoder, { raw, mp3, channels }, pace) };
}

test.each([0, 1, 7, 575, 576, 577, 8_000, 32_000, 32_001, 100_003])(
  "%i samples become a file that plays exactly these",
  async (samples) => {
    const { mp3, segment } = await encode(rawTones(samples, 440, 1000));
    expect(segment.samples).toBe(samples);
    expect(segment.sizeBytes).toBe(readFileSync(mp3).length);
    expect(await readBack(mp3, samples, 2)).toEqual(segment);
    expect(await readBack(mp3, samples + 1, 2)).toMatch(/plays/);
    expect(await readBack(mp3, samples, 1)).toBeTypeOf("string");
  },
);

test.each([
  [UNIT_SAMPLES, 0],
  [UNIT_SAMPLES + 1, 1],
  [2 * UNIT_SAMPLES + 8_000, 2],
])("%i samples wait %i times for their next turn, and are the same file", async (samples, waits) => {
  const octets = rawTones(samples, 440, 1000);
  unitsWaited = 0;
  const { segment } = await encode(octets);
  expect([segment.samples, unitsWaited]).toEqual([samples, waits]);
});

test.each([0, 1, 576, 8_000, UNIT_SAMPLES + 1])(
  "the first channel of %i samples becomes a file of one channel",
  async (samples) => {
    const { mp3, segment } = await encode(rawTones(samples, 440, 1000), undefined, 1);
    expect(segment.samples).toBe(samples);
    expect(await readBack(mp3, samples, 1)).toEqual(segment);
    expect(await readBack(mp3, samples, 2)).toBeTypeOf("string");
    // What the second channel holds makes no difference.
    expect((await encode(rawTones(samples, 440, 300), undefined, 1)).segment).toEqual(segment);
  },
);

test("half a sample at the end is dropped", async () => {
  const { segment } = await encode(rawTones(1_000, 440, 440).subarray(0, 1_999));
  expect(segment.samples).toBe(999);
});

test("the same recording gives the same file", async () => {
  const octets = rawTones(20_000, 300, 700);
  const [one, other] = [await encode(octets), await encode(octets)];
  expect(one.segment).toEqual(other.segment);
});

test("a file that is there already is read back, not made again; a damaged one is made again", async () => {
  const octets = rawTones(16_000, 440, 1000);
  const { mp3, segment } = await encode(octets);
  const { segment: again } = await encode(octets, mp3);
  expect(again).toEqual(segment);
  const file = readFileSync(mp3);
  for (const damaged of [file.subarray(0, 1_000), Buffer.alloc(0), Buffer.from([...file.subarray(0, -1), 1])]) {
    writeFileSync(mp3, damaged);
    expect(await readBack(mp3, 16_000, 2)).toBeTypeOf("string");
    expect((await encode(octets, mp3)).segment).toEqual(segment);
    expect(readFileSync(mp3).equals(file)).toBe(true);
  }
});

test("what cannot be made leaves nothing behind", async () => {
  const before = readdirSync(folder);
  const missing = encodeSegment(
    encoder,
    { raw: join(folder, "no"), mp3: join(folder, "none.mp3"), channels: 2 as const },
    pace,
  );
  await expect(missing).rejects.toThrow(/ENOENT/);
  expect(readdirSync(folder)).toEqual(before);
});
