// Carriers' answers that have come and are not stored yet. A carrier may send a receipt right behind its answer; who
// waits until the answers before it are stored finds the message, and need not keep the receipt until then.

import type { SendQueue } from "./ports.ts";

interface Answer {
  readonly message: { readonly sid: string };
}

export class UnstoredAnswers {
  /** Sid of the message → number of its answer, in the order in which they came. */
  readonly #numbers = new Map<string, number>();
  #last = 0;
  /** In the order of what they wait for. */
  #waiting: { readonly last: number; readonly resolve: () => void }[] = [];

  add({ message: { sid } }: Answer): void {
    this.#numbers.set(sid, ++this.#last);
  }

  /** They are stored, or could not be: nobody waits until the database is back. */
  remove(answers: readonly Answer[]): void {
    for (const { message } of answers) this.#numbers.delete(message.sid);
    this.#wake();
  }

  clear(): void {
    this.#numbers.clear();
    this.#wake();
  }

  /** Resolves when those that have come until now are removed; undefined when there are none. */
  removed(): Promise<void> | undefined {
    if (this.#numbers.size === 0) return undefined;
    return new Promise((resolve) => this.#waiting.push({ last: this.#last, resolve }));
  }

  #wake(): void {
    const [oldest = Number.POSITIVE_INFINITY] = this.#numbers.values();
    const index = this.#waiting.findIndex(({ last }) => last >= oldest);
    for (const { resolve } of this.#waiting.splice(0, index < 0 ? this.#waiting.length : index)) resolve();
  }
}

/** The queue, which removes answers once it has settled them, or failed to. */
export function removingSettled(queue: SendQueue, answers: UnstoredAnswers): SendQueue {
  return {
    claim: (limit, now) => queue.claim(limit, now),
    begin: (batch, now) => queue.begin(batch, now),
    settle: (batch, now) => queue.settle(batch, now).finally(() => answers.remove(batch)),
    giveBack: (sids) => queue.giveBack(sids),
    owned: () => queue.owned(),
    giveBackStrays: (strays) => queue.giveBackStrays(strays),
  };
}
