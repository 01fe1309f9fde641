// The messages that the handsets of a simulated SMSC or MMSC have received. Bounded in number and in octets: the oldest
// are dropped. `next` returns each message at most once, whether it arrives before or after the call.

import { Fifo } from "../base/fifo.ts";

export interface ReceivedLimits {
  readonly messagesMax: number;
  readonly octetsMax: number;
}

interface Waiter<Message> {
  readonly wants: (message: Message) => boolean;
  readonly resolve: (message: Message) => void;
  readonly reject: (reason: Error) => void;
  readonly timer: NodeJS.Timeout;
}

export class ReceivedMessages<Message extends object> {
  readonly #limits: ReceivedLimits;
  readonly #octetsOf: (message: Message) => number;
  readonly #messages = new Fifo<Message>();
  readonly #handedOut = new WeakSet<Message>();
  readonly #waiters = new Set<Waiter<Message>>();
  #octets = 0;

  constructor(limits: ReceivedLimits, octetsOf: (message: Message) => number) {
    this.#limits = limits;
    this.#octetsOf = octetsOf;
  }

  get all(): readonly Message[] {
    return this.#messages.toArray();
  }

  add(message: Message): void {
    this.#messages.push(message);
    this.#octets += this.#octetsOf(message);
    const { messagesMax, octetsMax } = this.#limits;
    while (this.#messages.length > messagesMax || this.#octets > octetsMax) {
      this.#octets -= this.#octetsOf(this.#messages.shift() as Message);
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

  next(wants: (message: Message) => boolean, timeoutMs: number): Promise<Message> {
    const here = this.all.find((message) => !this.#handedOut.has(message) && wants(message));
    if (here) {
      this.#handedOut.add(here);
      return Promise.resolve(here);
    }
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiters.delete(waiter);
        reject(new Error(`no such message came within ${timeoutMs} ms`));
      }, timeoutMs);
      const waiter = { wants, resolve, reject, timer };
      this.#waiters.add(waiter);
    });
  }

  close(): void {
    for (const { timer, reject } of this.#waiters) {
      clearTimeout(timer);
      reject(new Error("the message centre has closed"));
    }
    this.#waiters.clear();
  }
}
