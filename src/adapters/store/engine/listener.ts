// Receives notifications. Reports a broken connection, because notifications sent meanwhile are lost.

import type { Log } from "../../../base/log.ts";
import type { ConnectionSettings } from "./database.ts";
import { HeldConnection } from "./held-connection.ts";

export interface ListenerOrder {
  readonly channels: Readonly<Record<string, (payload: string) => Promise<void>>>;
  /** Runs after every (re)connection, when notifications arrive already. */
  readonly connected: () => Promise<void>;
  /** From here until `connected` notifications are missed. */
  readonly disconnected: () => void;
}

export function newListener(settings: ConnectionSettings, order: ListenerOrder, log: Log): HeldConnection {
  const connection: HeldConnection = new HeldConnection({
    settings,
    name: "listener",
    log,
    async opened(client) {
      client.on("notification", ({ channel, payload }) => {
        order.channels[channel]?.(payload ?? "").catch((error: Error) => connection.drop(client, error));
      });
      for (const channel of Object.keys(order.channels))
        await client.query(`listen ${client.escapeIdentifier(channel)}`);
      await order.connected();
    },
    lost: order.disconnected,
  });
  return connection;
}
