// Sends messages with wrk through a gateway, as many as it takes.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { countDatabaseWork, type DatabaseWork } from "../load/database-work.ts";
import { type CpuUs, countCpu } from "../load/processor-time.ts";
import type { BenchSmsc, Gateway } from "./peers.ts";

export const TEXT = "Your appointment is tomorrow at 10:30. Reply YES to confirm or call us to change it.";

/** V8 optimises code by how often it has run, so a side is warm after so much work, however long it takes. */
export const WARM_UP_MESSAGES = 20_000;

export interface SendOrder {
  readonly seconds: number;
  readonly connections: number;
  /** Where the callback of each message goes, below a path of its own. */
  readonly callback?: string;
}

/** Returns how many were answered with success. A few more may be accepted: those that were under way at the end. */
export async function send(gateway: Gateway, { seconds, connections, callback }: SendOrder): Promise<number> {
  const scratch = mkdtempSync(join(tmpdir(), "tandem-bench-"));
  const script = join(scratch, "send.lua");
  writeFileSync(script, gateway.script({ text: TEXT, callback }));
  const args = ["-t1", `-c${connections}`, `-d${seconds}`, "-s", script, gateway.url];
  const wrk = spawn("wrk", args, { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  wrk.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  await once(wrk, "close");
  rmSync(scratch, { recursive: true });
  if (/^status \d+|Non-2xx/m.test(output)) throw new Error(`${gateway.name}: not every message was taken:\n${output}`);
  return Number(/(\d+) requests in/.exec(output)?.[1]);
}

export interface SentFigures {
  /** From the first request to the SMSC's last acceptance. */
  readonly perSecond: number;
  readonly messages: number;
  /** For each message. */
  readonly cpuUs: CpuUs;
  /** Of a gateway with a database. */
  readonly database?: DatabaseWork;
}

export async function measureSending(gateway: Gateway, via: BenchSmsc, order: SendOrder): Promise<SentFigures> {
  const before = (await via.counts()).submits;
  const count = await countWork(gateway);
  const startMs = performance.now();
  const sent = await send(gateway, order);
  while ((await via.counts()).submits - before < sent) await new Promise((resolve) => setTimeout(resolve, 5));
  const perSecond = Math.round(sent / ((performance.now() - startMs) / 1000));
  const messages = (await via.counts()).submits - before;
  return { perSecond, messages, ...(await count(messages)) };
}

/** Starts counting what a gateway and its database do. The returned function gives that for a number of messages. */
export async function countWork(gateway: Gateway) {
  const workFor = gateway.database && (await countDatabaseWork(gateway.database));
  const cpuFor = countCpu(gateway.processes);
  return async (messages: number) => {
    const cpuUs = cpuFor(messages);
    return { cpuUs, ...(workFor && { database: await workFor(messages) }) };
  };
}
