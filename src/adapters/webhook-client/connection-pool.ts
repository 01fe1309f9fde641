// Keep-alive connections by account and origin, which its name holds, bounded for each, in total, in the number of idle
// ones and in their idle time.
//
// A client waits in a queue when its origin has reached its limit, or when all connections are busy; an idle one is
// closed for it, the longest idle first. The queue is not bounded: each client has a deadline, at which it leaves.

import type { UrlOrigin } from "../guard/address-guard.ts";
import { Connection, type ConnectionDeps } from "./connection.ts";

export interface PoolBounds {
  readonly connectionsPerOriginMax: number;
  readonly connectionsMax: number;
  readonly idleConnectionsMax: number;
  /** How long a connection may be idle, unless the peer announces less. */
  readonly keepAliveMs: number;
}

export interface PoolClient {
  readonly origin: UrlOrigin;
  take(connection: Connection): void;
}

interface OriginPool {
  readonly origin: UrlOrigin;
  readonly open: Set<Connection>;
  /** The most recently used one is reused first, so that the others can expire. */
  readonly idle: Connection[];
  readonly waiting: Set<PoolClient>;
}

/** A connection is closed this much before the peer's timeout, so that no request is sent while the peer closes it. */
const KEEP_ALIVE_MARGIN_MS = 1_000;
const EXPIRY_CHECK_MS_MAX = 500;

export class ConnectionPool {
  readonly #deps: ConnectionDeps;
  readonly #bounds: PoolBounds;
  readonly #origins = new Map<string, OriginPool>();
  /** Idle connections of all origins, longest idle first. */
  readonly #idle = new Set<Connection>();
  /** Origins below their own limit that wait because the total limit is reached. */
  readonly #starved = new Set<OriginPool>();
  readonly #dropping = new Set<Promise<void>>();
  #openCount = 0;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(deps: ConnectionDeps, bounds: PoolBounds) {
    this.#deps = deps;
    this.#bounds = bounds;
  }

  wait(client: PoolClient): void {
    let pool = this.#origins.get(client.origin.name);
    if (!pool) {
      pool = { origin: client.origin, open: new Set(), idle: [], waiting: new Set() };
      this.#origins.set(client.origin.name, pool);
    }
    const idle = pool.waiting.size === 0 ? pool.idle.pop() : undefined;
    if (idle) {
      this.#idle.delete(idle);
      client.take(idle);
      return;
    }
    pool.waiting.add(client);
    this.#serve(pool);
  }

  leave(client: PoolClient): void {
    const pool = this.#origins.get(client.origin.name);
    pool?.waiting.delete(client);
    if (pool) this.#removeIfUnused(pool);
  }

  /** Returns the connection after a successful exchange. `peerKeepAliveMs`: how long the peer keeps it open. */
  release(connection: Connection, peerKeepAliveMs: number | undefined): void {
    const pool = this.#origins.get(connection.origin.name);
    if (!pool?.open.has(connection)) return;
    const { keepAliveMs, idleConnectionsMax } = this.#bounds;
    const idleMs = Math.min(keepAliveMs, (peerKeepAliveMs ?? Number.POSITIVE_INFINITY) - KEEP_ALIVE_MARGIN_MS);
    if (idleMs <= 0) {
      this.drop(connection);
      return;
    }
    connection.release();
    connection.served += 1;
    connection.idleUntilMs = performance.now() + idleMs;
    pool.idle.push(connection);
    this.#idle.add(connection);
    // An origin keeps one connection; beyond that, origins without any are served first.
    if (this.#starved.size > 0 && pool.open.size > 1) this.#serveStarved();
    this.#serve(pool);
    if (this.#starved.size > 0) this.#serveStarved();
    if (this.#idle.size > idleConnectionsMax) this.#dropLongestIdle();
    if (this.#idle.size > 0) this.#idleTimer ??= this.#scheduleExpiry();
  }

  drop(connection: Connection): void {
    const pool = this.#origins.get(connection.origin.name);
    if (!pool?.open.delete(connection)) return;
    this.#openCount -= 1;
    if (this.#idle.delete(connection)) pool.idle.splice(pool.idle.indexOf(connection), 1);
    const dropping = connection.drop();
    this.#dropping.add(dropping);
    dropping.finally(() => this.#dropping.delete(dropping));
    // Deferred, because the next client may fail immediately too, and a thousand such calls would nest on one stack.
    queueMicrotask(() => {
      this.#serve(pool);
      this.#serveStarved();
      this.#removeIfUnused(pool);
    });
  }

  dropIdle(origin: UrlOrigin): void {
    for (const connection of [...(this.#origins.get(origin.name)?.idle ?? [])]) this.drop(connection);
  }

  async close(): Promise<void> {
    clearTimeout(this.#idleTimer);
    for (const { open } of [...this.#origins.values()]) for (const connection of [...open]) this.drop(connection);
    await Promise.all(this.#dropping);
  }

  #serve(pool: OriginPool): void {
    for (const client of pool.waiting) {
      const connection = pool.idle.pop() ?? this.#open(pool);
      if (!connection) return;
      this.#idle.delete(connection);
      pool.waiting.delete(client);
      client.take(connection);
    }
  }

  #serveStarved(): void {
    while (this.#openCount < this.#bounds.connectionsMax || this.#idle.size > 0) {
      const [pool] = this.#starved;
      if (!pool) return;
      this.#starved.delete(pool);
      this.#serve(pool);
    }
  }

  #open(pool: OriginPool): Connection | undefined {
    if (pool.open.size >= this.#bounds.connectionsPerOriginMax) return undefined;
    if (this.#openCount >= this.#bounds.connectionsMax && !this.#dropLongestIdle()) {
      this.#starved.add(pool);
      return undefined;
    }
    const connection = new Connection(this.#deps, pool.origin, (gone) => this.drop(gone));
    pool.open.add(connection);
    this.#openCount += 1;
    return connection;
  }

  #dropLongestIdle(): boolean {
    const [connection] = this.#idle;
    if (connection) this.drop(connection);
    return connection !== undefined;
  }

  #scheduleExpiry(): NodeJS.Timeout {
    const everyMs = Math.min(EXPIRY_CHECK_MS_MAX, this.#bounds.keepAliveMs);
    return setTimeout(() => this.#dropExpired(), everyMs).unref();
  }

  #dropExpired(): void {
    const nowMs = performance.now();
    for (const connection of [...this.#idle]) if (connection.idleUntilMs <= nowMs) this.drop(connection);
    this.#idleTimer = this.#idle.size > 0 ? this.#scheduleExpiry() : undefined;
  }

  #removeIfUnused(pool: OriginPool): void {
    if (pool.open.size > 0 || pool.waiting.size > 0) return;
    if (this.#origins.get(pool.origin.name) === pool) this.#origins.delete(pool.origin.name);
    this.#starved.delete(pool);
  }
}
