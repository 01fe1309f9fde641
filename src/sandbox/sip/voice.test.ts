import { afterEach, expect, test } from "vitest";
import { correlation } from "../../../test/fakes/correlation.ts";
import { RtpPhone } from "../../../test/fakes/rtp-phone.ts";
import { KeyTones } from "../../wire/rtp/key-tones.ts";
import { PhoneVoice } from "./voice.ts";

const UNTIL = { timeout: 120_000, interval: 10 };
const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function speaking(sound: number | Promise<Int16Array>): Promise<{ voice: PhoneVoice; listener: RtpPhone }> {
  const listener = await RtpPhone.open();
  const voice = await PhoneVoice.open("127.0.0.1", sound);
  closing.push(
    () => listener.close(),
    () => voice.close(),
  );
  voice.speakTo("127.0.0.1", listener.port);
  return { voice, listener };
}

test("a telephone says its sentence once it is made, and again after a pause", async () => {
  const sentence = Int16Array.from({ length: 4000 }, (_, at) => 6000 * Math.sin(at * at * 2e-5));
  const { listener } = await speaking(Promise.resolve(sentence));
  await expect.poll(() => listener.samples("PCMU").length, UNTIL).toBeGreaterThan(2 * 4000 + 8000);
  const heard = listener.samples("PCMU");
  expect(correlation(sentence, heard)).toBeGreaterThan(0.99);
  expect(correlation(sentence, heard.slice(8000))).toBeGreaterThan(0.95);
});

test("a telephone without a sentence is silent", async () => {
  const { listener } = await speaking(Promise.reject(new Error("no engine")));
  await expect.poll(() => listener.heard.length, UNTIL).toBeGreaterThan(3);
  expect(listener.samples("PCMU").every((sample) => Math.abs(sample) < 10)).toBe(true);
});

test("a telephone presses a key as a tone", async () => {
  const { voice, listener } = await speaking(440);
  voice.whistle("7", 100);
  const tones = new KeyTones();
  let place = 0;
  const pressed = () => {
    let key: string | undefined;
    for (; place < listener.heard.length; place++) {
      const { octets, start, end } = listener.heard[place] as RtpPhone["heard"][number];
      key ??= tones.hear(octets, start, end, "PCMU");
    }
    return key;
  };
  await expect.poll(pressed, UNTIL).toBe("7");
});
