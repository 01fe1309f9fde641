import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { rawTones } from "../../../test/fakes/raw-segment.ts";
import { VirtualClock } from "../../../test/fakes/virtual-clock.ts";
import { mp3EncoderFile } from "../../../test/fakes/worker-file.ts";
import type { Program, ProgramOwner } from "../program.ts";
import { GO_ON } from "../worker-pool.ts";
import { type SegmentOrder, SHORT_SAMPLES } from "./encode-segment.ts";
import { EncoderPool, type EncoderPoolOptions } from "./encoder-pool.ts";

const folder = mkdtempSync(join(tmpdir(), "tandem-encoders-"));
let program: URL;
let pool: EncoderPool;

beforeAll(async () => {
  program = await mp3EncoderFile();
});
afterEach(() => pool.close());
afterAll(() => rmSync(folder, { recursive: true }));

function newPool(options: EncoderPoolOptions = {}): EncoderPool {
  pool = new EncoderPool({ program, places: 2, ...options });
  return pool;
}

/** A program that runs `what` when it receives an order. */
function programThat(what: string): URL {
  const file = join(folder, `${what.replace(/\W/g, "").slice(0, 40)}.mjs`);
  writeFileSync(file, `process.on("message", (order) => { ${what} });`);
  return pathToFileURL(file);
}

/** The processes that encode for this one. */
function pids(): readonly number[] {
  const children = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, "utf8").trim().split(" ");
  return children
    .filter((pid) => pid !== "" && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("mp3-encoder"))
    .map(Number);
}

function orderOf(name: string, samples = 800) {
  const raw = join(folder, `${name}.raw`);
  writeFileSync(raw, rawTones(samples, 440, 1000));
  return { accountSid: "AC1", samples, channels: 2 as const, raw, mp3: join(folder, `${name}.mp3`) };
}

test("a hundred at once are encoded by no more processes than there may be, of the lowest priority", async () => {
  const encoders = newPool();
  let most = 0;
  const done = Array.from({ length: 100 }, async (_, n) => {
    const segment = await encoders.encode(orderOf(`many-${n}`, 100 + n));
    most = Math.max(most, encoders.size);
    return segment.samples;
  });
  await expect.poll(pids).toHaveLength(2);
  for (const pid of pids()) {
    // The program lowers its priority when it starts; nice is the 19th field.
    const nice = () => readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ")[16];
    await expect.poll(nice, { timeout: 120_000 }).toBe("19");
  }
  expect(await Promise.all(done)).toEqual(Array.from({ length: 100 }, (_, n) => 100 + n));
  expect(most).toBe(2);
});

test("a process that is killed fails its order alone", async () => {
  const encoders = newPool({ places: 1 });
  const first = encoders.encode(orderOf("killed", 8_000_000));
  const lost = expect(first).rejects.toThrow("the encoder was lost: it ended with SIGKILL");
  await expect.poll(pids).toHaveLength(1);
  const second = encoders.encode(orderOf("next"));
  for (const pid of pids()) process.kill(pid, "SIGKILL");
  await lost;
  expect((await second).samples).toBe(800);
});

test("a process that makes no progress is ended", async () => {
  const encoders = newPool({ program: programThat(""), silenceMs: 50 });
  await expect(encoders.encode(orderOf("silent"))).rejects.toThrow("it made no progress for 0.05 s");
});

test("progress keeps a slow one alive", async () => {
  const slow = `let told = 0; const timer = setInterval(() => { process.send({ kind: "progress" });
    if (++told === 20) { clearInterval(timer); process.send({ kind: "done", value: { samples: 1 } }); } }, 50);`;
  expect(await newPool({ program: programThat(slow), silenceMs: 10_000 }).encode(orderOf("slow"))).toEqual({
    samples: 1,
  });
});

test("a fault is reported with its code, and the process goes on", async () => {
  const encoders = newPool({ places: 1 });
  const missing = { ...orderOf("none"), raw: join(folder, "missing"), mp3: join(folder, "missing.mp3") };
  await expect(encoders.encode(missing)).rejects.toMatchObject({ code: "ENOENT" });
  const [pid] = pids();
  await encoders.encode(orderOf("after"));
  expect(pids()).toEqual([pid]);
});

test("a program that does not exist fails every order", async () => {
  const encoders = newPool({ program: pathToFileURL(join(folder, "no-such-program.mjs")) });
  await expect(encoders.encode(orderOf("none"))).rejects.toThrow("the encoder was lost");
});

test("one that has nothing to do ends, and the next order starts another", async () => {
  const encoders = newPool({ idleMs: 1 });
  await encoders.encode(orderOf("idle"));
  await expect.poll(() => encoders.size, { timeout: 120_000 }).toBe(0);
  expect((await encoders.encode(orderOf("idle-again"))).samples).toBe(800);
});

test("closing refuses what waits and ends what runs", async () => {
  const encoders = newPool({ places: 1 });
  const refused = [1, 2].map((n) => encoders.encode(orderOf(`closing-${n}`, 4_000_000)));
  const told = Promise.all(refused.map((one) => expect(one).rejects.toThrow("closed")));
  await encoders.close();
  await told;
});

test("a long recording gives way to another account's in the middle, and is whole in the end", async () => {
  const encoders = newPool({ places: 1 });
  const ended: string[] = [];
  const encode = async (accountSid: string, name: string, samples: number) => {
    const segment = await encoders.encode({ ...orderOf(name, samples), accountSid });
    ended.push(name);
    return segment.samples;
  };
  const long = encode("AC1", "long", 5 * SHORT_SAMPLES);
  await expect.poll(pids).toHaveLength(1);
  expect(await encode("AC2", "short", 8_000)).toBe(8_000);
  expect(pids()).toHaveLength(2);
  expect(await long).toBe(5 * SHORT_SAMPLES);
  expect(ended).toEqual(["short", "long"]);
});

const MINUTE_MS = 600;

/** An encoder on virtual time: a minute of audio takes 0.6 s. The name of the file says how many minutes it has. */
class VirtualEncoder implements Program {
  readonly #owner: ProgramOwner;
  readonly #clock: VirtualClock;
  readonly #done: string[];
  #name = "";
  #minutes = 0;

  constructor(owner: ProgramOwner, clock: VirtualClock, done: string[]) {
    this.#owner = owner;
    this.#clock = clock;
    this.#done = done;
  }

  hold(): void {}

  kill(): void {
    this.#owner.ended("it was killed");
  }

  send(order: unknown): void {
    if (order !== GO_ON) {
      this.#name = (order as SegmentOrder).raw;
      this.#minutes = Number(this.#name.split(" ")[1]);
    }
    this.#clock.after(MINUTE_MS, () => {
      this.#done.push(this.#name);
      const report = --this.#minutes > 0 ? { kind: "unitDone" } : { kind: "done", value: { samples: 1 } };
      this.#owner.hear(report);
    });
  }
}

function virtualPool(places: number) {
  const clock = new VirtualClock();
  const done: string[] = [];
  const encoders = newPool({ places, start: (owner) => new VirtualEncoder(owner, clock, done) });
  const encode = (accountSid: string, minutes: number) => {
    const raw = `${accountSid} ${minutes}`;
    return encoders.encode({ accountSid, samples: minutes * SHORT_SAMPLES, channels: 2, raw, mp3: "" });
  };
  return { clock, done, encoders, encode };
}

test("accounts take turns, a minute of audio each", async () => {
  const { clock, done, encode } = virtualPool(1);
  await clock.until(Promise.all([encode("a", 4), encode("b", 3), encode("b", 1), encode("c", 1)]));
  expect(done).toEqual(["b 1", "c 1", "a 4", "b 3", "a 4", "b 3", "a 4", "b 3", "a 4"]);
});

test("a short one waits for a minute of each other account for each place, whatever the others have", async () => {
  for (const [places, greedy] of [
    [1, 1],
    [1, 12],
    [2, 12],
    [3, 5],
  ] as const) {
    const { clock, encoders, encode } = virtualPool(places);
    const long = Array.from({ length: 3 * greedy }, (_, at) => encode(`greedy-${at % greedy}`, 240));
    await clock.advance(50 * MINUTE_MS + 1);
    const beganMs = clock.nowMs;
    await clock.until(encode("small", 1));
    // Only so many long ones are begun; the others take no turns yet.
    const begun = Math.min(greedy, places + 4);
    const units = Math.min(begun, Math.ceil(begun / places) + 1);
    expect(clock.nowMs - beganMs).toBeLessThanOrEqual((units + 1) * MINUTE_MS);
    expect(encoders.size).toBeLessThanOrEqual(2 * places + 4);
    await encoders.close();
    await Promise.allSettled(long);
  }
});

test("an account begins no more long ones than are encoded at the same time", async () => {
  const { clock, encoders, encode } = virtualPool(2);
  const long = Array.from({ length: 10 }, () => encode("a", 3));
  await clock.advance(MINUTE_MS);
  expect(encoders.size).toBe(2);
  await clock.until(Promise.all(long));
  expect(encoders.size).toBe(2);
});

test("the program of the machine is used where one is named", async () => {
  await expect(newPool({ lame: "/no/lame" }).encode(orderOf("by-lame"))).rejects.toThrow(/\/no\/lame ENOENT/);
});
