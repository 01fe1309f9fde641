// Notifies this process when any process has stored events or messages, or stopped a link: readers of an account's log,
// the dispatcher and the sender wake up. A notification may be lost when a connection breaks, so each of them also
// polls from time to time.

import type { PostedBatches } from "../../../domain/live-log.ts";

/** The key, in place of an account's sid, for readers of all events. */
const ALL_ACCOUNTS = "everybody";

export class Notifier {
  readonly #readers = new Map<string, Set<() => void>>();
  /** Called with subscriptions whose deliveries are due. */
  onDeliveries: (subscriptionSids: readonly string[] | "any") => void = () => undefined;
  /** Called when messages wait to be sent. */
  onMessages: () => void = () => undefined;
  /** Called with what `CALLS_ASKED` carries. */
  onCalls: (notice: string) => void = () => undefined;
  /** Called with the trunk whose registered contacts changed; `all`: those of any may have. */
  onRegistrations: (trunk: string | "all") => void = () => undefined;
  /** Called when links were stopped or started. */
  onLinks: () => void = () => undefined;
  /** Called with the key of a rate limit whose lease another process needs: gives it back. */
  onLimits: (key: string) => Promise<void> = async () => undefined;
  /** Called with the name of a process at which other live entries are watched. */
  onLiveWatched: (process: string) => void = () => undefined;
  /** Called when another process has sent live entries. */
  onLivePosted: (posted: PostedBatches) => void = () => undefined;
  #isClosed = false;

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Account and subscription sids separated by commas; empty means that anything may have been stored. */
  notifyEvents(list: string): void {
    if (list === "") {
      this.#wake([...this.#readers.keys()]);
      this.onDeliveries("any");
      return;
    }
    const sids = list.split(",");
    this.#wake(sids);
    const endpoints = sids.filter((sid) => sid.startsWith("WS"));
    if (endpoints.length > 0) this.onDeliveries(endpoints);
  }

  /** With what `LIVE_POSTED` carries. */
  notifyLive(notice: string): void {
    const [process, first, last] = notice.split(" ");
    if (process !== undefined && first !== undefined && last !== undefined) this.onLivePosted({ process, first, last });
  }

  /** Anything may have changed, except for what is polled. */
  notifyAll(): void {
    this.notifyEvents("");
    this.onMessages();
    this.onLinks();
    this.onRegistrations("all");
  }

  /** Resolves with whether a notification arrived; immediately when the reader has left. */
  waitForEvents(accountSid: string, ms: number, left: AbortSignal): Promise<boolean> {
    if (this.#isClosed) return Promise.resolve(true);
    if (left.aborted) return Promise.resolve(false);
    return new Promise((resolve) => {
      const readers = this.#readers.get(accountSid) ?? new Set();
      this.#readers.set(accountSid, readers);
      const done = (wasNotified: boolean) => {
        clearTimeout(timer);
        left.removeEventListener("abort", leave);
        readers.delete(hear);
        if (readers.size === 0) this.#readers.delete(accountSid);
        resolve(wasNotified);
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
    for (const sid of accountSids.length > 0 ? [...accountSids, ALL_ACCOUNTS] : accountSids)
      for (const hear of [...(this.#readers.get(sid) ?? [])]) hear();
  }
}
