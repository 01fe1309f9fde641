// Connections by origin, kept for the next exchange and bounded in every direction: per origin, in all, and idle.
//
// A taker waits its turn when its origin has all the connections it may have, or when all there may be are busy; of idle ones the
// longest idle makes room. Takers wait without limit of number: each has a deadline, at which it leaves (`leave`).

import { Connection, type ConnectionDeps } from "./connection.ts";

export interface PoolBounds {
  readonly connectionsPerOriginMax: number;
  readonly connectionsMax: number;
  readonly idleConnectionsMax: number;
}

export interface Taker {
  take(connection: Connection): void;
}

interface Origin {
  readonly name: string;
  readonly open: Set<Connection>;
  /** The last one used comes first again: the rest may grow old and go. */
  readonly idle: Connection[];
  readonly waiting: Set<Taker>;
}

export class ConnectionPool {
  readonly #deps: ConnectionDeps;
  readonly #bounds: PoolBounds;
  readonly #origins = new Map<string, Origin>();
  /** Of all origins, longest idle first. */
  readonly #idle = new Set<Connection>();
  /** Origins that may have one more, but there may not be one more in all. */
  readonly #starved = new Set<Origin>();
  readonly #dropping = new Set<Promise<void>>();
  #openCount = 0;

  constructor(deps: ConnectionDeps, bounds: PoolBounds) {
    this.#deps = deps;
    this.#bounds = bounds;
  }

  get counts(): { readonly origins: number; readonly open: number; readonly idle: number } {
    return { origins: this.#origins.size, open: this.#openCount, idle: this.#idle.size };
  }

  wait(name: string, taker: Taker): void {
    let origin = this.#origins.get(name);
    if (!origin) {
      origin = { name, open: new Set(), idle: [], waiting: new Set() };
      this.#origins.set(name, origin);
    }
    origin.waiting.add(taker);
    this.#serve(origin);
  }

  leave(name: string, taker: Taker): void {
    const origin = this.#origins.get(name);
    origin?.waiting.delete(taker);
    if (origin) this.#forgetIfUnused(origin);
  }

  /** The exchange ended well: the connection is free for the next. */
  giveBack(connection: Connection): void {
    const origin = this.#origins.get(connection.origin);
    if (!origin?.open.has(connection)) return;
    connection.served += 1;
    origin.idle.push(connection);
    this.#idle.add(connection);
    // An origin keeps one connection for itself; beyond that, those that have none come first.
    if (origin.open.size > 1) this.#serveStarved();
    this.#serve(origin);
    this.#serveStarved();
    if (this.#idle.size > this.#bounds.idleConnectionsMax) this.#dropLongestIdle();
  }

  drop(connection: Connection): void {
    const origin = this.#origins.get(connection.origin);
    if (!origin?.open.delete(connection)) return;
    this.#openCount -= 1;
    if (this.#idle.delete(connection)) origin.idle.splice(origin.idle.indexOf(connection), 1);
    const dropping = connection.drop();
    this.#dropping.add(dropping);
    dropping.finally(() => this.#dropping.delete(dropping));
    // Not at once: the taker served next may fail at once too, and a thousand of them would stand on one stack.
    queueMicrotask(() => {
      this.#serve(origin);
      this.#serveStarved();
      this.#forgetIfUnused(origin);
    });
  }

  dropIdle(name: string): void {
    for (const connection of [...(this.#origins.get(name)?.idle ?? [])]) this.drop(connection);
  }

  async close(): Promise<void> {
    for (const { open } of [...this.#origins.values()]) for (const connection of [...open]) this.drop(connection);
    await Promise.all(this.#dropping);
  }

  #serve(origin: Origin): void {
    for (const taker of origin.waiting) {
      const connection = origin.idle.pop() ?? this.#open(origin);
      if (!connection) return;
      this.#idle.delete(connection);
      origin.waiting.delete(taker);
      taker.take(connection);
    }
  }

  #serveStarved(): void {
    while (this.#openCount < this.#bounds.connectionsMax || this.#idle.size > 0) {
      const [origin] = this.#starved;
      if (!origin) return;
      this.#starved.delete(origin);
      this.#serve(origin);
    }
  }

  #open(origin: Origin): Connection | undefined {
    if (origin.open.size >= this.#bounds.connectionsPerOriginMax) return undefined;
    if (this.#openCount >= this.#bounds.connectionsMax && !this.#dropLongestIdle()) {
      this.#starved.add(origin);
      return undefined;
    }
    const connection = new Connection(this.#deps, origin.name, (gone) => {
      if (this.#idle.has(gone)) this.drop(gone);
    });
    origin.open.add(connection);
    this.#openCount += 1;
    return connection;
  }

  #dropLongestIdle(): boolean {
    const [connection] = this.#idle;
    if (connection) this.drop(connection);
    return connection !== undefined;
  }

  #forgetIfUnused(origin: Origin): void {
    if (origin.open.size > 0 || origin.waiting.size > 0) return;
    if (this.#origins.get(origin.name) === origin) this.#origins.delete(origin.name);
    this.#starved.delete(origin);
  }
}
