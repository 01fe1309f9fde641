// Decides which PDUs of SMPP links are shown to clients that watch them: none without such a client, at most a given
// number per second, and none while many owners are being looked up.

import type { PduOwner, PduOwners, PduSubject } from "./ports.ts";

export interface ShownPduDeps {
  readonly isWatched: () => boolean;
  readonly owners: PduOwners;
  readonly perSecondMax: number;
  readonly elapsedMs: () => number;
}

export class ShownPdus {
  readonly #deps: ShownPduDeps;
  #second = 0;
  /** How many were admitted in that second. */
  #count = 0;

  constructor(deps: ShownPduDeps) {
    this.#deps = deps;
  }

  readonly isOn = (): boolean => this.#deps.isWatched() && !this.#deps.owners.isBusy && this.#hasBudget();

  /** Whether one more may be shown; if so, counts it. */
  readonly admits = (): boolean => this.#hasBudget() && ++this.#count > 0;

  /** The ids in answers are remembered only while a client watches. */
  readonly answered = (carrier: string, carrierId: string, message: PduOwner): void => {
    if (this.#deps.isWatched()) this.#deps.owners.answered(carrier, carrierId, message);
  };

  async ownerOf(carrier: string, subject: PduSubject): Promise<PduOwner | undefined> {
    return subject.kind === "message" ? subject.message : this.#deps.owners.of(carrier, subject);
  }

  #hasBudget(): boolean {
    const second = Math.floor(this.#deps.elapsedMs() / 1_000);
    if (second !== this.#second) this.#count = 0;
    this.#second = second;
    return this.#count < this.#deps.perSecondMax;
  }
}
