// The whole loop: a receipt for every message, and one callback when it is delivered, on both sides. Kannel has its
// file store, which does not fsync, and keeps the receipts that it waits for in memory. Rounds alternate.
//
// Nothing may be lost: every message that a gateway answered with success, and every other one that reached the SMSC,
// must have its callback. Each callback goes to a path of its own, so a repeated one counts once.

import type { DatabaseWork } from "../load/database-work.ts";
import { type CpuUs, compareCpu } from "../load/processor-time.ts";
import { median, medians, round } from "../load/result.ts";
import {
  type BenchSmsc,
  type Gateway,
  type Receiver,
  startKannel,
  startOurs,
  startReceiver,
  startSmsc,
} from "./peers.ts";
import { countWork, send, WARM_UP_MESSAGES } from "./send.ts";

const ROUNDS = 3;
const SECONDS = 5;
const CONNECTIONS = 64;
/** When every callback has arrived, the loop ends after this time without another one. */
const QUIET_MS = 500;
/** A callback still missing this long after the last one is lost. */
const GIVEN_UP_MS = 10_000;

interface Loop {
  /** From the first request to the last callback. */
  readonly perSecond: number;
  readonly messages: number;
  readonly lost: number;
  readonly repeated: number;
  /** For each message. */
  readonly cpuUs: CpuUs;
  /** Of a gateway with a database. */
  readonly database?: DatabaseWork;
}

export async function measureFullLoop(only: string | undefined): Promise<object> {
  const smsc = await startSmsc("receipts");
  const receiver = await startReceiver();
  const sides: Gateway[] = [await startOurs(smsc)];
  if (only !== "ours") sides.push(await startKannel(smsc, "file"));
  const rounds = sides.map((): Loop[] => []);
  try {
    for (const side of sides) {
      for (let warmed = 0; warmed < WARM_UP_MESSAGES; ) {
        warmed += (await loopOnce(side, smsc, receiver, `after-${warmed}`)).messages;
      }
    }
    for (let number = 1; number <= ROUNDS; number++) {
      for (const [at, side] of sides.entries()) {
        const loop = await loopOnce(side, smsc, receiver, `${number}-${at}`);
        console.log(`whole loop, round ${number}: ${side.name} ${JSON.stringify(loop)}`);
        rounds[at]?.push(loop);
      }
    }
  } finally {
    for (const side of sides) await side.close();
    receiver.close();
    smsc.close();
  }
  const [ours = [], kannel = []] = rounds;
  const summaries = { ours: summaryOf(ours), kannel: summaryOf(kannel) };
  return {
    ratio: round(summaries.ours.perSecond / summaries.kannel.perSecond),
    ...compareCpu(cpuOf(ours), cpuOf(kannel)),
    ...medians(ours.flatMap(({ database = [] }) => database)),
    ...summaries,
  };
}

const cpuOf = (loops: readonly Loop[]) => medians(loops.map(({ cpuUs }) => cpuUs));

/** The median rate, sums of counts. */
function summaryOf(loops: readonly Loop[]): Omit<Loop, "cpuUs" | "database"> {
  const sum = (name: "messages" | "lost" | "repeated") => loops.reduce((all, loop) => all + loop[name], 0);
  return {
    perSecond: median(loops.map(({ perSecond }) => perSecond)),
    messages: sum("messages"),
    lost: sum("lost"),
    repeated: sum("repeated"),
  };
}

async function loopOnce(side: Gateway, smsc: BenchSmsc, receiver: Receiver, name: string): Promise<Loop> {
  const before = (await smsc.counts()).submits;
  await receiver.forget();
  const count = await countWork(side);
  const startMs = nowMs();
  const callback = `${receiver.url}/${name}`;
  const answered = await send(side, { seconds: SECONDS, connections: CONNECTIONS, callback });
  const endMs = nowMs();
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    const { distinct, repeated, lastMs } = await receiver.callbacks();
    const messages = Math.max(answered, (await smsc.counts()).submits - before);
    const quietMs = nowMs() - Math.max(endMs, lastMs);
    if (quietMs < (distinct < messages ? GIVEN_UP_MS : QUIET_MS)) continue;
    const perSecond = Math.round(distinct / ((lastMs - startMs) / 1000));
    return { perSecond, messages, lost: messages - distinct, repeated, ...(await count(messages)) };
  }
}

/** By the machine's clock, which the receiver uses too. */
function nowMs(): number {
  return performance.timeOrigin + performance.now();
}
