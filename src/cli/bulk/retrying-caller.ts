// Calls the server at the pace of its rate limit and retries after refusals by that limit and temporary faults, within
// bounds (pacing.ts). Several calls may run concurrently; a pause of one of them pauses all.

import { setTimeout as delay } from "node:timers/promises";
import type { Answer } from "../../../sdk/src/index.ts";
import { afterAnswer, afterFault, batchSize, firstPace, type Pace } from "./pacing.ts";

export interface RetryingOrder {
  /** The largest batch. */
  readonly sizeMax: number;
  /** Retries in a row after a fault of server or network. */
  readonly retriesMax: number;
  readonly signal: AbortSignal;
  /** Called before every pause. */
  readonly onWait: (ms: number, why: string) => void;
}

export class RetryingCaller {
  readonly #order: RetryingOrder;
  #pace: Pace;
  #pauses = 0;
  #resumeMs = 0;

  constructor(order: RetryingOrder) {
    this.#order = order;
    this.#pace = firstPace(order.sizeMax);
  }

  get signal(): AbortSignal {
    return this.#order.signal;
  }

  /** Waits until the rate limit allows a request, and returns the size of the batch. */
  async allowance(): Promise<number> {
    for (;;) {
      const nowMs = performance.now();
      const size = batchSize(this.#pace, nowMs);
      if (size > 0) return size;
      await this.pause(this.#pace.windowEndMs - nowMs, "for the rate limit");
    }
  }

  /** Calls until there is an answer. */
  async call<Data>(attempt: () => Promise<Answer<Data>>): Promise<Answer<Data>> {
    for (;;) {
      const answer = await this.callFor(1, attempt);
      if (answer !== "askLess") return answer;
    }
  }

  /** The same for a batch of `size` in one request; `askLess` when the server accepts only smaller ones. */
  async callFor<Data>(size: number, attempt: () => Promise<Answer<Data>>): Promise<Answer<Data> | "askLess"> {
    for (;;) {
      await this.#untilResumed();
      const [paceBefore, pausesBefore] = [this.#pace, this.#pauses];
      try {
        const answer = await attempt();
        this.#pace = afterAnswer(this.#pace, answer.rateLimit, performance.now());
        return answer;
      } catch (error) {
        this.signal.throwIfAborted();
        const isFirst = this.#pauses === pausesBefore;
        // If not, another call had the same fault in the meantime and counted it.
        const pace = isFirst ? this.#pace : paceBefore;
        const reaction = afterFault(pace, error, performance.now(), this.#order.retriesMax);
        if (reaction.kind === "giveUp") throw error;
        if (isFirst) {
          this.#pace = reaction.pace;
          const why = reaction.why === "limit" ? "for the rate limit" : `to try again: ${(error as Error).message}`;
          this.#pauses += 1;
          this.#resumeMs = performance.now() + reaction.ms;
          this.#order.onWait(reaction.ms, why);
          await this.#untilResumed();
        }
        if (this.#pace.batchMax < size) return "askLess";
      }
    }
  }

  async pause(ms: number, why: string): Promise<void> {
    this.#order.onWait(ms, why);
    await delay(ms, undefined, { signal: this.signal });
  }

  async #untilResumed(): Promise<void> {
    const ms = this.#resumeMs - performance.now();
    if (ms > 0) await delay(ms, undefined, { signal: this.signal });
  }
}
