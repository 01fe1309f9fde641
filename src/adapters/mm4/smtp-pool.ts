// A bounded pool of connections to the peer.
//
// Guarantees: no more connections than `connectionsMax` and no more waiting mails than WAITING_MAX; a mail that fails
// on a connection that went stale while idle is tried once more on a new one; while the peer cannot be reached, only
// single probes with growing pauses connect to it.

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
  /** Called when a connection has become free. */
  freed(): void;
}

interface IdleConnection {
  readonly connection: SmtpConnection;
  readonly timer: NodeJS.Timeout;
}

const CLOSED = "the link is closed";
const WAITING_MAX = 1000;
/** Some peers close connections that carry more. */
const MAILS_PER_CONNECTION_MAX = 200;

export class SmtpPool {
  readonly #options: PoolOptions;
  #idle: IdleConnection[] = [];
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

  /** False while the peer cannot be reached. */
  get isUp(): boolean {
    return !this.#isClosed && this.#outage === undefined;
  }

  /** Finds out whether the peer can be reached. */
  async probe(): Promise<void> {
    if (this.#isClosed) return;
    if (this.#busy >= this.#options.connectionsMax) {
      // No connection is free: tries again later.
      if (this.#outage !== undefined) this.#probeLater();
      return;
    }
    this.#busy += 1;
    try {
      this.#keep(await this.#open());
    } catch {
      // `#fail` has reported it and scheduled the next probe.
    } finally {
      this.#release();
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
      this.#release();
    }
  }

  /** Closes every connection, which settles the mail on it. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#probe);
    for (const { timer } of this.#idle) clearTimeout(timer);
    this.#idle = [];
    for (const connection of this.#connections) connection.close(CLOSED);
    // Each waiting mail finds the pool closed and is not sent.
    for (const proceed of this.#waiting.splice(0)) proceed();
  }

  async #sendNow(mail: Mail, mayTryAgain: boolean): Promise<MailOutcome> {
    const obstacle = this.#isClosed ? CLOSED : this.#outage;
    if (obstacle !== undefined) return { kind: "notSent", reason: obstacle };
    const idle = this.#takeIdle();
    let connection: SmtpConnection;
    try {
      connection = idle ?? (await this.#open());
    } catch (error) {
      return { kind: "notSent", reason: (error as Error).message };
    }
    const outcome = await connection.send(mail);
    const isStale = outcome.kind === "notSent" || (outcome.kind === "refused" && outcome.status === 421);
    if (isStale && idle && mayTryAgain && !this.#isClosed) {
      // The other idle connections are as old, and probably stale too.
      for (const other of this.#idle.splice(0)) this.#drop(other);
      return this.#sendNow(mail, false);
    }
    this.#keep(connection);
    return outcome;
  }

  #takeIdle(): SmtpConnection | undefined {
    for (let idle = this.#idle.pop(); idle; idle = this.#idle.pop()) {
      clearTimeout(idle.timer);
      if (idle.connection.isUsable) return idle.connection;
    }
    return undefined;
  }

  async #open(): Promise<SmtpConnection> {
    const connection = new SmtpConnection(this.#options.connection);
    // Added before it is open, so that closing the pool does not wait for a peer that is slow to answer.
    this.#connections.add(connection);
    connection.whenEnded(() => this.#connections.delete(connection));
    try {
      await connection.open();
    } catch (error) {
      this.#fail((error as Error).message);
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
    const idle: IdleConnection = {
      connection,
      timer: setTimeout(() => {
        this.#idle = this.#idle.filter((other) => other !== idle);
        this.#drop(idle);
      }, this.#options.times.idleMs),
    };
    this.#idle.push(idle);
  }

  #drop({ connection, timer }: IdleConnection): void {
    clearTimeout(timer);
    connection.close();
  }

  #release(): void {
    const next = this.#waiting.shift();
    if (next) {
      next();
      return;
    }
    this.#busy -= 1;
    if (this.isUp) this.#options.freed();
  }

  #fail(reason: string): void {
    if (this.#isClosed || this.#probe !== undefined) return;
    const wasUp = this.#outage === undefined;
    this.#outage = reason;
    this.#probeLater();
    if (wasUp) this.#options.changed("down", reason);
  }

  #probeLater(): void {
    // Spread, so that several links do not reconnect at the same moment.
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
