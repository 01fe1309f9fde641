// What a program is sent while it reads, and what it loses while it does not.
//
// The kernel takes minutes of sound before a socket shows that nothing reads at the other end. So pings are sent, and
// what was sent after the last ping that was answered counts as unread. Beyond `unreadMax` frames nothing is sent; then
// `heldMax` frames are held, of which the oldest is lost for each new one.

import { Fifo } from "../../base/fifo.ts";

export interface WindowLimits {
  readonly unreadMax: number;
  readonly heldMax: number;
}

export class ReceiverWindow<Frame> {
  readonly #limits: WindowLimits;
  readonly #send: (frame: Frame) => void;
  readonly #held = new Fifo<Frame>();
  /** How many frames had been sent at each ping that is not answered yet, the oldest first. */
  readonly #pings = new Fifo<{ readonly ping: number; readonly sent: number }>();
  #ping = 0;
  #sent = 0;
  #read = 0;
  #lost = 0;

  constructor(limits: WindowLimits, send: (frame: Frame) => void) {
    this.#limits = limits;
    this.#send = send;
  }

  get sent(): number {
    return this.#sent;
  }

  get lost(): number {
    return this.#lost;
  }

  /** Pings that are not answered. */
  get unanswered(): number {
    return this.#pings.length;
  }

  send(frame: Frame): void {
    this.#held.push(frame);
    this.#flush();
    if (this.#held.length <= this.#limits.heldMax) return;
    this.#held.shift();
    this.#lost++;
  }

  /** The number that the next ping carries. */
  ping(): number {
    this.#pings.push({ ping: ++this.#ping, sent: this.#sent });
    return this.#ping;
  }

  /** Answers to pings that were not sent have no effect. */
  answered(ping: number): void {
    if (ping > this.#ping) return;
    for (let first = this.#pings.first; first && first.ping <= ping; first = this.#pings.first) {
      this.#pings.shift();
      this.#read = first.sent;
    }
    this.#flush();
  }

  #flush(): void {
    while (this.#sent - this.#read < this.#limits.unreadMax) {
      const frame = this.#held.shift();
      if (frame === undefined) return;
      this.#sent++;
      this.#send(frame);
    }
  }
}
