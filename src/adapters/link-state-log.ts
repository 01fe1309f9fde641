// The state of a link to a carrier, when it last went up or down, and its log lines. Each change is logged once at info
// or warn. While a link keeps reconnecting, only the first failure and each failure for another reason are logged
// there; the attempts in between are logged at debug.

import type { Log } from "../base/log.ts";
import { isUp, type LinkState } from "../domain/messaging/index.ts";

type Fared = Omit<LinkState, "since">;

export interface LinkStateLogDeps {
  readonly log: Log;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export class LinkStateLog {
  readonly #link: string;
  readonly #deps: LinkStateLogDeps;
  #state: LinkState;
  #told: Fared | undefined;

  constructor({ link, kind, reason }: Fared & { readonly link: string }, deps: LinkStateLogDeps) {
    this.#link = link;
    this.#deps = deps;
    this.#state = { kind, reason, since: new Date(deps.now()) };
  }

  get state(): LinkState {
    return this.#state;
  }

  set({ kind, reason }: Fared): void {
    const before = this.#state;
    if (kind === before.kind && reason === before.reason) return;
    const hasTurned = isUp(before) !== isUp({ kind });
    this.#state = { kind, reason, since: hasTurned ? new Date(this.#deps.now()) : before.since };
    const isKnown = kind === this.#told?.kind && (kind === before.kind || reason === this.#told.reason);
    const isNews = kind !== "connecting" && !isKnown;
    if (isNews) this.#told = { kind, reason };
    const level = isNews ? (kind === "down" ? "warn" : "info") : "debug";
    this.#deps.log[level]({ link: this.#link, kind, reason }, "link changed");
  }
}
