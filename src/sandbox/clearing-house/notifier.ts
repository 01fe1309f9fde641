// Sends signed notifications of updates to the carrier's system, one after the other. Gives up after a few attempts,
// because the receiver can read missed updates from the list. Tests can make it lose or duplicate notifications.

import { createHmac } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { Agent, request } from "undici";
import { deadlineAfter } from "../../base/deadline.ts";
import type { Log } from "../../base/log.ts";
import type { Update } from "./order-book.ts";

export type NotificationConduct = "deliver" | "lose" | "duplicate";

const ATTEMPTS_MAX = 3;
const RETRY_MS = 500;
const DEADLINE_MS = 10_000;
const WAITING_MAX = 1000;

export class Notifier {
  conduct: NotificationConduct = "deliver";
  url: string | undefined;
  readonly #secret: string;
  readonly #log: Log;
  readonly #agent = new Agent({ connections: 1 });
  readonly #closed = new AbortController();
  #waiting = 0;
  #last: Promise<void> = Promise.resolve();

  constructor(secret: string, url: string | undefined, log: Log) {
    this.#secret = secret;
    this.url = url;
    this.#log = log;
  }

  send(updates: readonly Update[]): void {
    const { url, conduct } = this;
    if (url === undefined || conduct === "lose" || updates.length === 0 || this.#waiting >= WAITING_MAX) return;
    this.#waiting += 1;
    this.#last = this.#last.then(async () => {
      for (let time = 0; time < (conduct === "duplicate" ? 2 : 1); time++) await this.#deliver(url, updates);
      this.#waiting -= 1;
    });
  }

  /** Aborts the notification in progress. */
  async close(): Promise<void> {
    this.#closed.abort();
    await this.#last;
    await this.#agent.destroy();
  }

  async #deliver(url: string, news: readonly Update[]): Promise<void> {
    const body = JSON.stringify({ news });
    for (let attempt = 1; attempt <= ATTEMPTS_MAX && !this.#closed.signal.aborted; attempt++) {
      const deadline = deadlineAfter(DEADLINE_MS, this.#closed.signal);
      try {
        const order = { dispatcher: this.#agent, headers: this.#headersFor(body), body, signal: deadline.signal };
        const answer = await request(url, { method: "POST", ...order });
        await answer.body.dump();
        if (answer.statusCode >= 200 && answer.statusCode <= 299) return;
        this.#log.warn({ attempt, status: answer.statusCode }, "clearing house's notification was refused");
      } catch (error) {
        if (this.#closed.signal.aborted) return;
        this.#log.warn({ attempt, reason: String(error) }, "clearing house's notification failed");
      } finally {
        deadline.clear();
      }
      if (attempt < ATTEMPTS_MAX) await this.#pause(RETRY_MS * attempt);
    }
  }

  async #pause(ms: number): Promise<void> {
    const { signal } = this.#closed;
    await pause(ms, undefined, { signal }).catch(() => signal.aborted);
  }

  #headersFor(body: string): Record<string, string> {
    const timestamp = String(Math.floor(Date.now() / 1000));
    const signature = createHmac("sha256", this.#secret).update(`${timestamp}.${body}`).digest("hex");
    return {
      "content-type": "application/json",
      "clearing-house-timestamp": timestamp,
      "clearing-house-signature": `v1=${signature}`,
    };
  }
}
