// How many messages an MM4 link takes. A message stays as long as its media take to come, so an account with slow media
// would fill the link.
//
// Guarantees: the link holds at most `messagesMax`. An account holds at most as many as are left free: one alone half
// of them, each of two a third, and so on. So there is always room for an account that holds none, until `messagesMax`
// accounts hold some.

export interface AdmissionOptions {
  readonly messagesMax: number;
  /** Called when there is room again. */
  freed(): void;
}

export class Admission {
  readonly #options: AdmissionOptions;
  readonly #held = new Map<string, number>();
  #free: number;

  constructor(options: AdmissionOptions) {
    this.#options = options;
    this.#free = options.messagesMax;
  }

  /** For messages of any account. */
  get free(): number {
    return this.#free;
  }

  roomFor(account: string): number {
    const held = this.#held.get(account) ?? 0;
    return Math.max(0, Math.ceil((this.#free - held) / 2));
  }

  /** After true, `leave` must be called once. */
  admit(account: string): boolean {
    if (this.roomFor(account) === 0) return false;
    this.#held.set(account, (this.#held.get(account) ?? 0) + 1);
    this.#free--;
    return true;
  }

  leave(account: string): void {
    const held = (this.#held.get(account) ?? 0) - 1;
    if (held < 0) throw new Error(`no message of ${account} is here`);
    if (held === 0) this.#held.delete(account);
    else this.#held.set(account, held);
    this.#free++;
    this.#options.freed();
  }
}
