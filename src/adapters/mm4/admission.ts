// Decides which messages an MM4 link takes. A message stays as long as its media take to come, so an account with slow
// media would fill the link; the sender asks for a number only (`capacity`), and hands over messages of any account.
//
// Guarantees: the link holds at most `messagesMax`. An account holds at most as many as are left free: one alone half of
// them, each of two a third, and so on. So there is always capacity for an account that holds none, until
// `messagesMax` accounts hold some. `capacity` counts what the account that holds most may add. When that is nothing,
// one message is tried every `tryMs`: it may be another account's, and otherwise it is not admitted.

import type { Clock } from "../../base/clock.ts";

export interface AdmissionOptions {
  readonly messagesMax: number;
  readonly clock: Clock;
  readonly tryMs?: number;
  /** Called when there is capacity again. */
  freed(): void;
}

const TRY_MS = 50;

export class Admission {
  readonly #options: AdmissionOptions;
  readonly #held = new Map<string, number>();
  #free: number;
  #mayTryOne = false;
  #cancelTry: (() => void) | undefined;

  constructor(options: AdmissionOptions) {
    this.#options = options;
    this.#free = options.messagesMax;
  }

  capacity(): number {
    const mostHeld = Math.max(0, ...this.#held.values());
    const room = Math.ceil((this.#free - mostHeld) / 2);
    if (room > 0) return room;
    return this.#mayTryOne ? Math.min(1, this.#free) : 0;
  }

  /** After true, `leave` must be called once. */
  admit(account: string): boolean {
    const held = this.#held.get(account) ?? 0;
    const isAdmitted = held < this.#free;
    if (isAdmitted) {
      this.#held.set(account, held + 1);
      this.#free--;
    } else {
      this.#mayTryOne = false;
    }
    this.#tryLater();
    return isAdmitted;
  }

  leave(account: string): void {
    const hadCapacity = this.capacity() > 0;
    const held = (this.#held.get(account) ?? 0) - 1;
    if (held < 0) throw new Error(`no message of ${account} is here`);
    if (held === 0) this.#held.delete(account);
    else this.#held.set(account, held);
    this.#free++;
    if (!hadCapacity && this.capacity() > 0) this.#options.freed();
    this.#tryLater();
  }

  close(): void {
    this.#cancelTry?.();
  }

  #tryLater(): void {
    if (this.#cancelTry || this.#free === 0 || this.capacity() > 0) return;
    const { clock, tryMs = TRY_MS, freed } = this.#options;
    this.#cancelTry = clock.after(tryMs, () => {
      this.#cancelTry = undefined;
      const hadCapacity = this.capacity() > 0;
      this.#mayTryOne = true;
      if (!hadCapacity && this.capacity() > 0) freed();
    });
  }
}
