// Processor time and loss of our relay for each packet, compared with rtpengine in userspace with one thread on the
// same phones in the same run: at rising numbers of calls on the fast path, and on the portable one; both with every
// call recorded; and ours while a hundred recordings that ended at the same time are encoded. Phones (a C program) and
// relay have a core each; a call is 100 packets a second in and as many out.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { RUNTIME_FLAGS } from "../scripts/runtime-flags.mjs";
import { EncoderPool } from "../src/adapters/recordings/encoder-pool.ts";
import { goFirst } from "./load/go-first.ts";
import { cpuMs } from "./load/processor-time.ts";
import { median, printResult } from "./load/result.ts";
import { buildGenerator, runPhones } from "./media/phones.ts";
import { startRtpEngine } from "./media/rtpengine.ts";
import { conversation } from "./recordings/conversation.ts";

const RELAY_CORE = "0";
const PHONE_CORE = "1";
const CALLS = [100, 400, 700];
const PORTABLE_CALLS = [100, 250];
/** The number of calls at which the ratio is taken, and how often. */
const RATIO_CALLS = 400;
const ROUNDS = 3;
/** Recordings that end at the same time, and the seconds of each: more than are encoded while the delay is measured. */
const AT_ONCE = 100;
const ENDED_SECONDS = 60;
const WARM_UP_SECONDS = 2;
const SECONDS = 8;
/** Like the relays' ports, below the system's ephemeral ports. */
const FIRST_PHONE = 16_000;

interface Figures {
  readonly calls: number;
  /** Processor time for a packet in and out, in µs. */
  readonly cpuUs: number;
  readonly cpuPercent: number;
  readonly lossPercent: number;
  readonly p50: number;
  readonly p99: number;
}

type Relay = "portable" | "fast" | "rtpengine" | "fast recorded" | "rtpengine recorded" | "fast beside encoding";

goFirst();
const folder = mkdtempSync(join(tmpdir(), "tandem-media-bench-"));
const generator = buildGenerator(folder);

try {
  const rounds: Record<Relay, Figures[]> = {
    rtpengine: [],
    fast: [],
    portable: [],
    "rtpengine recorded": [],
    "fast recorded": [],
    "fast beside encoding": [],
  };
  const measureOnce = async (relay: Relay, calls: number) => {
    const figures = await measure(relay, calls);
    console.log(`${relay}: ${JSON.stringify(figures)}`);
    rounds[relay].push(figures);
  };
  for (const calls of CALLS) {
    for (let round = 0; round < (calls === RATIO_CALLS ? ROUNDS : 1); round++) {
      await measureOnce("rtpengine", calls);
      await measureOnce("fast", calls);
    }
  }
  for (const calls of PORTABLE_CALLS) await measureOnce("portable", calls);
  for (let round = 0; round < ROUNDS; round++) {
    await measureOnce("rtpengine recorded", RATIO_CALLS);
    await measureOnce("fast recorded", RATIO_CALLS);
  }
  await besideEncoding(() => measureOnce("fast beside encoding", RATIO_CALLS));
  const atRatio = (relay: Relay) => rounds[relay].filter(({ calls }) => calls === RATIO_CALLS);
  const cpuUs = (relay: Relay) => median(atRatio(relay).map((figures) => figures.cpuUs));
  const ratioOf = (peer: Relay, ours: Relay) => Math.round((cpuUs(peer) / cpuUs(ours)) * 100) / 100;
  const figures = {
    ratio: ratioOf("rtpengine", "fast"),
    calls: RATIO_CALLS,
    oursCpuUs: cpuUs("fast"),
    rtpengineCpuUs: cpuUs("rtpengine"),
    recordedRatio: ratioOf("rtpengine recorded", "fast recorded"),
    oursRecordedCpuUs: cpuUs("fast recorded"),
    rtpengineRecordedCpuUs: cpuUs("rtpengine recorded"),
  };
  printResult("media", { ...figures, ...rounds });
} finally {
  rmSync(folder, { recursive: true });
}

async function measure(name: Relay, calls: number): Promise<Figures> {
  const records = name.endsWith(" recorded") ? mkdtempSync(join(folder, "recorded-")) : undefined;
  const isPeer = name.startsWith("rtpengine");
  const path = name === "portable" ? "portable" : "fast";
  const { process: relay, lines } = isPeer ? await startPeer(calls, records) : await startOurs(path, calls, records);
  try {
    const relayMs = () => cpuMs({ relay: relay.pid ?? 0 }).relay ?? 0;
    let beforeMs = 0;
    const phones = { generator, core: PHONE_CORE, lines, warmUpSeconds: WARM_UP_SECONDS, seconds: SECONDS };
    const [figures] = await runPhones(phones, {
      begin() {
        beforeMs = relayMs();
      },
    });
    const usedMs = relayMs() - beforeMs;
    if (!figures?.received) throw new Error(`${name} relayed nothing: ${JSON.stringify(figures)}`);
    const { sent, received, p50, p99 } = figures;
    return {
      calls,
      cpuUs: Math.round((usedMs * 100_000) / received) / 100,
      cpuPercent: Math.round(usedMs / 10 / SECONDS),
      lossPercent: Math.round(((sent - received) * 10_000) / sent) / 100,
      p50,
      p99,
    };
  } finally {
    const exited = once(relay, "exit");
    relay.kill("SIGKILL");
    await exited;
    if (records !== undefined) rmSync(records, { recursive: true });
  }
}

/** Runs something while recordings are encoded as the product does it; fails if there was nothing left to encode. */
async function besideEncoding(run: () => Promise<void>): Promise<void> {
  const raw = join(folder, "ended.raw");
  writeFileSync(raw, conversation(ENDED_SECONDS));
  const pool = new EncoderPool({ program: new URL("../dist/mp3-encoder.js", import.meta.url) });
  let waiting = AT_ONCE;
  const encodings = Array.from({ length: AT_ONCE }, async (_, n) => {
    await pool.encode({
      accountSid: "AC1",
      samples: ENDED_SECONDS * 8_000,
      channels: 2,
      raw,
      mp3: join(folder, `${n}.mp3`),
    });
    waiting -= 1;
  });
  const all = Promise.allSettled(encodings);
  await run();
  if (waiting === 0) throw new Error("the recordings were encoded before the delay was measured");
  await pool.close();
  await all;
}

async function startOurs(path: "portable" | "fast", calls: number, records: string | undefined) {
  const args = ["-c", RELAY_CORE, process.execPath, ...RUNTIME_FLAGS, "--import", "tsx", "bench/media/ours.ts", path];
  const more = [String(calls), String(FIRST_PHONE), ...(records === undefined ? [] : [records])];
  const child = spawn("taskset", [...args, ...more], { stdio: ["pipe", "pipe", "inherit"] });
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    if (line === "ready") break;
    lines.push(line);
  }
  return { process: child as ChildProcess, lines };
}

async function startPeer(calls: number, records: string | undefined) {
  const daemon = await startRtpEngine(RELAY_CORE, records);
  const lines: string[] = [];
  for (let call = 0; call < calls; call++) {
    lines.push(...(await daemon.call(FIRST_PHONE + call * 2, `call-${call}`)));
  }
  return { process: daemon.process, lines };
}
