// For speed alone (`bench -- messages` would notice): numbers that send, with the facts about them, held in memory, so
// that a message needs no query. Changes arrive by NOTIFY from every process; while notifications may be missed
// (listener.ts), no number is known and the database is queried. Only numbers that may send are held, so one that
// another process made active a moment ago sends immediately, and one that may no longer send stops as soon as the
// notification arrives; in the process that made the change, before the change is acknowledged.
//
// A sender that was read while a change was announced may have been read before it, and is not held. Bounded, in all
// and by account: an account with more numbers than its part begins anew, and costs no other account its own.

import type { SenderState } from "../../../domain/messaging/index.ts";

const SENDERS_MAX = 100_000;
const SENDERS_OF_ACCOUNT_MAX = 10_000;

export class KnownSenders {
  readonly #isCurrent: () => boolean;
  /** By account, then number. */
  readonly #accounts = new Map<string, Map<string, SenderState>>();
  #size = 0;
  /** How many changes were announced. */
  #changes = 0;

  constructor(isCurrent: () => boolean) {
    this.#isCurrent = isCurrent;
  }

  find(accountSid: string, from: string): SenderState | undefined {
    return this.#isCurrent() ? this.#accounts.get(accountSid)?.get(from) : undefined;
  }

  /** To be called before reading; the result holds what was read, unless something changed meanwhile. */
  holder(): (accountSid: string, from: string, sender: SenderState) => void {
    const changes = this.#changes;
    return (accountSid, from, sender) => {
      if (changes === this.#changes && maySend(sender)) this.#hold(accountSid, from, sender);
    };
  }

  /** Numbers of the account, their configs or campaigns have changed. */
  changed(accountSid: string): void {
    this.#changes++;
    this.#forget(accountSid);
  }

  /** Anything may have changed. */
  clear(): void {
    this.#changes++;
    this.#accounts.clear();
    this.#size = 0;
  }

  #hold(accountSid: string, from: string, sender: SenderState): void {
    if (this.#accounts.get(accountSid)?.size === SENDERS_OF_ACCOUNT_MAX) this.#forget(accountSid);
    if (this.#size === SENDERS_MAX) this.clear();
    let senders = this.#accounts.get(accountSid);
    if (!senders) {
      senders = new Map();
      this.#accounts.set(accountSid, senders);
    }
    const sizeBefore = senders.size;
    senders.set(from, sender);
    this.#size += senders.size - sizeBefore;
  }

  #forget(accountSid: string): void {
    this.#size -= this.#accounts.get(accountSid)?.size ?? 0;
    this.#accounts.delete(accountSid);
  }
}

function maySend({ status, campaignStatus, sendsSms }: SenderState): boolean {
  return status === "Active" && (campaignStatus === null || campaignStatus === "Active") && sendsSms;
}
