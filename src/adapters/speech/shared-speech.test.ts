import { expect, test } from "vitest";
import { VirtualClock } from "../../../test/fakes/virtual-clock.ts";
import { pause } from "../../base/clock.ts";
import type { SpeechEngine } from "./engine.ts";
import { sentencesOf } from "./sentences.ts";
import { SharedSpeech } from "./shared-speech.ts";

const never = () => new AbortController().signal;
const LONG = "This sentence is long enough to stand alone, because it has more than sixty letters.";
const PART_MS = 200;

/** A text of so many sentences, none of which is in another text. */
const textOf = (name: string, sentences: number) =>
  Array.from({ length: sentences }, (_, at) => LONG.replace("This", `${name} ${at}, which`)).join(" ");

/** An engine that takes a fifth of a second for each part, on virtual time, and fails at "bad". */
function engineOf(places = 1) {
  const clock = new VirtualClock();
  const asked: string[] = [];
  let atOnceMax = 0;
  let atOnce = 0;
  const engine: SpeechEngine = {
    places,
    async make(text, stop) {
      asked.push(text);
      atOnceMax = Math.max(atOnceMax, ++atOnce);
      await pause(clock, PART_MS);
      atOnce--;
      if (stop.aborted) throw new Error("it is no longer wanted");
      if (text.includes("bad")) throw new Error("cannot be said");
      return new Int16Array(100);
    },
    close: async () => undefined,
  };
  return { clock, asked, engine, atOnceMax: () => atOnceMax };
}

async function say(speech: SharedSpeech, accountSid: string, text: string, stop = never()): Promise<number> {
  let count = 0;
  for await (const part of speech.say({ accountSid, text }, stop)) count += part.length;
  return count;
}

/** Whose sentences were made, in order. */
const owners = (asked: readonly string[]) => asked.map((text) => text.charAt(0)).join("");

test("speech is made part by part, as it is wanted", async () => {
  const { clock, asked, engine } = engineOf();
  const parts = new SharedSpeech(engine).say({ accountSid: "AC1", text: `${LONG} ${LONG}!` }, never());
  await clock.until(parts.next());
  expect(asked).toHaveLength(1);
  await clock.until(parts.next());
  expect(asked).toHaveLength(2);
  expect((await parts.next()).done).toBe(true);
});

test("a long text gives way after each sentence", async () => {
  const { clock, asked, engine } = engineOf();
  const speech = new SharedSpeech(engine);
  const long = [1, 2, 3].map((call) => say(speech, "a", textOf(`a${call}`, 4)));
  await clock.advance(PART_MS / 2);
  const others = [say(speech, "b", textOf("b", 2)), say(speech, "c", "cheers")];
  await clock.until(Promise.all([...long, ...others]));
  expect(owners(asked)).toBe(`abcab${"a".repeat(10)}`);
});

test("a short notice waits for one sentence of each other account, however much they have to say", async () => {
  for (const greedy of [1, 3, 10]) {
    const { clock, engine } = engineOf();
    const speech = new SharedSpeech(engine);
    const texts = Array.from({ length: 20 * greedy }, (_, at) => {
      const text = textOf(`greedy ${at}`, 40);
      expect([text.length > 3_500, sentencesOf(text).length]).toEqual([true, 40]);
      return say(speech, `greedy ${at % greedy}`, text);
    });
    await clock.advance(7 * PART_MS + 1);
    const beganMs = clock.nowMs;
    await clock.until(say(speech, "small", "The office is closed."));
    expect(clock.nowMs - beganMs).toBeLessThanOrEqual((greedy + 1) * PART_MS);
    await clock.until(Promise.all(texts));
  }
});

test("one account never has all places, if there are several", async () => {
  const { clock, engine, atOnceMax } = engineOf(3);
  const speech = new SharedSpeech(engine);
  const texts = Array.from({ length: 10 }, (_, at) => say(speech, "a", textOf(`a${at}`, 3)));
  await clock.advance(PART_MS + 1);
  const beganMs = clock.nowMs;
  await clock.until(say(speech, "b", "Hello."));
  expect(clock.nowMs - beganMs).toBe(PART_MS);
  await clock.until(Promise.all(texts));
  expect(atOnceMax()).toBe(3);
});

test("a text that is no longer wanted is not made, and delays no other", async () => {
  const { clock, asked, engine } = engineOf();
  const speech = new SharedSpeech(engine);
  const stop = new AbortController();
  const first = say(speech, "a", "first");
  const unwanted = say(speech, "b", "unwanted", stop.signal);
  const next = say(speech, "b", "next");
  stop.abort();
  await expect(unwanted).rejects.toThrow("no longer wanted");
  await clock.until(Promise.all([first, next]));
  expect(asked).toEqual(["first", "next"]);
});

test("a part that fails frees its place", async () => {
  const { clock, engine } = engineOf();
  const speech = new SharedSpeech(engine);
  const failing = say(speech, "a", "bad");
  const next = say(speech, "a", "next");
  await expect(clock.until(failing)).rejects.toThrow("cannot be said");
  expect(await clock.until(next)).toBe(100);
});

test("what calls say at the same time is made once", async () => {
  const { clock, asked, engine } = engineOf();
  const speech = new SharedSpeech(engine);
  await clock.until(Promise.all(Array.from({ length: 5 }, () => say(speech, "a", "the same"))));
  expect(asked).toEqual(["the same"]);
});

test("what was made is remembered, the oldest is forgotten, and a failure is not remembered", async () => {
  const { clock, asked, engine } = engineOf();
  const speech = new SharedSpeech(engine, 2_200);
  for (const text of ["one", "two", "one", "three", "one", "two"]) {
    expect(await clock.until(say(speech, "a", text))).toBe(100);
  }
  expect(asked).toEqual(["one", "two", "three", "two"]);
  for (let tried = 0; tried < 2; tried++) {
    await expect(clock.until(say(speech, "a", "bad"))).rejects.toThrow("cannot be said");
  }
  expect(asked.slice(4)).toEqual(["bad", "bad"]);
});
