// Sends the notifications of the simulated registry and the simulated clearing house: those to one receiver in order,
// each with a few attempts until the receiver accepts it.

import { setTimeout as sleep } from "node:timers/promises";
import { Agent, request } from "undici";
import type { Log } from "../base/log.ts";

const ATTEMPTS_MAX = 4;
const ATTEMPT_MS = 5000;
const WAITING_MAX = 1000;

interface SignedNotification {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export class Notifier {
  readonly #retryMs: number;
  readonly #log: Log;
  readonly #closing = new AbortController();
  readonly #agent = new Agent({
    connect: { timeout: ATTEMPT_MS },
    headersTimeout: ATTEMPT_MS,
    bodyTimeout: ATTEMPT_MS,
  });
  readonly #last = new Map<string, Promise<void>>();
  #waiting = 0;

  constructor(retryMs: number, log: Log) {
    this.#retryMs = retryMs;
    this.#log = log;
  }

  /** Sent in the order of the calls with the same `receiver`. `sign` is called before every attempt. */
  queue(receiver: string, sign: () => SignedNotification): void {
    if (this.#waiting >= WAITING_MAX) {
      this.#log.warn({ receiver }, "sandbox dropped a notification");
      return;
    }
    this.#waiting += 1;
    const sent = (this.#last.get(receiver) ?? Promise.resolve())
      .then(() => this.#sendUntilAccepted(sign))
      .finally(() => {
        this.#waiting -= 1;
      });
    this.#last.set(receiver, sent);
  }

  /** Drops the waiting notifications. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#agent.destroy();
    await Promise.all(this.#last.values());
  }

  async #sendUntilAccepted(sign: () => SignedNotification): Promise<void> {
    for (let attempt = 1; attempt <= ATTEMPTS_MAX && !this.#closing.signal.aborted; attempt++) {
      const notification = sign();
      const status = await this.#send(notification);
      if (status >= 200 && status < 300) return;
      const isLast = attempt === ATTEMPTS_MAX;
      this.#log.debug({ url: notification.url, attempt, status, isLast }, "sandbox notification not accepted");
      if (!isLast) await sleep(this.#retryMs * attempt, undefined, { signal: this.#closing.signal }).catch(() => {});
    }
  }

  /** The status of the answer; 0 when there was none. */
  async #send({ url, headers, body }: SignedNotification): Promise<number> {
    try {
      const answer = await request(url, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body,
        dispatcher: this.#agent,
      });
      await answer.body.dump();
      return answer.statusCode;
    } catch {
      return 0;
    }
  }
}
