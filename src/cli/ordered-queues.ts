// Work in lanes: the jobs of one lane run one after the other, those of several lanes side by side, and no more than a bound of them
// are held. Jobs must not throw.

export class OrderedLanes {
  readonly #heldMax: number;
  readonly #tails = new Map<string, Promise<void>>();
  #held = 0;
  #waiting: (() => void)[] = [];

  constructor(heldMax: number) {
    this.#heldMax = heldMax;
  }

  /** Settles when the job is taken: at once while there is room. */
  async add(lane: string, job: () => Promise<void>): Promise<void> {
    while (this.#held >= this.#heldMax) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#held++;
    const before = this.#tails.get(lane) ?? Promise.resolve();
    const tail = before.then(job).finally(() => {
      this.#held--;
      if (this.#tails.get(lane) === tail) this.#tails.delete(lane);
      this.#waiting.shift()?.();
    });
    this.#tails.set(lane, tail);
  }

  /** Settles when everything that was taken is done. */
  async idle(): Promise<void> {
    while (this.#tails.size > 0) await Promise.all(this.#tails.values());
  }
}
