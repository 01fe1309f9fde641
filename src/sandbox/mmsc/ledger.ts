// What the handsets have received. Bounded, the oldest giving way; `next` hands every message out at most once, so it does not matter whether
// it came before it was asked for.

import type { Media } from "../../wire/mm4/messages.ts";

export interface ReceivedMms {
  readonly messageId: string;
  readonly transactionId: string;
  readonly from: string;
  /** Those it was taken for. */
  readonly recipients: readonly string[];
  /** Those it was sent to. */
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly media: readonly Media[];
  readonly receivedAt: Date;
}

interface Waiter {
  readonly wants: (message: ReceivedMms) => boolean;
  readonly resolve: (message: ReceivedMms) => void;
  readonly reject: (reason: Error) => void;
  readonly timer: NodeJS.Timeout;
}

/** Of media; messages beyond it give way, the oldest first. */
const OCTETS_MAX = 128_000_000;

export class Ledger {
  readonly #messagesMax: number;
  readonly #messages: ReceivedMms[] = [];
  readonly #handedOut = new WeakSet<ReceivedMms>();
  readonly #waiters = new Set<Waiter>();
  #octets = 0;

  constructor(messagesMax: number) {
    this.#messagesMax = messagesMax;
  }

  get messages(): readonly ReceivedMms[] {
    return [...this.#messages];
  }

  enter(message: ReceivedMms): void {
    this.#messages.push(message);
    this.#octets += octetsOf(message);
    while (this.#messages.length > this.#messagesMax || this.#octets > OCTETS_MAX) {
      const oldest = this.#messages.shift();
      if (!oldest) break;
      this.#octets -= octetsOf(oldest);
    }
    for (const waiter of this.#waiters) {
      if (!waiter.wants(message)) continue;
      this.#handedOut.add(message);
      this.#waiters.delete(waiter);
      clearTimeout(waiter.timer);
      waiter.resolve(message);
      break;
    }
  }

  next(wants: (message: ReceivedMms) => boolean, timeoutMs: number): Promise<ReceivedMms> {
    const here = this.#messages.find((message) => !this.#handedOut.has(message) && wants(message));
    if (here) {
      this.#handedOut.add(here);
      return Promise.resolve(here);
    }
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiters.delete(waiter);
        reject(new Error(`no such MMS came within ${timeoutMs} ms`));
      }, timeoutMs);
      const waiter = { wants, resolve, reject, timer };
      this.#waiters.add(waiter);
    });
  }

  close(): void {
    for (const { timer, reject } of this.#waiters) {
      clearTimeout(timer);
      reject(new Error("the MMSC has closed"));
    }
    this.#waiters.clear();
  }
}

function octetsOf({ media }: ReceivedMms): number {
  return media.reduce((sum, { bytes }) => sum + bytes.length, 0);
}
