// Carries our answers and reports to the peer. They are small and can be had again: a peer that misses one sends its request again. So they
// wait in memory only, are tried a few times, and the oldest give way when there are too many.

import type { Log } from "../../base/log.ts";
import type { Mail, MailOutcome } from "./smtp-connection.ts";

const TRY_AGAIN_MS = [5_000, 30_000, 120_000, 600_000] as const;
const WAITING_MAX = 10_000;

interface Letter {
  readonly mail: Mail;
  readonly about: string;
  tries: number;
  timer: NodeJS.Timeout | undefined;
}

export class Courier {
  readonly #send: (mail: Mail) => Promise<MailOutcome>;
  readonly #log: Log;
  readonly #tryAgainMs: readonly number[];
  readonly #letters = new Set<Letter>();
  #isClosed = false;

  constructor(send: (mail: Mail) => Promise<MailOutcome>, log: Log, tryAgainMs: readonly number[] = TRY_AGAIN_MS) {
    this.#send = send;
    this.#log = log;
    this.#tryAgainMs = tryAgainMs;
  }

  post(mail: Mail, about: string): void {
    if (this.#isClosed) return;
    const letter: Letter = { mail, about, tries: 0, timer: undefined };
    this.#letters.add(letter);
    for (const oldest of this.#letters) {
      if (this.#letters.size <= WAITING_MAX) break;
      this.#giveUp(oldest, "too many wait");
    }
    void this.#try(letter);
  }

  close(): void {
    this.#isClosed = true;
    for (const { timer } of this.#letters) clearTimeout(timer);
    this.#letters.clear();
  }

  /** Never rejects: nobody waits for it. */
  async #try(letter: Letter): Promise<void> {
    const outcome = await this.#outcomeOf(letter.mail);
    if (!this.#letters.has(letter)) return;
    if (outcome.kind === "taken") {
      this.#letters.delete(letter);
      return;
    }
    const reason = outcome.kind === "refused" ? outcome.text : outcome.reason;
    const delayMs = this.#tryAgainMs[letter.tries];
    if (delayMs === undefined || (outcome.kind === "refused" && outcome.status >= 500)) {
      this.#giveUp(letter, reason);
      return;
    }
    letter.tries += 1;
    letter.timer = setTimeout(() => void this.#try(letter), delayMs);
  }

  async #outcomeOf(mail: Mail): Promise<MailOutcome> {
    try {
      return await this.#send(mail);
    } catch (error) {
      return { kind: "notSent", reason: error instanceof Error ? error.message : String(error) };
    }
  }

  #giveUp(letter: Letter, reason: string): void {
    this.#letters.delete(letter);
    clearTimeout(letter.timer);
    this.#log.warn({ about: letter.about, reason }, "answer to the MMS peer given up");
  }
}
