// Sends the simulated registry's notifications: signed like the real one's, in order for every partner, with a few
// attempts until the receiver accepts.

import { createHmac } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Agent, request } from "undici";
import { canonicalJson } from "../../base/jcs.ts";
import type { Log } from "../../base/log.ts";
import type { Notification } from "./registry-state.ts";

const ATTEMPTS_MAX = 4;
const ATTEMPT_MS = 5000;
const WAITING_MAX = 1000;
const ANSWER_BYTES_MAX = 64 * 1024;

export interface Address {
  readonly endpoint: string;
  readonly secret: string;
}

export interface SentNotification {
  /** Absent when there was no answer. */
  readonly status?: number;
  readonly request: string;
  readonly response: string;
}

export class Notifier {
  readonly #retryMs: number;
  readonly #log: Log;
  readonly #closing = new AbortController();
  readonly #agent = new Agent({
    connect: { timeout: ATTEMPT_MS },
    headersTimeout: ATTEMPT_MS,
    bodyTimeout: ATTEMPT_MS,
    maxResponseSize: ANSWER_BYTES_MAX,
  });
  readonly #last = new Map<string, Promise<void>>();
  #waiting = 0;

  constructor(retryMs: number, log: Log) {
    this.#retryMs = retryMs;
    this.#log = log;
  }

  /** The notifications of one partner are sent in the order of these calls. */
  queue(cnpId: string, address: Address, notification: Notification): void {
    if (this.#waiting >= WAITING_MAX) {
      this.#log.warn({ endpoint: address.endpoint }, "sandbox registry dropped a notification");
      return;
    }
    this.#waiting += 1;
    const sent = (this.#last.get(cnpId) ?? Promise.resolve())
      .then(() => this.#sendUntilTaken(address, notification))
      .finally(() => {
        this.#waiting -= 1;
      });
    this.#last.set(cnpId, sent);
  }

  async sendOnce({ endpoint, secret }: Address, notification: Notification): Promise<SentNotification> {
    const body = JSON.stringify(notification);
    const signature = createHmac("sha1", secret)
      .update(`${endpoint}${canonicalJson(notification)}`)
      .digest("base64");
    try {
      const { statusCode, body: answer } = await request(endpoint, {
        method: "POST",
        headers: { "content-type": "application/json", "x-registry-signature": signature },
        body,
        dispatcher: this.#agent,
      });
      return { status: statusCode, request: body, response: await answer.text() };
    } catch {
      return { request: body, response: "" };
    }
  }

  /** Drops the waiting notifications. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#agent.destroy();
    await Promise.all(this.#last.values());
  }

  async #sendUntilTaken(address: Address, notification: Notification): Promise<void> {
    for (let attempt = 1; attempt <= ATTEMPTS_MAX && !this.#closing.signal.aborted; attempt++) {
      const { status = 0 } = await this.sendOnce(address, notification);
      if (status >= 200 && status < 300) return;
      const isLast = attempt === ATTEMPTS_MAX;
      this.#log.debug({ ...notification, attempt, status, isLast }, "sandbox registry's notification was not accepted");
      if (!isLast) await sleep(this.#retryMs * attempt, undefined, { signal: this.#closing.signal }).catch(() => {});
    }
  }
}
