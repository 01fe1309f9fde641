// A bounded number of connections to the peer, kept while they are of use.
//
// Guarantees: no more connections than `connectionsMax` and no more waiting mails than WAITING_MAX; a connection that went stale while it lay
// idle costs a second try and not the mail; while the peer cannot be reached nothing is tried but one connection now and then.

import { backoffMs } from "../../base/backoff.ts";
import { type ConnectionOptions, type Mail, type MailOutcome, SmtpConnection } from "./smtp-connection.ts";

export interface PoolTimes {
  /** How long an unused connection is kept. */
  readonly idleMs: number;
  readonly retryMsMin: number;
  readonly retryMsMax: number;
}

export interface PoolOptions {
  readonly connection: ConnectionOptions;
  readonly connectionsMax: number;
  readonly times: PoolTimes;
  readonly random: () => number;
  changed(state: "up" | "down", reason: string): void;
  /** A place has become free. */
  freed(): void;
}

interface Kept {
  readonly connection: SmtpConnection;
  readonly timer: NodeJS.Timeout;
}

const CLOSED = "the link is closed";
const WAITING_MAX = 1000;
/** Peers close connections that are used for ever. */
const MAILS_PER_CONNECTION_MAX = 200;

export class SmtpPool {
  readonly #options: PoolOptions;
  #idle: Kept[] = [];
  readonly #connections = new Set<SmtpConnection>();
  #busy = 0;
  #waiting: (() => void)[] = [];
  #outage: string | undefined;
  #failures = 0;
  #probe: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** Mails that would leave at once. */
  room(): number {
    if (this.#isClosed || this.#outage !== undefined) return 0;
    return Math.max(0, this.#options.connectionsMax - this.#busy - this.#waiting.length);
  }

  /** Finds out whether the peer is there. */
  async probe(): Promise<void> {
    if (this.#isClosed) return;
    if (this.#busy >= this.#options.connectionsMax) {
      // What is still under way must end first.
      if (this.#outage !== undefined) this.#probeLater();
      return;
    }
    this.#busy += 1;
    try {
      this.#keep(await this.#open());
    } catch {
      // Told by `changed`, and tried again.
    } finally {
      this.#leave();
    }
  }

  async send(mail: Mail): Promise<MailOutcome> {
    if (this.#waiting.length >= WAITING_MAX) return { kind: "notSent", reason: "too much waits for this link" };
    if (this.#busy >= this.#options.connectionsMax) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else {
      this.#busy += 1;
    }
    try {
      return await this.#sendNow(mail, true);
    } finally {
      this.#leave();
    }
  }

  /** Ends every connection; what is on one is settled as it stands. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#probe);
    for (const { timer } of this.#idle) clearTimeout(timer);
    this.#idle = [];
    for (const connection of this.#connections) connection.close(CLOSED);
    // Each of them now finds the pool closed.
    for (const go of this.#waiting.splice(0)) go();
  }

  async #sendNow(mail: Mail, mayTryAgain: boolean): Promise<MailOutcome> {
    const obstacle = this.#isClosed ? CLOSED : this.#outage;
    if (obstacle !== undefined) return { kind: "notSent", reason: obstacle };
    const idle = this.#takeIdle();
    let connection: SmtpConnection;
    try {
      connection = idle ?? (await this.#open());
    } catch (error) {
      return { kind: "notSent", reason: reasonOf(error) };
    }
    const outcome = await connection.send(mail);
    const isStale = outcome.kind === "notSent" || (outcome.kind === "refused" && outcome.status === 421);
    if (isStale && idle && mayTryAgain && !this.#isClosed) {
      // The others are as old.
      for (const kept of this.#idle.splice(0)) this.#drop(kept);
      return this.#sendNow(mail, false);
    }
    this.#keep(connection);
    return outcome;
  }

  #takeIdle(): SmtpConnection | undefined {
    for (let kept = this.#idle.pop(); kept; kept = this.#idle.pop()) {
      clearTimeout(kept.timer);
      if (kept.connection.isUsable) return kept.connection;
    }
    return undefined;
  }

  async #open(): Promise<SmtpConnection> {
    const connection = new SmtpConnection(this.#options.connection);
    // From now on: a pool that closes does not wait for a peer that is slow to open.
    this.#connections.add(connection);
    connection.whenEnded(() => this.#connections.delete(connection));
    try {
      await connection.open();
    } catch (error) {
      this.#fail(reasonOf(error));
      throw error;
    }
    if (!this.#isClosed) this.#recover();
    return connection;
  }

  #keep(connection: SmtpConnection): void {
    if (this.#isClosed || connection.served >= MAILS_PER_CONNECTION_MAX || !connection.isUsable) {
      connection.close();
      return;
    }
    const kept: Kept = {
      connection,
      timer: setTimeout(() => {
        this.#idle = this.#idle.filter((other) => other !== kept);
        this.#drop(kept);
      }, this.#options.times.idleMs),
    };
    this.#idle.push(kept);
  }

  #drop({ connection, timer }: Kept): void {
    clearTimeout(timer);
    connection.close();
  }

  #leave(): void {
    const next = this.#waiting.shift();
    if (next) {
      next();
      return;
    }
    this.#busy -= 1;
    if (!this.#isClosed && this.#outage === undefined) this.#options.freed();
  }

  #fail(reason: string): void {
    if (this.#isClosed || this.#probe !== undefined) return;
    const wasUp = this.#outage === undefined;
    this.#outage = reason;
    this.#probeLater();
    if (wasUp) this.#options.changed("down", reason);
  }

  #probeLater(): void {
    // Spread, so that several links do not come back at the same moment.
    const { random, times } = this.#options;
    const backoff = { msMin: times.retryMsMin, msMax: times.retryMsMax, spread: [0.75, 1.25] } as const;
    const delayMs = backoffMs(backoff, ++this.#failures, random());
    this.#probe = setTimeout(() => {
      this.#probe = undefined;
      void this.probe();
    }, delayMs);
  }

  #recover(): void {
    clearTimeout(this.#probe);
    this.#probe = undefined;
    this.#failures = 0;
    const wasDown = this.#outage !== undefined;
    this.#outage = undefined;
    this.#options.changed("up", "");
    if (wasDown) this.#options.freed();
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
