// Calls the server at its own pace, as often as it takes: denials are waited out, passing faults tried again, within
// bounds (pacing.ts). Several calls may be under way: a pause that one of them has to make is made by all.

import { setTimeout as delay } from "node:timers/promises";
import type { Answer } from "../../../sdk/src/index.ts";
import { afterAnswer, afterFault, batchSize, firstPace, type Pace } from "./pacing.ts";

export interface PatientOrder {
  /** Asked for in one batch, at most. */
  readonly sizeMax: number;
  /** Tries after a fault of server or network, in a row. */
  readonly retriesMax: number;
  readonly signal: AbortSignal;
  /** Told before every pause. */
  readonly onWait: (ms: number, why: string) => void;
}

export class PatientCaller {
  readonly #order: PatientOrder;
  #pace: Pace;
  /** Counts the pauses. */
  #pauses = 0;
  #opensMs = 0;

  constructor(order: PatientOrder) {
    this.#order = order;
    this.#pace = firstPace(order.sizeMax);
  }

  get signal(): AbortSignal {
    return this.#order.signal;
  }

  /** Waits until something may be asked; answers how much. */
  async admitted(): Promise<number> {
    for (;;) {
      const nowMs = performance.now();
      const size = batchSize(this.#pace, nowMs);
      if (size > 0) return size;
      await this.pause(this.#pace.windowEndMs - nowMs, "for the rate limit");
    }
  }

  /** The answer, however many tries that takes. */
  async call<Data>(attempt: () => Promise<Answer<Data>>): Promise<Answer<Data>> {
    for (;;) {
      const answer = await this.callFor(1, attempt);
      if (answer !== "askLess") return answer;
    }
  }

  /** The same for so many things in one request; `askLess` when the server lets in fewer at once. */
  async callFor<Data>(size: number, attempt: () => Promise<Answer<Data>>): Promise<Answer<Data> | "askLess"> {
    for (;;) {
      await this.#untilOpen();
      const [paceBefore, pausesBefore] = [this.#pace, this.#pauses];
      try {
        const answer = await attempt();
        this.#pace = afterAnswer(this.#pace, answer.rateLimit, performance.now());
        return answer;
      } catch (error) {
        this.signal.throwIfAborted();
        const isFirst = this.#pauses === pausesBefore;
        // Otherwise another call met the same trouble meanwhile, and counted it.
        const pace = isFirst ? this.#pace : paceBefore;
        const reaction = afterFault(pace, error, performance.now(), this.#order.retriesMax);
        if (reaction.kind === "giveUp") throw error;
        if (isFirst) {
          this.#pace = reaction.pace;
          const why = reaction.why === "limit" ? "for the rate limit" : `to try again: ${(error as Error).message}`;
          this.#pauses += 1;
          this.#opensMs = performance.now() + reaction.ms;
          this.#order.onWait(reaction.ms, why);
          await this.#untilOpen();
        }
        if (this.#pace.batchMax < size) return "askLess";
      }
    }
  }

  async pause(ms: number, why: string): Promise<void> {
    this.#order.onWait(ms, why);
    await delay(ms, undefined, { signal: this.signal });
  }

  async #untilOpen(): Promise<void> {
    const ms = this.#opensMs - performance.now();
    if (ms > 0) await delay(ms, undefined, { signal: this.signal });
  }
}
