// One connection that listens. After a break it connects again by itself and says so, for what was notified meanwhile is lost.

import pg from "pg";
import type { Log } from "../../base/log.ts";
import type { ConnectionSettings } from "./database.ts";

export interface ListenerOrder {
  readonly channels: Readonly<Record<string, (payload: string) => Promise<void>>>;
  /** Runs after every (re)connection, before the first notification is handled. */
  readonly connected: () => Promise<void>;
  /** From here until `connected` notifications are missed. */
  readonly disconnected: () => void;
}

const RETRY_MS_MIN = 100;
const RETRY_MS_MAX = 5_000;

export class Listener {
  readonly #settings: ConnectionSettings;
  readonly #order: ListenerOrder;
  readonly #log: Log;
  #client: pg.Client | undefined;
  #retry: NodeJS.Timeout | undefined;
  #retryMs = RETRY_MS_MIN;
  #closed = false;

  constructor(settings: ConnectionSettings, order: ListenerOrder, log: Log) {
    this.#settings = settings;
    this.#order = order;
    this.#log = log;
  }

  async open(): Promise<void> {
    const client = new pg.Client({
      ...this.#settings,
      application_name: `tandem listener ${process.pid}`,
      keepAlive: true,
    });
    this.#client = client;
    client.on("error", (error) => this.#lost(client, error));
    client.on("end", () => this.#lost(client, undefined));
    client.on("notification", ({ channel, payload }) => {
      this.#order.channels[channel]?.(payload ?? "").catch((error: Error) => this.#lost(client, error));
    });
    await client.connect();
    for (const channel of Object.keys(this.#order.channels))
      await client.query(`listen ${client.escapeIdentifier(channel)}`);
    await this.#order.connected();
    this.#retryMs = RETRY_MS_MIN;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    await this.#client?.end().catch(() => undefined);
  }

  #lost(client: pg.Client, error: Error | undefined): void {
    if (this.#closed || client !== this.#client) return;
    this.#client = undefined;
    this.#order.disconnected();
    this.#log.warn({ reason: error?.message, retryMs: this.#retryMs }, "listening connection lost");
    client.end().catch(() => undefined);
    this.#retry = setTimeout(() => {
      const attempt = this.open();
      const failed = this.#client;
      attempt.catch((fault: Error) => failed && this.#lost(failed, fault));
    }, this.#retryMs);
    this.#retryMs = Math.min(RETRY_MS_MAX, this.#retryMs * 2);
  }
}
