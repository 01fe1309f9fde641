// Job queues: the jobs of one queue run in order, those of different queues concurrently, with a bound on unfinished
// jobs. Jobs must not throw.

export class OrderedQueues {
  readonly #pendingMax: number;
  readonly #tails = new Map<string, Promise<void>>();
  #pending = 0;
  #waiting: (() => void)[] = [];

  constructor(pendingMax: number) {
    this.#pendingMax = pendingMax;
  }

  /** Resolves when the job is accepted: immediately while the bound is not reached. */
  async add(queue: string, job: () => Promise<void>): Promise<void> {
    while (this.#pending >= this.#pendingMax) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#pending++;
    const before = this.#tails.get(queue) ?? Promise.resolve();
    const tail = before.then(job).finally(() => {
      this.#pending--;
      if (this.#tails.get(queue) === tail) this.#tails.delete(queue);
      this.#waiting.shift()?.();
    });
    this.#tails.set(queue, tail);
  }

  /** Resolves when all accepted jobs are done. */
  async idle(): Promise<void> {
    while (this.#tails.size > 0) await Promise.all(this.#tails.values());
  }
}
