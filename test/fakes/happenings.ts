// Waits for conditions without polling by time.

/** Conditions are checked again after every change. */
export class Happenings {
  readonly #waiters = new Set<() => void>();

  ring(): void {
    for (const look of [...this.#waiters]) look();
  }

  /** Resolves with the result of `find` as soon as there is one. */
  until<Found>(find: () => Found | undefined | false): Promise<Found> {
    return new Promise((resolve) => {
      const look = () => {
        const found = find();
        if (found === undefined || found === false) return;
        this.#waiters.delete(look);
        resolve(found);
      };
      this.#waiters.add(look);
      look();
    });
  }
}
