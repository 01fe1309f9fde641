// Sends our MM4 responses and reports to the peer. They are small and can be made again: a peer that misses one repeats
// its request. So they wait in memory only, are tried a few times, and the oldest are dropped when too many wait.

import type { Log } from "../../base/log.ts";
import type { Mail, MailOutcome } from "./smtp-connection.ts";

const TRY_AGAIN_MS = [5_000, 30_000, 120_000, 600_000] as const;
const WAITING_MAX = 10_000;

interface Entry {
  readonly mail: Mail;
  readonly about: string;
  tries: number;
  timer: NodeJS.Timeout | undefined;
}

export class ResponseQueue {
  readonly #send: (mail: Mail) => Promise<MailOutcome>;
  readonly #log: Log;
  readonly #tryAgainMs: readonly number[];
  readonly #waiting = new Set<Entry>();
  #isClosed = false;

  constructor(send: (mail: Mail) => Promise<MailOutcome>, log: Log, tryAgainMs: readonly number[] = TRY_AGAIN_MS) {
    this.#send = send;
    this.#log = log;
    this.#tryAgainMs = tryAgainMs;
  }

  post(mail: Mail, about: string): void {
    if (this.#isClosed) return;
    const entry: Entry = { mail, about, tries: 0, timer: undefined };
    this.#waiting.add(entry);
    for (const oldest of this.#waiting) {
      if (this.#waiting.size <= WAITING_MAX) break;
      this.#giveUp(oldest, "too many wait");
    }
    void this.#try(entry);
  }

  close(): void {
    this.#isClosed = true;
    for (const { timer } of this.#waiting) clearTimeout(timer);
    this.#waiting.clear();
  }

  /** Never rejects: no caller awaits it. */
  async #try(entry: Entry): Promise<void> {
    let outcome: MailOutcome;
    try {
      outcome = await this.#send(entry.mail);
    } catch (error) {
      outcome = { kind: "notSent", reason: (error as Error).message };
    }
    if (!this.#waiting.has(entry)) return;
    if (outcome.kind === "taken") {
      this.#waiting.delete(entry);
      return;
    }
    const reason = outcome.kind === "refused" ? outcome.text : outcome.reason;
    const delayMs = this.#tryAgainMs[entry.tries];
    if (delayMs === undefined || (outcome.kind === "refused" && outcome.status >= 500)) {
      this.#giveUp(entry, reason);
      return;
    }
    entry.tries += 1;
    entry.timer = setTimeout(() => void this.#try(entry), delayMs);
  }

  #giveUp(entry: Entry, reason: string): void {
    this.#waiting.delete(entry);
    clearTimeout(entry.timer);
    this.#log.warn({ about: entry.about, reason }, "answer to the MMS peer given up");
  }
}
