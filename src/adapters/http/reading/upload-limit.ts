// A semaphore for forms with files. Each is in memory while it arrives and is checked, so their number is limited, also
// for each account, so that an account with a slow line does not block the others. Further ones wait for a while,
// unread, in the order in which they came.

const FORMS_MAX = 8;
const FORMS_PER_ACCOUNT_MAX = 3;
const WAITING_MAX = 100;
const WAIT_MS = 10_000;

type Release = () => void;

interface Waiting {
  readonly accountSid: string;
  readonly acquired: (release: Release) => void;
}

export class UploadLimit {
  readonly #byAccount = new Map<string, number>();
  readonly #waiting = new Set<Waiting>();
  #total = 0;

  /** Answers the function that releases it; undefined when the wait was too long. */
  async acquire(accountSid: string): Promise<Release | undefined> {
    if (this.#isBelow(accountSid)) return this.#count(accountSid);
    if (this.#waiting.size >= WAITING_MAX) return undefined;
    return new Promise((resolve) => {
      const giveUp = setTimeout(() => {
        this.#waiting.delete(waiting);
        resolve(undefined);
      }, WAIT_MS);
      const waiting: Waiting = {
        accountSid,
        acquired(release) {
          clearTimeout(giveUp);
          resolve(release);
        },
      };
      this.#waiting.add(waiting);
    });
  }

  #isBelow(accountSid: string): boolean {
    return this.#total < FORMS_MAX && (this.#byAccount.get(accountSid) ?? 0) < FORMS_PER_ACCOUNT_MAX;
  }

  #count(accountSid: string): Release {
    this.#total += 1;
    this.#byAccount.set(accountSid, (this.#byAccount.get(accountSid) ?? 0) + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#release(accountSid);
    };
  }

  #release(accountSid: string): void {
    this.#total -= 1;
    const left = (this.#byAccount.get(accountSid) ?? 1) - 1;
    if (left > 0) this.#byAccount.set(accountSid, left);
    else this.#byAccount.delete(accountSid);
    for (const waiting of this.#waiting) {
      if (!this.#isBelow(waiting.accountSid)) continue;
      this.#waiting.delete(waiting);
      waiting.acquired(this.#count(waiting.accountSid));
      return;
    }
  }
}
