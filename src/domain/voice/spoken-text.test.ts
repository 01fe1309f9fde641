import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { VirtualClock } from "../../../test/fakes/virtual-clock.ts";
import type { SpokenText } from "./ports.ts";
import { KEY_PROMPT, readSpokenText, spokenAudio } from "./spoken-text.ts";

describe("a text", () => {
  test.each([
    ["Goodbye.", "Goodbye."],
    ["  It is\n\tnine   o'clock. ", "It is nine o'clock."],
    ["1 < 2, and 3 > 2", "1 < 2, and 3 > 2"],
    ["Grüße, 世界! 🙂", "Grüße, 世界! 🙂"],
    ["x".repeat(4000), "x".repeat(4000)],
    ["🙂".repeat(4000), "🙂".repeat(4000)],
    ["", ""],
  ])("is spoken as it stands: %j", (text, spoken) => {
    expect(readSpokenText(text, 4000)).toEqual({ ok: true, value: spoken });
  });

  test.each([
    ["x".repeat(4001), "4000 characters"],
    ["Bell\u0007", "control characters"],
    ["Null\0", "control characters"],
    ["C1\u009b31m", "control characters"],
    ["half \ud83d", "control characters"],
    ["<speak>Hello</speak>", "SSML"],
    ["Hello<break time='3s'/>", "SSML"],
    ["<?xml version='1.0'?>", "SSML"],
    ["<!DOCTYPE speak>", "SSML"],
  ])("that is no plain text is refused: %j", (text, reason) => {
    expect(readSpokenText(text, 4000)).toMatchObject({ ok: false, refusal: expect.stringContaining(reason) });
  });

  test("is read or refused, whatever it is, and is never longer than it may be", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 100 }), (text) => {
        const read = readSpokenText(text, 50);
        if (read.ok) expect([...read.value].length).toBeLessThanOrEqual(50);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be there.
        if (read.ok) expect(read.value).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
      }),
    );
  });

  test("that asks for a key by default may be said", () => {
    expect(readSpokenText(KEY_PROMPT, 500)).toEqual({ ok: true, value: KEY_PROMPT });
  });
});

describe("its audio", () => {
  const clock = new VirtualClock();
  const failures: string[] = [];
  const audioOf = (parts: (stop: AbortSignal) => AsyncIterable<Int16Array>) => {
    failures.length = 0;
    const deps = { speech: { say: (_spoken: SpokenText, stop: AbortSignal) => parts(stop) }, clock };
    return spokenAudio({ ...deps, failed: (reason) => failures.push(reason) }, { accountSid: "AC1", text: "Hello." });
  };

  test("ends where the engine fails, which is reported once, and is passed on until then", async () => {
    const audio = audioOf(async function* () {
      yield Int16Array.of(1);
      throw new Error("it broke");
    });
    expect(await audio.next()).toEqual({ done: false, value: Int16Array.of(1) });
    expect(await audio.next()).toMatchObject({ done: true });
    expect(failures).toEqual(["it broke"]);
  });

  test("that no one wants any more stops the engine, which is no failure", async () => {
    let isStopped = false;
    const audio = audioOf(async function* (stop) {
      stop.addEventListener("abort", () => {
        isStopped = true;
      });
      for (;;) yield Int16Array.of(1);
    });
    await audio.next();
    await audio.return();
    expect(isStopped).toBe(true);
    expect(failures).toEqual([]);
    expect(clock.waiting).toBe(0);
  });

  test("stops the engine also while a part is awaited", async () => {
    const audio = audioOf(async function* (stop) {
      await new Promise((_, reject) => stop.addEventListener("abort", () => reject(new Error("stopped"))));
      yield Int16Array.of(1);
    });
    const part = audio.next();
    await audio.return();
    expect(await part).toEqual({ done: true, value: undefined });
    expect(failures).toEqual([]);
    expect(clock.waiting).toBe(0);
  });

  test("may take as long as it wants, while its parts come in time", async () => {
    const audio = audioOf(async function* () {
      for (let part = 0; part < 3; part++) {
        await new Promise<void>((resolve) => void clock.after(14_000, resolve));
        yield Int16Array.of(part);
      }
    });
    for (let part = 0; part < 3; part++) {
      const next = audio.next();
      await clock.advance(14_000);
      expect(await next).toEqual({ done: false, value: Int16Array.of(part) });
    }
    expect(failures).toEqual([]);
  });
});
