import { describe, expect, test } from "vitest";
import { ok, refused } from "../../base/result.ts";
import { FetchedSounds, type FetchedSoundsDeps, type SoundFile, type SoundVersion } from "./fetched-sounds.ts";

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

type FetchNewer = FetchedSoundsDeps["files"]["fetchNewer"];
type Decode = FetchedSoundsDeps["decoder"]["decode"];

const sounds = (
  fetchNewer: FetchNewer,
  decode: Decode = async () => Promise.reject(new Error("no MP3 was expected")),
) => new FetchedSounds({ files: { fetchNewer }, decoder: { decode } });
const media = (bytes: Uint8Array, more: Partial<SoundFile> = {}) =>
  ok({ bytes, contentType: "audio/wav", version: undefined, ...more } as const);
const of = (bytes: Uint8Array) => sounds(async () => media(bytes));

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
    const page = sounds(async () => media(Buffer.from("%PDF-1.4 and more"), { contentType: "application/pdf" }));
    await expect(played(page)).rejects.toThrow(
      `${URL} is application/pdf, and no WAV or MP3 file that can be played: it is no WAV.`,
    );
  });

  test("of an MP3 file that cannot be decoded", async () => {
    const noise = sounds(
      async () => media(Buffer.from("ID3"), { contentType: "audio/mpeg" }),
      () => Promise.reject(new Error("it has no MPEG audio")),
    );
    await expect(played(noise)).rejects.toThrow(
      `${URL} is audio/mpeg, and no WAV or MP3 file that can be played: it has no MPEG audio.`,
    );
  });

  test("when it was stopped while the file was fetched", async () => {
    const stop = new AbortController();
    const slow = sounds(async () => {
      stop.abort();
      return media(wav(8_000));
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
  const slow = sounds(() => new Promise((resolve) => answers.push(() => resolve(media(wav(10))))));
  const all = Array.from({ length: 9 }, () => played(slow));
  await new Promise((resolve) => void setImmediate(resolve));
  expect(answers).toHaveLength(8);
  for (let at = 0; at < 9; at++) {
    answers[at]?.();
    await all[at];
  }
  expect(answers).toHaveLength(9);
});

test("an MP3 file is decoded", async () => {
  const music = sounds(
    async () => media(Buffer.from("ID3"), { contentType: "audio/mpeg" }),
    async () => new Int16Array(9_000),
  );
  expect(await played(music)).toEqual([8_000, 1_000]);
});

describe("a sound is kept", () => {
  const version: SoundVersion = { url: URL, etag: '"1"', lastModified: undefined };

  test("while its server says that it is the same, for its account alone", async () => {
    const known: unknown[] = [];
    const server = sounds(async (_url, one) => {
      known.push(one?.etag);
      return one?.etag === '"2"' ? ok(undefined) : media(wav(8_000 * (known.length + 1)), { version: next });
    });
    let next = version;
    expect(await played(server)).toHaveLength(2);
    next = { ...version, etag: '"2"' };
    expect(await played(server), "it has changed").toHaveLength(3);
    expect(await played(server), "it is the same").toHaveLength(3);
    await played(server, "AC2");
    expect(known).toEqual([undefined, '"1"', '"2"', undefined]);
  });

  test("not when its server cannot tell, nor when it failed", async () => {
    const known: unknown[] = [];
    let answer: Awaited<ReturnType<FetchNewer>> = media(wav(8_000), { version });
    const server = sounds(async (_url, one) => {
      known.push(one?.etag);
      return answer;
    });
    await played(server);
    answer = media(Buffer.from("%PDF-1.4 and more"), { contentType: "application/pdf", version });
    await expect(played(server)).rejects.toThrow("no WAV");
    answer = media(wav(8_000));
    await played(server);
    await played(server);
    expect(known).toEqual([undefined, '"1"', '"1"', undefined]);
  });
});
