// Sends messages with wrk through a gateway, as many as it takes.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CpuUs, countCpu } from "../load/processor-time.ts";
import type { BenchSmsc, Gateway } from "./peers.ts";

export const TEXT = "Your appointment is tomorrow at 10:30. Reply YES to confirm or call us to change it.";

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
  /** For each message. */
  readonly cpuUs: CpuUs;
}

export async function measureSending(gateway: Gateway, via: BenchSmsc, order: SendOrder): Promise<SentFigures> {
  const before = (await via.counts()).submits;
  const cpuFor = countCpu(gateway.processes);
  const startMs = performance.now();
  const sent = await send(gateway, order);
  while ((await via.counts()).submits - before < sent) await new Promise((resolve) => setTimeout(resolve, 5));
  const perSecond = Math.round(sent / ((performance.now() - startMs) / 1000));
  return { perSecond, cpuUs: cpuFor((await via.counts()).submits - before) };
}
