// One measurement of two-way streams, ours or their peer's: phones and the program have one core, streams the other.

import { readFileSync } from "node:fs";
import { type CpuUs, countCpu } from "../load/processor-time.ts";
import { round } from "../load/result.ts";
import { type Percentiles, type PhoneFigures, runPhones } from "../media/phones.ts";
import type { WaitingSound } from "./ours.ts";
import { Pinned } from "./pinned.ts";
import type { ProgramCounts } from "./program.ts";
import type { Minute } from "./verdicts.ts";

export type Side = "ours" | "bare";

export interface StreamFigures {
  readonly streams: number;
  /** For each stream and second. */
  readonly cpuUs: CpuUs;
  /** Of the streams' core. */
  readonly cpuPercent: number;
  /** Of the sound that phones sent. */
  readonly lossPercent: number;
  /** From phone to phone. */
  readonly delayMs: Percentiles;
  /** From a phone's packet to the program, and from there to the phone's socket. */
  readonly toProgramMs?: Percentiles;
  readonly fromProgramMs?: Percentiles;
  /** The share of the messages that were due which the program got. */
  readonly answered: number;
  /** Near 1 the figures are the program's own. */
  readonly programBusy: number;
}

export interface Place {
  /** The built generator.c. */
  readonly generator: string;
  readonly warmUpSeconds: number;
  readonly seconds: number;
}

const STREAM_CORE = "0";
const PHONE_CORE = "1";
/** Like the relays' ports, below the system's ephemeral ports. */
const FIRST_PHONE = 16_000;
const MESSAGES_PER_SECOND = 50;
const MEDIA_WORKER = "media-worker.js";

interface Running {
  readonly program: Pinned<number>;
  readonly streams: Pinned<readonly string[]>;
  readonly lines: readonly string[];
}

async function run<Value>(side: Side, count: number, watched: boolean, work: (running: Running) => Promise<Value>) {
  const program = new Pinned<number>(PHONE_CORE, "program.ts", [side === "ours" ? "echo" : "speak"]);
  try {
    const args = [count, FIRST_PHONE, await program.ready].map(String);
    const streams = new Pinned<readonly string[]>(STREAM_CORE, `${side}.ts`, watched ? [...args, "watched"] : args);
    try {
      return await work({ program, streams, lines: await streams.ready });
    } finally {
      await streams.stop();
    }
  } finally {
    await program.stop();
  }
}

export function measure(side: Side, streams: number, place: Place): Promise<StreamFigures> {
  return run(side, streams, false, async ({ program, streams: ours, lines }) => {
    const { generator, warmUpSeconds, seconds } = place;
    const cpuSince = () => countCpu({ server: ours.pid, media: ours.childOf(MEDIA_WORKER) });
    const counted: { begin?: ReturnType<typeof countCpu>; end?: CpuUs | undefined; counts?: Promise<ProgramCounts> } =
      {};
    clearIn(warmUpSeconds / 2, program);
    const phones = { generator, core: PHONE_CORE, lines, warmUpSeconds, seconds };
    const [figures] = await runPhones(phones, {
      begin() {
        counted.begin = cpuSince();
        // From here it counts.
        ignored(program.ask());
      },
      end() {
        counted.end = counted.begin?.(streams * seconds);
        counted.counts = program.ask();
      },
    });
    const counts = await counted.counts;
    if (!figures?.received || !counted.end || !counts) throw new Error(`${side}: nothing came back`);
    const { sent, received, p50, p99, toProgram, fromProgram } = figures;
    return {
      streams,
      cpuUs: counted.end,
      cpuPercent: Math.round((counted.end.all * streams) / 10_000),
      lossPercent: round(((sent - received) * 100) / sent),
      delayMs: { p50, p99 },
      ...(toProgram && { toProgramMs: toProgram }),
      ...(fromProgram && { fromProgramMs: fromProgram }),
      answered: round(counts.messages / (streams * seconds * MESSAGES_PER_SECOND)),
      programBusy: round(counts.busy),
    };
  });
}

/** The program clears the streams at the first time that it is asked, while phones warm up. */
function clearIn(seconds: number, program: Pinned<number>): void {
  setTimeout(() => ignored(program.ask()), seconds * 1000);
}

/** Where only the question matters. */
function ignored(answer: Promise<unknown>): void {
  answer.catch(() => undefined);
}

/** Ours, over many intervals: those after the warm-up, in order. */
export function measureOver(
  streams: number,
  intervals: number,
  place: Place,
  say: (minute: Minute) => void,
): Promise<readonly Minute[]> {
  return run("ours", streams, true, async ({ program, streams: ours, lines }) => {
    const { generator, warmUpSeconds, seconds } = place;
    const media = ours.childOf(MEDIA_WORKER);
    const minutes: Promise<Minute>[] = [];
    clearIn(warmUpSeconds / 2, program);
    const phones = { generator, core: PHONE_CORE, lines, warmUpSeconds, seconds, intervals };
    await runPhones(phones, {
      begin: () => undefined,
      figures(figures) {
        const minute = minuteOf(figures, ours.pid, media, ours.ask<WaitingSound>());
        minute.then(say, () => undefined);
        minutes.push(minute);
      },
    });
    return Promise.all(minutes);
  });
}

async function minuteOf(
  { sent, received, toProgram, fromProgram }: PhoneFigures,
  server: number,
  media: number,
  asked: Promise<WaitingSound>,
): Promise<Minute> {
  const rssMb = { server: rssMbOf(server), media: rssMbOf(media) };
  const { meanMs, mostMs } = await asked;
  if (!toProgram || !fromProgram) throw new Error("nothing came back");
  const waitingMs = { mean: round(meanMs), most: round(mostMs) };
  return { sent, received, toProgramMs: toProgram, fromProgramMs: fromProgram, waitingMs, rssMb };
}

function rssMbOf(pid: number): number {
  const kb = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Math.round(Number(kb) / 1024);
}
