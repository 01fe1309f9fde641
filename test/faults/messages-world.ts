// Servers that may be killed, their database, and the carrier they send to.

import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { basic, clusterOf, forgetTandem, json, startTandem, type Tandem } from "../tandem.ts";
import { startBeside } from "../tandem-database.ts";
import { Carrier } from "./messages-carrier.ts";
import type { Caller } from "./messages-records.ts";

/**
 * Node's `fetch` may never settle when the server is killed while it responds. Longer than a server is frozen, and than
 * one takes that has lost its database.
 */
const REQUEST_MS_MAX = 300_000;
const MOST = { requests: 1_000_000_000, windowSeconds: 10 };

export class World {
  readonly carrier: Carrier;
  /** The server that runs PostgreSQL. */
  server: Tandem;
  /** A number of the account's. */
  readonly number: string;
  readonly #environment: Readonly<Record<string, string>>;

  static async start(): Promise<World> {
    const carrier = await Carrier.start();
    const environment = { TANDEM_LOG_LEVEL: "error", TANDEM_CONFIG: carrier.config };
    const dataDir = mkdtempSync(join(tmpdir(), "tandem-faults-messages-"));
    const server = await startTandem({ dataDir, environment });
    const limits = { send: MOST, sendToRecipient: MOST, read: MOST };
    const path = `/operator/v1/Accounts/${server.accountSid}`;
    expect((await server.operator(path, json("PATCH", { limits }))).status).toBe(200);
    const phones = (await (await server.get("/v1/Phones")).json()) as { items: { number: string }[] };
    return new World(carrier, server, phones.items[0]?.number as string, environment);
  }

  private constructor(carrier: Carrier, server: Tandem, number: string, environment: Readonly<Record<string, string>>) {
    this.carrier = carrier;
    this.server = server;
    this.number = number;
    this.#environment = environment;
  }

  /** Replaces the server that was killed. */
  async startServer(): Promise<void> {
    this.server = await startTandem({ dataDir: this.server.dataDir, environment: this.#environment });
  }

  /** Starts another server on the same database. */
  startBeside(): Promise<Tandem> {
    return startBeside(this.server, this.#environment);
  }

  /** Every server accepts the account's credentials. */
  callerOf({ url }: Tandem): Caller {
    const account = basic(this.server.accountSid, this.server.token);
    return (path, init) => {
      const signal = AbortSignal.timeout(REQUEST_MS_MAX);
      return fetch(url + path, { signal, ...init, headers: { ...account, ...init?.headers } });
    };
  }

  /** The server restarts it. */
  killPostgres(signal: "SIGKILL" | "SIGQUIT" | "SIGINT"): void {
    process.kill(this.#postmaster() as number, signal);
  }

  #postmaster(): number | undefined {
    const file = join(clusterOf(this.server.dataDir), "postmaster.pid");
    return existsSync(file) ? Number(readFileSync(file, "utf8").split("\n", 1)[0]) : undefined;
  }

  async close(): Promise<void> {
    await this.server.stop();
    const left = this.#postmaster();
    if (left !== undefined) process.kill(left, "SIGQUIT");
    await this.carrier.close();
    forgetTandem(this.server.dataDir);
  }
}
