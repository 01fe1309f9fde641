// Waiting for something to happen, without looking at the clock.

/** Things are looked at again whenever something has happened. */
export class Happenings {
  readonly #waiters = new Set<() => void>();

  ring(): void {
    for (const look of [...this.#waiters]) look();
  }

  /** What `find` finds, as soon as it does. */
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
