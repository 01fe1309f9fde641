// Rings when events or messages were stored, by any process: readers of the account's log wake, and so does whoever delivers or sends.
// Hearing it is not certain (a connection may break), so everybody who waits also looks by himself now and then.

export class Notifier {
  readonly #readers = new Map<string, Set<() => void>>();
  #deliveries: (subscriptionSids: readonly string[] | "any") => void = () => undefined;
  #messages: () => void = () => undefined;
  #isClosed = false;

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Who is told of subscriptions in whose endpoints something is due. */
  onDeliveries(tell: (subscriptionSids: readonly string[] | "any") => void): void {
    this.#deliveries = tell;
  }

  /** Who is told that messages wait to be sent. */
  onMessages(tell: () => void): void {
    this.#messages = tell;
  }

  notifyMessages(): void {
    this.#messages();
  }

  /** Account and subscription sids separated by commas; empty means that anything may have been stored. */
  notifyEvents(list: string): void {
    if (list === "") {
      this.#wake([...this.#readers.keys()]);
      this.#deliveries("any");
      return;
    }
    const sids = list.split(",");
    this.#wake(sids);
    const endpoints = sids.filter((sid) => sid.startsWith("WS"));
    if (endpoints.length > 0) this.#deliveries(endpoints);
  }

  /** Answers whether it rang; at once when the reader has left. */
  waitForEvents(accountSid: string, ms: number, left: AbortSignal): Promise<boolean> {
    if (this.#isClosed) return Promise.resolve(true);
    if (left.aborted) return Promise.resolve(false);
    return new Promise((resolve) => {
      const readers = this.#readers.get(accountSid) ?? new Set();
      this.#readers.set(accountSid, readers);
      const done = (rang: boolean) => {
        clearTimeout(timer);
        left.removeEventListener("abort", leave);
        readers.delete(hear);
        if (readers.size === 0) this.#readers.delete(accountSid);
        resolve(rang);
      };
      const hear = () => done(true);
      const leave = () => done(false);
      const timer = setTimeout(() => done(false), ms);
      readers.add(hear);
      left.addEventListener("abort", leave);
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#wake([...this.#readers.keys()]);
  }

  #wake(accountSids: readonly string[]): void {
    for (const sid of accountSids) for (const hear of [...(this.#readers.get(sid) ?? [])]) hear();
  }
}
