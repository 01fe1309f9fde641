// A session with PostgreSQL: the server that it goes to, and its settings.
//
// All sessions switch JIT off: where `enable_seqscan` is off, a plan that has to scan a table gets a cost of 10^10, and
// PostgreSQL compiles costly plans, which takes a second or more for statements that run for a millisecond. Settings
// are made by a statement and not by start-up parameters, which connection poolers such as PgBouncer refuse or drop.

import pg from "pg";
import { refuseReadOnly } from "./read-only.ts";
import { findWritable, type Place, serversOf } from "./writable-server.ts";

/** Names and values, as in PostgreSQL's configuration. */
export type Parameters = Readonly<Record<string, string | number>>;

export interface SessionConfig extends pg.ClientConfig {
  readonly parameters?: Parameters;
}

const OURS: Parameters = { jit: "off" };

export class DatabaseSession extends pg.Client {
  readonly #config: SessionConfig;
  readonly #servers: readonly string[];
  #isEnded = false;

  constructor(config: SessionConfig = {}) {
    const { connectionString } = config;
    const servers = connectionString === undefined ? [] : serversOf(connectionString);
    super({ ...config, ...(servers.length > 1 && { connectionString: servers[0] }) });
    this.#config = config;
    this.#servers = servers;
    // The statement under way, or the next one, fails with the same error; without a listener it would end the process.
    this.on("error", () => undefined);
  }

  override connect(): Promise<this>;
  override connect(callback: (fault: Error | null, client?: pg.Client) => void): void;
  override connect(callback?: (fault: Error | null, client?: pg.Client) => void): Promise<this> | undefined {
    const connected = this.#connect();
    if (callback === undefined) return connected;
    connected.then(() => callback(null, this), callback);
    return undefined;
  }

  override end(): Promise<void>;
  override end(callback: (fault: Error) => void): void;
  override end(callback?: (fault: Error) => void): Promise<void> | undefined {
    this.#isEnded = true;
    if (callback === undefined) return super.end();
    super.end(callback);
    return undefined;
  }

  async #connect(): Promise<this> {
    if (this.#servers.length > 1) {
      const { host, port } = await findWritable(this.#servers, (server) => this.#ask(server));
      // The caller has given up meanwhile.
      if (this.#isEnded || this.connection.stream.destroyed) throw new Error("timeout expired");
      this.host = host;
      this.port = port;
    }
    await super.connect();
    try {
      const settings = Object.entries({ ...OURS, ...this.#config.parameters }).map(([name, value]) =>
        [name, String(value)].map((text) => this.escapeLiteral(text)).join(", "),
      );
      await this.query(`select ${settings.map((setting) => `set_config(${setting}, false)`).join(", ")}`);
    } catch (fault) {
      this.end().catch(() => undefined);
      throw fault;
    }
    return this;
  }

  async #ask(server: string): Promise<Place> {
    const client = new DatabaseSession({ ...this.#config, connectionString: server, parameters: {} });
    try {
      await client.connect();
      await refuseReadOnly(client);
      return client;
    } finally {
      client.end().catch(() => undefined);
    }
  }
}
