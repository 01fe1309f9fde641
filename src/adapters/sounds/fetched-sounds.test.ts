import { describe, expect, test } from "vitest";
import { ok, refused } from "../../base/result.ts";
import { FetchedSounds, type FetchedSoundsDeps } from "./fetched-sounds.ts";

const URL = "https://example.com/hello.wav";

/** A WAV file of 8 kHz with one channel of mu-law silence. */
function wav(samples: number): Uint8Array {
  const file = Buffer.alloc(44 + samples, 0xff);
  file.write("RIFF....WAVEfmt ");
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(7, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(8_000, 24);
  file.writeUInt32LE(8_000, 28);
  file.writeUInt16LE(1, 32);
  file.writeUInt16LE(8, 34);
  file.write("data", 36);
  file.writeUInt32LE(samples, 40);
  return file;
}

const sounds = (fetch: FetchedSoundsDeps["fetch"]) => new FetchedSounds({ fetch });
const of = (bytes: Uint8Array, contentType = "audio/wav") => sounds(async () => ok({ bytes, contentType }));

/** The lengths of the parts of a sound that is played to its end. */
async function played(
  from: FetchedSounds,
  accountSid = "AC1",
  stop = new AbortController(),
): Promise<readonly number[]> {
  const lengths: number[] = [];
  for await (const part of from.play({ accountSid, url: URL }, stop.signal)) lengths.push(part.length);
  stop.abort();
  return lengths;
}

test("a sound comes in parts of a second", async () => {
  expect(await played(of(wav(20_000)))).toEqual([8_000, 8_000, 4_000]);
});

describe("no sound comes", () => {
  test("when the file does not come", async () => {
    const gone = sounds(async () => refused({ detail: "The server answered 404." }));
    await expect(played(gone)).rejects.toThrow(`${URL}: The server answered 404.`);
  });

  test("of another kind of file", async () => {
    const music = of(Buffer.from("ID3 and more than twelve octets"), "audio/mpeg");
    await expect(played(music)).rejects.toThrow(
      `${URL} is audio/mpeg, and no WAV file that can be played: it is no WAV.`,
    );
  });

  test("when it was stopped while the file was fetched", async () => {
    const stop = new AbortController();
    const slow = sounds(async () => {
      stop.abort();
      return ok({ bytes: wav(8_000), contentType: "audio/wav" });
    });
    expect(await played(slow, "AC1", stop)).toEqual([]);
  });
});

test("an account holds a bounded amount of sound in memory, until each sound ends or is stopped", async () => {
  const long = of(wav(9 * 1024 * 1024));
  const begin = async (accountSid: string) => {
    const stop = new AbortController();
    const parts = long.play({ accountSid, url: URL }, stop.signal);
    await parts.next();
    return () => stop.abort();
  };
  const end = await begin("AC1");
  await expect(begin("AC1")).rejects.toThrow("too many sounds at the same time");
  (await begin("AC2"))();
  end();
  (await begin("AC1"))();
  (await begin("AC1"))();
});

test("an account fetches a few files at a time", async () => {
  const answers: (() => void)[] = [];
  const slow = sounds(
    () => new Promise((resolve) => answers.push(() => resolve(ok({ bytes: wav(10), contentType: "audio/wav" })))),
  );
  const all = Array.from({ length: 9 }, () => played(slow));
  await new Promise((resolve) => void setImmediate(resolve));
  expect(answers).toHaveLength(8);
  for (let at = 0; at < 9; at++) {
    answers[at]?.();
    await all[at];
  }
  expect(answers).toHaveLength(9);
});
