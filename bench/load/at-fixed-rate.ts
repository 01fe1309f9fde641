// Runs open-loop.ts in its own process.

import { execFileSync } from "node:child_process";

export interface FixedRateOrder {
  readonly url: string;
  readonly authorization: string;
  /** The file of requests. */
  readonly requests: string;
  readonly rate: number;
  readonly seconds: number;
  readonly connections: number;
}

/** In ms, from when each request was due. */
export interface Latencies {
  readonly rate: number;
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
  /** Near 1 the latencies are those of the sender itself. */
  readonly senderBusy: number;
}

export function requestAtFixedRate(order: FixedRateOrder): Latencies {
  const { url, authorization, requests, rate, seconds, connections } = order;
  const program = ["--import", "tsx", "bench/load/open-loop.ts"];
  const args = [...program, url, authorization, requests, ...[rate, seconds, connections].map(String)];
  const { failed, ...figures } = JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" }));
  if (failed > 0) throw new Error(`${failed} requests at a fixed rate were not answered by 200`);
  return { rate, ...figures };
}
