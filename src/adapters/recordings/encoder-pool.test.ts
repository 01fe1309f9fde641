import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { rawTones } from "../../../test/fakes/raw-segment.ts";
import { mp3EncoderFile } from "../../../test/fakes/worker-file.ts";
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
  pool = new EncoderPool({ program, sizeMax: 2, ...options });
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
  return { raw, mp3: join(folder, `${name}.mp3`) };
}

test("a hundred at once are encoded by no more processes than there may be, of the lowest priority", async () => {
  const encoders = newPool();
  let most = 0;
  const done = Array.from({ length: 100 }, async (_, n) => {
    const segment = await encoders.encode(orderOf(`many-${n}`, 100 + n));
    most = Math.max(most, encoders.size);
    return segment.samples;
  });
  expect(pids()).toHaveLength(2);
  for (const pid of pids()) {
    // The program lowers its priority when it starts; nice is the 19th field.
    const nice = () => readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ")[16];
    await expect.poll(nice, { timeout: 120_000 }).toBe("19");
  }
  expect(await Promise.all(done)).toEqual(Array.from({ length: 100 }, (_, n) => 100 + n));
  expect(most).toBe(2);
});

test("a process that is killed fails its order alone", async () => {
  const encoders = newPool({ sizeMax: 1 });
  const [first, second] = [encoders.encode(orderOf("killed", 8_000_000)), encoders.encode(orderOf("next"))];
  const lost = expect(first).rejects.toThrow("the encoder was lost: it ended with SIGKILL");
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
  const encoders = newPool({ sizeMax: 1 });
  const missing = { raw: join(folder, "missing"), mp3: join(folder, "missing.mp3") };
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
  const encoders = newPool({ sizeMax: 1 });
  const refused = [1, 2].map((n) => encoders.encode(orderOf(`closing-${n}`, 4_000_000)));
  const told = Promise.all(refused.map((one) => expect(one).rejects.toThrow("closed")));
  await encoders.close();
  await told;
});

test("the program of the machine is used where one is named", async () => {
  await expect(newPool({ lame: "/no/lame" }).encode(orderOf("by-lame"))).rejects.toThrow(/\/no\/lame ENOENT/);
});
