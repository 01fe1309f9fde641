import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { fliteWorkerFile } from "../../../test/fakes/worker-file.ts";
import { encodeSample } from "../../wire/rtp/g711.ts";
import { KeyTones } from "../../wire/rtp/key-tones.ts";
import { CommandEngine } from "./command-engine.ts";
import { FliteEngine } from "./flite-engine.ts";
import { HttpEngine } from "./http-engine.ts";
import { sentencesOf } from "./sentences.ts";

const never = new AbortController().signal;
const powerOf = (samples: Int16Array) => samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;

/** A second of a 1 kHz tone, sampled at 16 kHz, as a WAV file. */
function wavFile(): Buffer {
  const samples = Int16Array.from({ length: 16_000 }, (_, at) => 8000 * Math.sin((2 * Math.PI * 1000 * at) / 16_000));
  const head = Buffer.alloc(44);
  head.write("RIFF", 0);
  head.write("WAVEfmt ", 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(16_000, 24);
  head.writeUInt32LE(32_000, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write("data", 36);
  // The length that programs write when they do not know it yet.
  head.writeUInt32LE(0x7ffff000, 40);
  return Buffer.concat([head, Buffer.from(samples.buffer)]);
}

describe("a text is cut into parts", () => {
  test("at the ends of sentences, short ones together", () => {
    const long = "This sentence is long enough to stand alone, because it has more than sixty letters.";
    expect(sentencesOf(`Hello. How are you? ${long} Bye.`)).toEqual([`Hello. How are you? ${long}`, "Bye."]);
    expect(sentencesOf("Version 1.5 costs $2.50 today")).toEqual(["Version 1.5 costs $2.50 today"]);
  });

  test("of which none is long, and which are the text together", () => {
    const word = fc.string({ unit: fc.constantFrom(..."abc.,;!? 🙂é"), maxLength: 400 });
    fc.assert(
      fc.property(word, (text) => {
        const spaceless = (given: string) => given.replace(/\s/g, "");
        const parts = sentencesOf(text);
        expect(spaceless(parts.join(""))).toBe(spaceless(text));
        for (const part of parts) {
          expect(part.length).toBeLessThanOrEqual(240);
          expect(part.isWellFormed()).toBe(true);
        }
      }),
    );
  });
});

describe("cutting a text takes processor time", () => {
  const processorMs = (text: string, times: number) => {
    const begun = process.cpuUsage();
    for (let at = 0; at < times; at++) sentencesOf(text);
    const { user, system } = process.cpuUsage(begun);
    return (user + system) / 1000;
  };

  test.each([".", "?!", '."', ". ", ".x", ",", " ", "🙂"])(
    "for each character, not for each pair of characters, of '%s' again and again",
    (unit) => {
      const many = processorMs(`${unit.repeat(500)}x`, 64);
      // The same number of characters in total. The constant allows for other work of the process.
      const long = processorMs(`${unit.repeat(4_000)}x`, 8);
      expect(long).toBeLessThan(3 * many + 100);
    },
  );
});

describe("the embedded engine", async () => {
  const engine = new FliteEngine({ voice: "slt", workerFile: await fliteWorkerFile(), threadsMax: 1 });
  afterAll(() => engine.close());

  test("speaks, the same every time", async () => {
    const spoken = await engine.make("The office is closed today.", never);
    expect(spoken.length).toBeGreaterThan(8_000);
    expect(spoken.length).toBeLessThan(40_000);
    expect(powerOf(spoken)).toBeGreaterThan(10_000);
    expect(await engine.make("The office is closed today.", never)).toEqual(spoken);
  });

  test.each(["-o /etc/passwd", "%s%n", "$(reboot)", "Crème brûlée – “fine” …", "x".repeat(60)])(
    "takes every text for a text: %s",
    async (text) => {
      expect((await engine.make(text, never)).length).toBeGreaterThan(1_000);
    },
  );

  test("says nothing where there is nothing to say, and fails where it cannot say it", async () => {
    expect(await engine.make("… !?", never)).toHaveLength(0);
    await expect(engine.make("你好", never)).rejects.toThrow("English");
  });

  test("is not taken for keys", async () => {
    const text = "Eleven men went to a meadow where they mowed a more or less moist lawn under the moon. Oh, do you?";
    const spoken = await engine.make(text, never);
    const octets = Uint8Array.from(spoken, (sample) => encodeSample("PCMU", sample));
    expect(new KeyTones().hear(octets, 0, octets.length, "PCMU")).toBeUndefined();
  });

  test("is stopped in the midst of its work, and speaks again afterwards", async () => {
    const stop = new AbortController();
    const stopped = engine.make("1234567890 ".repeat(20), stop.signal);
    const waiting = engine.make("Next.", never);
    stop.abort();
    await expect(stopped).rejects.toThrow("no longer wanted");
    expect((await waiting).length).toBeGreaterThan(1_000);
  });

  test("that dies fails what it was asked, and nothing else", async () => {
    const broken = new FliteEngine({
      voice: "slt",
      workerFile: new URL("../../../test/fakes/ending-worker.mjs", import.meta.url),
      threadsMax: 2,
    });
    const outcomes = await Promise.allSettled([broken.make("One.", never), broken.make("Two.", never)]);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    await broken.close();
  });
});

describe("a program of the machine", () => {
  const script = (body: string) => new CommandEngine([process.execPath, "-e", body], 1);
  const speak = `process.stdin.resume(); process.stdin.on("end", () => process.stdout.write(Buffer.from("${wavFile().toString("base64")}", "base64")))`;

  test("speaks at 8 kHz", async () => {
    const spoken = await script(speak).make("Hello", never);
    expect(spoken).toHaveLength(8_000);
    expect(powerOf(spoken.subarray(100, -100))).toBeCloseTo(32e6, -6);
  });

  test("that fails, is missing or makes noise is a fault with its reason", async () => {
    await expect(script('console.error("no voice"); process.exit(3)').make("Hello", never)).rejects.toThrow(
      "ended with 3: no voice",
    );
    await expect(script('console.log("hello")').make("Hello", never)).rejects.toThrow("it is no WAV");
    await expect(new CommandEngine(["/no/such/program"]).make("Hello", never)).rejects.toThrow("ENOENT");
  });

  test("that stalls is killed", async () => {
    const engine = script("setInterval(() => {}, 1000)");
    const stop = new AbortController();
    const stalled = engine.make("Hello", stop.signal);
    const waiting = engine.make("Hello", stop.signal);
    stop.abort();
    await expect(stalled).rejects.toThrow();
    await expect(waiting).rejects.toThrow();
  });
});

describe("a service", () => {
  const closing: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });

  async function serviceOf(answer: (body: string) => { status: number; body: Buffer | string }) {
    const seen: { body: unknown; authorization: string | undefined }[] = [];
    const server = createServer((request, response) => {
      let body = "";
      request.on("data", (part) => (body += part));
      request.on("end", () => {
        seen.push({ body: JSON.parse(body), authorization: request.headers.authorization });
        const { status, body: answered } = answer(body);
        response.writeHead(status).end(answered);
      });
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/speak`;
    const engine = new HttpEngine({ url, authorization: "Bearer hush", voice: "anna", language: "de" });
    closing.push(
      () => engine.close(),
      () => server.close(),
    );
    return { engine, seen };
  }

  test("is asked with text, voice and language", async () => {
    const { engine, seen } = await serviceOf(() => ({ status: 200, body: wavFile() }));
    expect(await engine.make("Hallo", never)).toHaveLength(8_000);
    expect(seen).toEqual([{ body: { text: "Hallo", voice: "anna", language: "de" }, authorization: "Bearer hush" }]);
  });

  test.each([
    [500, "sorry", "answered 500"],
    [200, "hello", "it is no WAV"],
  ])("that answers %i %s is a fault", async (status, body, reason) => {
    const { engine } = await serviceOf(() => ({ status, body }));
    await expect(engine.make("Hallo", never)).rejects.toThrow(reason);
  });
});
