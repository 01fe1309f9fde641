// How fast recordings become MP3 files on one core, in stereo at 8 kHz: ours, LAME as WebAssembly in a process of its
// own with reading back and checksums, compared with Debian's `lame` on the same audio in the same run; and a hundred
// recordings that end at the same time. Speeds are seconds of audio for each second of processor time.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { EncoderPool } from "../src/adapters/recordings/encoder-pool.ts";
import { TO_LINEAR } from "../src/wire/rtp/g711.ts";
import { endedChildrenMs } from "./load/processor-time.ts";
import { median, printResult } from "./load/result.ts";
import { conversation } from "./recordings/conversation.ts";

const SECONDS = 300;
const ROUNDS = 3;
const SHORT_SECONDS = 30;
const AT_ONCE = 100;
const WANTED = 80;

const folder = mkdtempSync(join(tmpdir(), "tandem-recordings-bench-"));
const program = pathToFileURL(join(import.meta.dirname, "../dist/mp3-encoder.js"));

try {
  const raw = join(folder, "call.raw");
  const octets = conversation(SECONDS);
  writeFileSync(raw, octets);
  const pcm = join(folder, "call.pcm");
  writeFileSync(
    pcm,
    Int16Array.from(octets, (octet) => TO_LINEAR.PCMU[octet] as number),
  );
  const ours: number[] = [];
  const lame: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    lame.push(speedOf(`taskset -c 0 lame --quiet -r -s 8 -b 32 -m j ${pcm} ${join(folder, "lame.mp3")}`));
    ours.push(await oursSpeed(raw, round));
    console.log(`lame ${lame.at(-1)} ×, ours ${ours.at(-1)} ×`);
  }
  const atOnce = await manyAtOnce();
  const [oursTimes, lameTimes] = [median(ours), median(lame)];
  const ratio = Math.round((oursTimes / lameTimes) * 100) / 100;
  if (oursTimes < WANTED) process.exitCode = 1;
  printResult("recordings", { ratio, oursTimes, lameTimes, wanted: WANTED, atOnce });
} finally {
  rmSync(folder, { recursive: true });
}

/** The processor time of a child process is counted when it has ended, and includes its start. */
async function oursSpeed(raw: string, round: number): Promise<number> {
  const beforeMs = endedChildrenMs();
  const pool = new EncoderPool({ program, places: 1 });
  await pool.encode({
    accountSid: "AC1",
    samples: SECONDS * 8_000,
    channels: 2,
    raw,
    mp3: join(folder, `${round}.mp3`),
  });
  await pool.close();
  return Math.round((SECONDS * 1000) / (endedChildrenMs() - beforeMs));
}

function speedOf(command: string): number {
  const beforeMs = endedChildrenMs();
  spawnSync("bash", ["-c", command]);
  return Math.round((SECONDS * 1000) / (endedChildrenMs() - beforeMs));
}

async function manyAtOnce() {
  const raw = join(folder, "short.raw");
  writeFileSync(raw, conversation(SHORT_SECONDS));
  const pool = new EncoderPool({ program });
  const startMs = performance.now();
  let processes = 0;
  const done = Array.from({ length: AT_ONCE }, async (_, n) => {
    await pool.encode({
      accountSid: "AC1",
      samples: SHORT_SECONDS * 8_000,
      channels: 2,
      raw,
      mp3: join(folder, `short-${n}.mp3`),
    });
    processes = Math.max(processes, pool.size);
  });
  await Promise.all(done);
  const seconds = Math.round((performance.now() - startMs) / 100) / 10;
  await pool.close();
  return { recordings: AT_ONCE, ofSeconds: SHORT_SECONDS, seconds, processes, cores: availableParallelism() };
}
