// Two servers on one database that may be killed, and the services they depend on, which may not: a campaign registry
// and a clearing house in the test's process. Both servers are configured for them as for real ones.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Database } from "../../src/adapters/store/engine/database.ts";
import { ClearingHouse } from "../../src/sandbox/clearing-house/clearing-house.ts";
import { SandboxRegistry } from "../../src/sandbox/registry/sandbox-registry.ts";
import { newMigrant } from "../contract/migrations.ts";
import { silent } from "../fakes/silent-log.ts";
import { basic, forgetTandem, startTandem, type Tandem } from "../tandem.ts";
import { databaseOf, startBeside } from "../tandem-database.ts";

const CNP_ID = "STANDEM";
const REGISTRY_KEY = { apiKey: "our-key", secret: "our-secret" };
const HOUSE_KEY = { token: "our-token", webhookSecret: "our-webhook-secret" };
const ACTIVATION_SECONDS = 0.5;
const TRY_AGAIN_MS = 50;
const TRIES_MAX = 2_000;

export interface WorldOrder {
  /** How long a port takes. */
  readonly portMs: number;
  /** How often the registry is polled about pending campaigns. */
  readonly pollSeconds: number;
  /** Timeout of one request to the registry. The lease of a killed process on a campaign lasts four times as long. */
  readonly deadlineMs: number;
}

/** An account on both servers that repeats a request when one of them is gone. */
export interface Owner {
  readonly sid: string;
  readonly token: string;
  call(path: string, init?: () => RequestInit): Promise<Response>;
}

export class MigrationWorld {
  readonly registry: SandboxRegistry;
  readonly house: ClearingHouse;
  /** The first runs PostgreSQL, which outlives it. */
  readonly servers: [Tandem, Tandem];
  readonly database: Database;
  readonly #scratch: string;
  readonly #environment: Readonly<Record<string, string>>;
  #tried = 0;

  static async start({ portMs, pollSeconds, deadlineMs }: WorldOrder): Promise<MigrationWorld> {
    const registry = await SandboxRegistry.listen({
      port: 0,
      ourCnpId: CNP_ID,
      ours: REGISTRY_KEY,
      acceptanceMs: 200,
      notifyRetryMs: 100,
      log: silent,
    });
    const house = await ClearingHouse.listen({
      host: "127.0.0.1",
      port: 0,
      token: HOUSE_KEY.token,
      secret: HOUSE_KEY.webhookSecret,
      portMs,
      log: silent,
    });
    const scratch = mkdtempSync(join(tmpdir(), "tandem-migrations-"));
    const config = join(scratch, "tandem.config.json");
    writeFileSync(
      config,
      JSON.stringify({
        registry: {
          upstreamCnpId: CNP_ID,
          shareWithCnpId: registry.dcaId,
          baseUrl: registry.baseUrl,
          ...REGISTRY_KEY,
          pollSeconds,
          requestsPerSecond: 9,
          attemptMs: 1000,
          deadlineMs,
        },
        porting: { kind: "http", baseUrl: house.url, ...HOUSE_KEY, pollSeconds: 1 },
      }),
    );
    const environment = {
      TANDEM_LOG_LEVEL: "error",
      TANDEM_CONFIG: config,
      TANDEM_ACTIVATION_SECONDS: String(ACTIVATION_SECONDS),
      TANDEM_SUPPORT_CONTACT: "support",
    };
    const dataDir = mkdtempSync(join(tmpdir(), "tandem-migrations-data-"));
    const one = await startTandem({ dataDir, environment });
    const two = await startBeside(one, environment);
    const world = new MigrationWorld({ registry, house, servers: [one, two], scratch, environment });
    world.#notifyOne();
    return world;
  }

  private constructor(parts: {
    readonly registry: SandboxRegistry;
    readonly house: ClearingHouse;
    readonly servers: [Tandem, Tandem];
    readonly scratch: string;
    readonly environment: Readonly<Record<string, string>>;
  }) {
    this.registry = parts.registry;
    this.house = parts.house;
    this.servers = parts.servers;
    this.#scratch = parts.scratch;
    this.#environment = parts.environment;
    this.database = databaseOf(parts.servers[0]);
  }

  async newOwner(): Promise<Owner> {
    const { sid, token } = await newMigrant(this.servers[0]);
    return { sid, token, call: (path, init) => this.#callAnyone(basic(sid, token), path, init) };
  }

  /** kill -9 of all, at the same time. */
  async kill(...places: readonly (0 | 1)[]): Promise<void> {
    await Promise.all(places.map((place) => this.servers[place].kill()));
  }

  async startAgain(...places: readonly (0 | 1)[]): Promise<void> {
    // The first one first, because it runs PostgreSQL.
    for (const place of [...places].sort()) {
      const { dataDir } = this.servers[place];
      const environment = this.#environment;
      if (place === 0) this.servers[0] = await startTandem({ dataDir, environment });
      else {
        forgetTandem(dataDir);
        this.servers[1] = await startBeside(this.servers[0], environment);
      }
    }
    this.#notifyOne();
  }

  /** The clearing house only notifies the first server, and has to be polled when that one is gone. */
  #notifyOne(): void {
    this.house.notifyTo(`${this.servers[0].url}/porting/v1/notifications`);
  }

  async #callAnyone(account: object, path: string, init: () => RequestInit = () => ({})): Promise<Response> {
    for (let tries = 0; ; tries++) {
      const { url } = this.servers[this.#tried++ % 2] as Tandem;
      const order = init();
      try {
        const answer = await fetch(url + path, { ...order, headers: { ...order.headers, ...account } });
        if (answer.status < 500) return answer;
        await answer.body?.cancel();
      } catch (error) {
        if (tries > TRIES_MAX) throw error;
      }
      await pause(TRY_AGAIN_MS);
    }
  }

  async close(): Promise<void> {
    await this.database.close();
    await this.servers[1].stop();
    const { dataDir } = this.servers[0];
    await this.servers[0].stop();
    forgetTandem(dataDir);
    await this.house.close();
    await this.registry.close();
    rmSync(this.#scratch, { recursive: true });
  }
}
