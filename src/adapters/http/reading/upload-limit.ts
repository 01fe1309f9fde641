// Room for forms with files. Each is held in memory while it arrives and is looked into, so only so many are let in at a time, and of one
// account fewer, that nobody with a slow line keeps everybody out. The others wait a while, unread, in the order in which they came.

const FORMS_MAX = 8;
const FORMS_PER_ACCOUNT_MAX = 3;
const WAITING_MAX = 100;
const WAIT_MS = 10_000;

type Leave = () => void;

interface Waiting {
  readonly accountSid: string;
  readonly admit: (leave: Leave) => void;
}

export class UploadLimit {
  readonly #byAccount = new Map<string, number>();
  readonly #waiting = new Set<Waiting>();
  #count = 0;

  /** Answers how to leave; undefined when there was no room for too long. */
  async enter(accountSid: string): Promise<Leave | undefined> {
    if (this.#hasRoom(accountSid)) return this.#admit(accountSid);
    if (this.#waiting.size >= WAITING_MAX) return undefined;
    return new Promise((resolve) => {
      const giveUp = setTimeout(() => {
        this.#waiting.delete(waiting);
        resolve(undefined);
      }, WAIT_MS);
      const waiting: Waiting = {
        accountSid,
        admit(leave) {
          clearTimeout(giveUp);
          resolve(leave);
        },
      };
      this.#waiting.add(waiting);
    });
  }

  #hasRoom(accountSid: string): boolean {
    return this.#count < FORMS_MAX && (this.#byAccount.get(accountSid) ?? 0) < FORMS_PER_ACCOUNT_MAX;
  }

  #admit(accountSid: string): Leave {
    this.#count += 1;
    this.#byAccount.set(accountSid, (this.#byAccount.get(accountSid) ?? 0) + 1);
    let isInside = true;
    return () => {
      if (!isInside) return;
      isInside = false;
      this.#leave(accountSid);
    };
  }

  #leave(accountSid: string): void {
    this.#count -= 1;
    const left = (this.#byAccount.get(accountSid) ?? 1) - 1;
    if (left > 0) this.#byAccount.set(accountSid, left);
    else this.#byAccount.delete(accountSid);
    for (const waiting of this.#waiting) {
      if (!this.#hasRoom(waiting.accountSid)) continue;
      this.#waiting.delete(waiting);
      waiting.admit(this.#admit(waiting.accountSid));
      return;
    }
  }
}
