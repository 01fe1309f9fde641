// Room for forms with files. Each is held in memory while it arrives and is looked into, so only so many are let in at a time, and of one
// account fewer, that nobody with a slow line keeps everybody out.

const FORMS_MAX = 8;
const FORMS_PER_ACCOUNT_MAX = 2;

export class FormRoom {
  readonly #byAccount = new Map<string, number>();
  #count = 0;

  /** Answers how to leave; undefined when there is no room. */
  enter(accountSid: string): (() => void) | undefined {
    const own = this.#byAccount.get(accountSid) ?? 0;
    if (this.#count >= FORMS_MAX || own >= FORMS_PER_ACCOUNT_MAX) return undefined;
    this.#count += 1;
    this.#byAccount.set(accountSid, own + 1);
    let isInside = true;
    return () => {
      if (!isInside) return;
      isInside = false;
      this.#count -= 1;
      const left = (this.#byAccount.get(accountSid) ?? 1) - 1;
      if (left > 0) this.#byAccount.set(accountSid, left);
      else this.#byAccount.delete(accountSid);
    };
  }
}
