// A semaphore for forms with files. Each form is in memory while it arrives and is checked, so their number is limited,
// also for each account, so that an account with a slow line does not block the others. Further forms wait for a
// limited time, unread; the account that holds the fewest is served first, and equal ones in the order of arrival.
//
// While another account waits, a form that arrives too slowly is cut off after a grace period, and so is a form of an
// account that holds at least two more than the waiting one: an account cannot keep others out by holding uploads open.

const FORMS_MAX = 8;
const FORMS_PER_ACCOUNT_MAX = 3;
const WAITING_MAX = 100;
const WAITING_PER_ACCOUNT_MAX = 10;
const WAIT_MS = 10_000;
/** A form is never cut off within this time. */
const GRACE_MS = 3_000;
const BYTES_PER_SECOND_MIN = 16 * 1024;
const LOOK_MS = 500;

type Release = () => void;

/** A form that is being uploaded. */
export interface Upload {
  readonly accountSid: string;
  /** Whether bytes of it are still missing. */
  isArriving(): boolean;
  /** How much was read from its connection so far. */
  bytesRead(): number;
  /** Refuses the rest of it. */
  cut(): void;
}

interface Held {
  readonly upload: Upload;
  readonly sinceMs: number;
  readonly bytesBefore: number;
  readonly release: Release;
}

interface Waiting {
  readonly upload: Upload;
  readonly acquired: (release: Release) => void;
}

export class UploadLimit {
  readonly #held = new Set<Held>();
  readonly #waiting = new Set<Waiting>();
  #look: NodeJS.Timeout | undefined;

  /** Returns the function that releases it; undefined when too many wait or the wait was too long. */
  async acquire(upload: Upload): Promise<Release | undefined> {
    if (this.#isBelow(upload)) return this.#hold(upload);
    const waitingOfAccount = [...this.#waiting].filter((each) => each.upload.accountSid === upload.accountSid).length;
    if (this.#waiting.size >= WAITING_MAX || waitingOfAccount >= WAITING_PER_ACCOUNT_MAX) return undefined;
    return new Promise((resolve) => {
      const giveUp = setTimeout(() => {
        this.#waiting.delete(waiting);
        resolve(undefined);
      }, WAIT_MS);
      const waiting: Waiting = {
        upload,
        acquired(release) {
          clearTimeout(giveUp);
          resolve(release);
        },
      };
      this.#waiting.add(waiting);
      this.#cutSlow();
    });
  }

  #isBelow({ accountSid }: Upload): boolean {
    return this.#held.size < FORMS_MAX && this.#countOf(accountSid) < FORMS_PER_ACCOUNT_MAX;
  }

  #countOf(accountSid: string): number {
    let count = 0;
    for (const { upload } of this.#held) if (upload.accountSid === accountSid) count += 1;
    return count;
  }

  #hold(upload: Upload): Release {
    const release = () => {
      if (this.#held.delete(held)) this.#admitNext();
    };
    const held: Held = { upload, sinceMs: performance.now(), bytesBefore: upload.bytesRead(), release };
    this.#held.add(held);
    return release;
  }

  #admitNext(): void {
    const [next] = [...this.#waiting]
      .filter(({ upload }) => this.#isBelow(upload))
      .sort((one, other) => this.#countOf(one.upload.accountSid) - this.#countOf(other.upload.accountSid));
    if (!next) return;
    this.#waiting.delete(next);
    next.acquired(this.#hold(next.upload));
  }

  /** Cuts off one form for each upload that waits because of other accounts, and checks again while any wait. */
  #cutSlow(): void {
    this.#look ??= setTimeout(() => {
      this.#look = undefined;
      if (this.#waiting.size > 0) this.#cutSlow();
    }, LOOK_MS).unref();
    for (const { upload } of this.#waiting) {
      const count = this.#countOf(upload.accountSid);
      if (count >= FORMS_PER_ACCOUNT_MAX) continue;
      // In order of age: the longest held first.
      const slow = [...this.#held].find((held) => this.#mayBeCut(held, count));
      slow?.upload.cut();
      slow?.release();
    }
  }

  #mayBeCut({ upload, sinceMs, bytesBefore }: Held, countOfWaiting: number): boolean {
    const heldMs = performance.now() - sinceMs;
    if (heldMs < GRACE_MS || !upload.isArriving()) return false;
    const isTrickling = (upload.bytesRead() - bytesBefore) / heldMs < BYTES_PER_SECOND_MIN / 1000;
    return isTrickling || this.#countOf(upload.accountSid) >= countOfWaiting + 2;
  }
}
