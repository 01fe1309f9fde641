// Decides which PDUs of SMPP links are shown to clients that watch them: none without a receiver, and at most a
// given number per second for each account that watches its own. All others share one such number: those that only an
// operator receives, and those whose owner must be looked up first, of which none are shown while many are looked up.

import type { PduOwner, PduOwners, PduSubject } from "./ports.ts";

export interface ShownPduDeps {
  readonly isWatched: () => boolean;
  /** Whether this account watches its own, or, if undefined, an operator watches all. */
  readonly isWatchedBy: (accountSid: string | undefined) => boolean;
  readonly owners: PduOwners;
  readonly perSecondMax: number;
  readonly elapsedMs: () => number;
}

/** The share of those that are not shown to an account that watches. */
const SHARED = "";

export class ShownPdus {
  readonly #deps: ShownPduDeps;
  #second = 0;
  /** How many were admitted in that second, by account. */
  readonly #counts = new Map<string, number>();

  constructor(deps: ShownPduDeps) {
    this.#deps = deps;
  }

  readonly isOn = (): boolean => this.#deps.isWatched();

  /** Whether one more may be shown; if so, counts it. */
  readonly admits = (carrier: string, subject: PduSubject): boolean => {
    const share = this.#shareOf(carrier, subject);
    return share !== undefined && this.#take(share);
  };

  /** The ids in answers are remembered only while a client watches. */
  readonly answered = (carrier: string, carrierId: string, message: PduOwner): void => {
    if (this.#deps.isWatched()) this.#deps.owners.answered(carrier, carrierId, message);
  };

  async ownerOf(carrier: string, subject: PduSubject): Promise<PduOwner | undefined> {
    return subject.kind === "message" ? subject.message : this.#deps.owners.of(carrier, subject);
  }

  #shareOf(carrier: string, subject: PduSubject): string | undefined {
    const { owners, isWatchedBy } = this.#deps;
    const owner = subject.kind === "message" ? subject.message : owners.known(carrier, subject);
    if (!owner) return owners.isBusy ? undefined : SHARED;
    if (isWatchedBy(owner.accountSid)) return owner.accountSid;
    return isWatchedBy(undefined) ? SHARED : undefined;
  }

  #take(share: string): boolean {
    const second = Math.floor(this.#deps.elapsedMs() / 1_000);
    if (second !== this.#second) this.#counts.clear();
    this.#second = second;
    const count = this.#counts.get(share) ?? 0;
    if (count >= this.#deps.perSecondMax) return false;
    this.#counts.set(share, count + 1);
    return true;
  }
}
