// For speed alone (`bench -- messages` would notice): answers of carriers that have arrived and are not stored yet. A
// carrier may send a receipt right after its answer. A receipt that waits until the answers before it are stored finds
// its message, and need not be kept for later.

interface Answer {
  readonly message: { readonly sid: string };
}

export class UnstoredAnswers {
  /** Sid of the message → number of its answer, in order of arrival. */
  readonly #numbers = new Map<string, number>();
  #last = 0;
  /** Sorted by the answer that they wait for. */
  #waiting: { readonly last: number; readonly resolve: () => void }[] = [];

  add({ message: { sid } }: Answer): void {
    this.#numbers.set(sid, ++this.#last);
  }

  /** The answers are stored, or could not be: receipts do not wait until the database is back. */
  remove(answers: readonly Answer[]): void {
    for (const { message } of answers) this.#numbers.delete(message.sid);
    this.#wake();
  }

  clear(): void {
    this.#numbers.clear();
    this.#wake();
  }

  /** Resolves when the answers that have arrived so far are removed; undefined when there are none. */
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
