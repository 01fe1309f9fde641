// Receives notifications, and knows whether it has received them all. A session may be silent without being broken, so
// the listener notifies itself every second: when that notification arrives, all earlier ones have been handled. Data
// that notifications keep up to date may be relied upon while `isCurrent`; otherwise the database has to be queried.

import { randomUUID } from "node:crypto";
import type { Log } from "../../../base/log.ts";
import { type ConnectionSettings, type Queryable, queryableOver } from "./database.ts";
import { HeldConnection } from "./held-connection.ts";

export interface ListenerOrder {
  readonly channels: Readonly<Record<string, (payload: string, session: Queryable) => Promise<void>>>;
  /** Loads everything; runs after every (re)connection, once it is listening, and from time to time. */
  readonly reload: (session: Queryable) => Promise<void>;
}

export interface Listener {
  open(): Promise<void>;
  close(): Promise<void>;
  /** Whether everything that was notified more than a few seconds ago has been handled. */
  isCurrent(): boolean;
}

/** How long a notification to itself proves, counted from its sending, that nothing was missed. */
const CURRENT_MS = 5_000;
/** Repairs what was changed without a notification. */
const RELOAD_MS = 300_000;

export function newListener(settings: ConnectionSettings, order: ListenerOrder, log: Log): Listener {
  const own = `beat_${randomUUID()}`;
  const underWay = new Set<Promise<void>>();
  let currentUntilMs = Number.NEGATIVE_INFINITY;
  let reloadedMs = 0;
  const reload = async (session: Queryable) => {
    reloadedMs = performance.now();
    await order.reload(session);
  };
  const heardItself = async (sentMs: number) => {
    await Promise.all(underWay);
    currentUntilMs = sentMs + CURRENT_MS;
  };
  const connection: HeldConnection = new HeldConnection({
    settings,
    name: "listener",
    log,
    async opened(client) {
      const session = queryableOver(client);
      const handle = (channel: string, payload: string) =>
        channel === own ? heardItself(Number(payload)) : order.channels[channel]?.(payload, session);
      client.on("notification", ({ channel, payload = "" }) => {
        if (client !== connection.client) return;
        const handled = handle(channel, payload);
        if (!handled) return;
        underWay.add(handled);
        handled.catch((error: Error) => connection.drop(client, error)).finally(() => underWay.delete(handled));
      });
      for (const channel of [own, ...Object.keys(order.channels)])
        await client.query(`listen ${client.escapeIdentifier(channel)}`);
      await reload(session);
      currentUntilMs = reloadedMs + CURRENT_MS;
    },
    async beat(client) {
      if (performance.now() > reloadedMs + RELOAD_MS)
        reload(queryableOver(client)).catch((error: Error) => connection.drop(client, error));
      await client.query("select pg_notify($1, $2)", [own, String(performance.now())]);
    },
    lost() {
      currentUntilMs = Number.NEGATIVE_INFINITY;
    },
  });
  return {
    open: () => connection.open(),
    close: () => connection.close(),
    isCurrent: () => performance.now() < currentUntilMs,
  };
}
