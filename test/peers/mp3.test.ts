// Our MP3 files, checked with third-party programs: ffmpeg decodes them to exactly the samples that were recorded, at
// their positions; ffprobe and SoX read their format, and SoX finds each party on its own channel. Debian's `lame`
// produces the same frames as the built-in encoder.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { builtInEncoder } from "../../src/adapters/recordings/built-in-encoder.ts";
import { encodeSegment, type Mp3Encoder } from "../../src/adapters/recordings/encode-segment.ts";
import { lameEncoder } from "../../src/adapters/recordings/lame-encoder.ts";
import { decodeSample } from "../fakes/g711.ts";
import { rawTones } from "../fakes/raw-segment.ts";
import { requirePeer } from "./peer.ts";

const ffmpeg = requirePeer("ffmpeg", "ffmpeg") ?? "";
const ffprobe = requirePeer("ffprobe", "ffmpeg") ?? "";
const sox = requirePeer("sox", "sox") ?? "";
const lame = requirePeer("lame", "lame") ?? "";

const RATE = 8_000;
const folder = mkdtempSync(join(tmpdir(), "tandem-mp3-"));
let made = 0;
const builtIn = await builtInEncoder();

afterAll(() => rmSync(folder, { recursive: true }));

async function mp3Of(octets: Uint8Array, encoder: Mp3Encoder = builtIn): Promise<string> {
  const mp3 = join(folder, `${++made}.mp3`);
  const raw = `${mp3}.raw`;
  writeFileSync(raw, octets);
  await encodeSegment(
    encoder,
    { raw, mp3, channels: 2 },
    { progress: () => undefined, nextUnit: async () => undefined },
  );
  return mp3;
}

/** The left and the right channel. */
function decoded(mp3: string): readonly [Int16Array, Int16Array] {
  const pcm = execFileSync(ffmpeg, ["-v", "error", "-i", mp3, "-f", "s16le", "-"], { maxBuffer: 2 ** 28 });
  const both = new Int16Array(pcm.buffer.slice(pcm.byteOffset, pcm.byteOffset + pcm.length));
  return [both.filter((_, at) => at % 2 === 0), both.filter((_, at) => at % 2 === 1)];
}

/** Correlation of `said` with `heard`, `lag` samples later: 1 is identical. */
function likeness(said: Float64Array, heard: Int16Array, lag: number): number {
  let [both, one, other] = [0, 0, 0];
  for (let at = 1_000; at < said.length - 1_000; at++) {
    const [x, y] = [said[at] as number, heard[at + lag] as number];
    both += x * y;
    one += x * x;
    other += y * y;
  }
  return both / Math.sqrt(one * other);
}

/** The power of one tone in the signal. */
function powerOf(heard: Int16Array, hz: number): number {
  let [sine, cosine] = [0, 0];
  heard.forEach((sample, at) => {
    sine += sample * Math.sin((2 * Math.PI * hz * at) / RATE);
    cosine += sample * Math.cos((2 * Math.PI * hz * at) / RATE);
  });
  return sine ** 2 + cosine ** 2;
}

/** Syllables of two alternating voices: nothing in them repeats, so a wrong position is detected. */
function twoVoices(samples: number): Uint8Array {
  const octets = rawTones(samples, 330, 570);
  for (let at = 0; at < samples; at++) {
    const isFirst = Math.floor(at / 6_000) % 2 === 0;
    const isSyllable = Math.sin(at / 400 + (at / 9_000) ** 2) > 0;
    if (!isFirst || !isSyllable) octets[at * 2] = 0xff;
    if (isFirst || !isSyllable) octets[at * 2 + 1] = 0xff;
  }
  return octets;
}

/** Exactly as long as the input, and without an offset. */
function expectPlayed(heard: readonly [Int16Array, Int16Array], octets: Uint8Array): void {
  const samples = octets.length / 2;
  for (const channel of [0, 1] as const) {
    expect(heard[channel].length).toBe(samples);
    if (samples < RATE) continue;
    const said = Float64Array.from({ length: samples }, (_, at) =>
      decodeSample("PCMU", octets[at * 2 + channel] as number),
    );
    const atPlace = likeness(said, heard[channel], 0);
    expect(atPlace).toBeGreaterThan(0.97);
    for (const lag of [-3, -1, 1, 3]) expect(likeness(said, heard[channel], lag)).toBeLessThan(atPlace);
  }
}

describe.skipIf(ffmpeg === "" || ffprobe === "" || sox === "")("MP3 files", () => {
  test.each([1_200, 4_000, 8_000, 9_876, 80_000, 123_457])(
    "of %i samples are played as they were said",
    async (samples) => {
      const octets = twoVoices(samples);
      expectPlayed(decoded(await mp3Of(octets)), octets);
    },
  );

  test("are stereo at 8 kHz and 32 kbit/s, and end where they should", async () => {
    const mp3 = await mp3Of(rawTones(60 * RATE, 440, 1_000));
    const read = JSON.parse(
      execFileSync(ffprobe, ["-v", "error", "-show_streams", "-show_format", "-of", "json", mp3], { encoding: "utf8" }),
    ) as { streams: object[]; format: { duration: string } };
    expect(read.streams).toMatchObject([{ codec_name: "mp3", sample_rate: "8000", channels: 2 }]);
    expect(Math.abs(Number(read.format.duration) - 60)).toBeLessThan(0.25);
    expect(readFileSync(mp3).length / 60).toBeCloseTo(4_000, -2);
    const said = execFileSync(sox, ["--i", mp3], { encoding: "utf8" });
    expect(said).toMatch(/Channels +: 2\b/);
    expect(said).toMatch(/Sample Rate +: 8000\b/);
  });

  test("have each party on its own channel over the whole length", async () => {
    const mp3 = await mp3Of(rawTones(20 * RATE, 440, 1_000));
    const [left, right] = decoded(mp3);
    for (let second = 0; second < 20; second++) {
      const within = (channel: Int16Array) => channel.subarray(second * RATE, (second + 1) * RATE);
      expect(powerOf(within(left), 440) / powerOf(within(left), 1_000)).toBeGreaterThan(300);
      expect(powerOf(within(right), 1_000) / powerOf(within(right), 440)).toBeGreaterThan(300);
    }
    for (const [channel, hz] of [
      ["1", 440],
      ["2", 1_000],
    ] as const) {
      for (const from of ["0.2", "5", "10", "18"]) {
        const args = [mp3, "-n", "remix", channel, "trim", from, "1", "stat"];
        const stat = execFileSync("sh", ["-c", 'exec "$0" "$@" 2>&1', sox, ...args], { encoding: "utf8" });
        const rough = Number(/Rough +frequency: +(\d+)/.exec(stat)?.[1]);
        // SoX's estimate is rough.
        expect(Math.abs(rough - hz)).toBeLessThan(60);
      }
    }
  });
});

describe.skipIf(lame === "" || ffmpeg === "")("Debian's lame", () => {
  test.each([1_200, 8_000, 123_457])("makes files of %i samples that are played as they were said", async (samples) => {
    const octets = twoVoices(samples);
    expectPlayed(decoded(await mp3Of(octets, lameEncoder(lame))), octets);
  });

  test("that fails, or is not there, is reported with its reason", async () => {
    await expect(mp3Of(twoVoices(80_000), lameEncoder("/usr/bin/false"))).rejects.toThrow(/false ended with 1/);
    await expect(mp3Of(twoVoices(8_000), lameEncoder("/no/lame"))).rejects.toThrow(/ENOENT/);
  });
});
