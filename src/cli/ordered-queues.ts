// Work in queues: the jobs of one queue run one after the other, those of several queues side by side, and no more than
// a bound of them are held. Jobs must not throw.

export class OrderedQueues {
  readonly #heldMax: number;
  readonly #tails = new Map<string, Promise<void>>();
  #held = 0;
  #waiting: (() => void)[] = [];

  constructor(heldMax: number) {
    this.#heldMax = heldMax;
  }

  /** Settles when the job is taken: at once while there is room. */
  async add(queue: string, job: () => Promise<void>): Promise<void> {
    while (this.#held >= this.#heldMax) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#held++;
    const before = this.#tails.get(queue) ?? Promise.resolve();
    const tail = before.then(job).finally(() => {
      this.#held--;
      if (this.#tails.get(queue) === tail) this.#tails.delete(queue);
      this.#waiting.shift()?.();
    });
    this.#tails.set(queue, tail);
  }

  /** Settles when everything that was taken is done. */
  async idle(): Promise<void> {
    while (this.#tails.size > 0) await Promise.all(this.#tails.values());
  }
}
