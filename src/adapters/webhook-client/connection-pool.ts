// Connections by origin, kept for the next exchange and bounded in every direction: per origin, in all, idle, and how long idle.
//
// A taker waits its turn when its origin has all the connections it may have, or when all there may be are busy; of idle ones the
// longest idle makes room. Takers wait without limit of number: each has a deadline, at which it leaves (`leave`).

import { Connection, type ConnectionDeps, type Origin } from "./connection.ts";

export interface PoolBounds {
  readonly connectionsPerOriginMax: number;
  readonly connectionsMax: number;
  readonly idleConnectionsMax: number;
  /** How long a connection may lie idle, unless the other side asks for less. */
  readonly keepAliveMs: number;
}

export interface Taker {
  readonly origin: Origin;
  take(connection: Connection): void;
}

interface Held {
  readonly origin: Origin;
  readonly open: Set<Connection>;
  /** The last one used comes first again: the rest may grow old and go. */
  readonly idle: Connection[];
  readonly waiting: Set<Taker>;
}

/** A connection is given up this much earlier than the other side means to, so that no request meets the end of it. */
const BEFORE_THEIRS_MS = 1_000;
const IDLE_LOOK_MS_MAX = 500;

export class ConnectionPool {
  readonly #deps: ConnectionDeps;
  readonly #bounds: PoolBounds;
  readonly #held = new Map<string, Held>();
  /** Of all origins, longest idle first. */
  readonly #idle = new Set<Connection>();
  /** Origins that may have one more, but there may not be one more in all. */
  readonly #starved = new Set<Held>();
  readonly #dropping = new Set<Promise<void>>();
  #openCount = 0;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(deps: ConnectionDeps, bounds: PoolBounds) {
    this.#deps = deps;
    this.#bounds = bounds;
  }

  wait(taker: Taker): void {
    let held = this.#held.get(taker.origin.name);
    if (!held) {
      held = { origin: taker.origin, open: new Set(), idle: [], waiting: new Set() };
      this.#held.set(taker.origin.name, held);
    }
    held.waiting.add(taker);
    this.#serve(held);
  }

  leave(taker: Taker): void {
    const held = this.#held.get(taker.origin.name);
    held?.waiting.delete(taker);
    if (held) this.#forgetIfUnused(held);
  }

  /** The exchange ended well: the connection is free for the next. `theirMs`: how long the other side keeps it. */
  giveBack(connection: Connection, theirMs: number | undefined): void {
    const held = this.#held.get(connection.origin.name);
    if (!held?.open.has(connection)) return;
    const { keepAliveMs, idleConnectionsMax } = this.#bounds;
    const idleMs = theirMs === undefined ? keepAliveMs : Math.min(keepAliveMs, theirMs - BEFORE_THEIRS_MS);
    if (idleMs <= 0) {
      this.drop(connection);
      return;
    }
    connection.release();
    connection.served += 1;
    connection.idleUntilMs = performance.now() + idleMs;
    held.idle.push(connection);
    this.#idle.add(connection);
    // An origin keeps one connection for itself; beyond that, those that have none come first.
    if (this.#starved.size > 0 && held.open.size > 1) this.#serveStarved();
    this.#serve(held);
    if (this.#starved.size > 0) this.#serveStarved();
    if (this.#idle.size > idleConnectionsMax) this.#dropLongestIdle();
    if (this.#idle.size > 0) this.#idleTimer ??= this.#lookLater();
  }

  drop(connection: Connection): void {
    const held = this.#held.get(connection.origin.name);
    if (!held?.open.delete(connection)) return;
    this.#openCount -= 1;
    if (this.#idle.delete(connection)) held.idle.splice(held.idle.indexOf(connection), 1);
    const dropping = connection.drop();
    this.#dropping.add(dropping);
    dropping.finally(() => this.#dropping.delete(dropping));
    // Not at once: the taker served next may fail at once too, and a thousand of them would stand on one stack.
    queueMicrotask(() => {
      this.#serve(held);
      this.#serveStarved();
      this.#forgetIfUnused(held);
    });
  }

  dropIdle(origin: Origin): void {
    for (const connection of [...(this.#held.get(origin.name)?.idle ?? [])]) this.drop(connection);
  }

  async close(): Promise<void> {
    clearTimeout(this.#idleTimer);
    for (const { open } of [...this.#held.values()]) for (const connection of [...open]) this.drop(connection);
    await Promise.all(this.#dropping);
  }

  #serve(held: Held): void {
    for (const taker of held.waiting) {
      const connection = held.idle.pop() ?? this.#open(held);
      if (!connection) return;
      this.#idle.delete(connection);
      held.waiting.delete(taker);
      taker.take(connection);
    }
  }

  #serveStarved(): void {
    while (this.#openCount < this.#bounds.connectionsMax || this.#idle.size > 0) {
      const [held] = this.#starved;
      if (!held) return;
      this.#starved.delete(held);
      this.#serve(held);
    }
  }

  #open(held: Held): Connection | undefined {
    if (held.open.size >= this.#bounds.connectionsPerOriginMax) return undefined;
    if (this.#openCount >= this.#bounds.connectionsMax && !this.#dropLongestIdle()) {
      this.#starved.add(held);
      return undefined;
    }
    const connection = new Connection(this.#deps, held.origin, (gone) => this.drop(gone));
    held.open.add(connection);
    this.#openCount += 1;
    return connection;
  }

  #dropLongestIdle(): boolean {
    const [connection] = this.#idle;
    if (connection) this.drop(connection);
    return connection !== undefined;
  }

  #lookLater(): NodeJS.Timeout {
    const everyMs = Math.min(IDLE_LOOK_MS_MAX, this.#bounds.keepAliveMs);
    return setTimeout(() => this.#dropExpired(), everyMs).unref();
  }

  #dropExpired(): void {
    const nowMs = performance.now();
    for (const connection of [...this.#idle]) if (connection.idleUntilMs <= nowMs) this.drop(connection);
    this.#idleTimer = this.#idle.size > 0 ? this.#lookLater() : undefined;
  }

  #forgetIfUnused(held: Held): void {
    if (held.open.size > 0 || held.waiting.size > 0) return;
    if (this.#held.get(held.origin.name) === held) this.#held.delete(held.origin.name);
    this.#starved.delete(held);
  }
}
