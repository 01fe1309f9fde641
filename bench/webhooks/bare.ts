// The peer of the webhook benchmark: a bare undici loop that signs and posts the same bodies to the same receiver and
// stores nothing. Arguments: URL, how many posts to warm up, how many then, how many at the same time. Prints when it
// was warm, and the processor time of each post since.

import { createHmac, randomBytes } from "node:crypto";
import { type Dispatcher, Pool } from "undici";
import { countCpu } from "../load/processor-time.ts";
import { sampleBody } from "./sample.ts";

const [url, ...counts] = process.argv.slice(2) as [string, string, string, string];
const [warmUp, count, concurrency] = counts.map(Number) as [number, number, number];
const { origin, pathname } = new URL(url);
const pool = new Pool(origin, { connections: concurrency, pipelining: 1 });
const key = randomBytes(32);

/** A class, because its methods are created once: tsx renames functions each time they are created. */
class Answered implements Dispatcher.DispatchHandler {
  readonly #resolve: () => void;
  readonly #reject: (fault: Error) => void;

  constructor(resolve: () => void, reject: (fault: Error) => void) {
    this.#resolve = resolve;
    this.#reject = reject;
  }

  onRequestStart(): void {}
  onResponseStart(): void {}
  onResponseData(): void {}

  onResponseEnd(): void {
    this.#resolve();
  }

  onResponseError(_: unknown, fault: Error): void {
    this.#reject(fault);
  }
}

let next = 0;
await postUntil(warmUp);
const cpuFor = countCpu({ worker: process.pid });
const sinceMs = performance.timeOrigin + performance.now();
await postUntil(warmUp + count);
console.log(JSON.stringify({ sinceMs, cpuUs: cpuFor(count) }));
await pool.close();

async function postUntil(end: number): Promise<void> {
  const loop = async () => {
    while (next < end) await post(next++);
  };
  await Promise.all(Array.from({ length: concurrency }, loop));
}

function post(at: number): Promise<void> {
  const body = JSON.stringify({ WebhookSid: `WH${at}`, ...sampleBody(`bare${at}`) });
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = createHmac("sha256", key).update(`WH${at}.${timestamp}.${body}`).digest("base64");
  const headers = {
    "content-type": "application/json",
    "webhook-id": `WH${at}`,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${signature}`,
    "x-event-type": "OutboundMessageStatusChanged",
  };
  return new Promise((resolve, reject) => {
    pool.dispatch({ path: pathname, method: "POST", headers, body }, new Answered(resolve, reject));
  });
}
