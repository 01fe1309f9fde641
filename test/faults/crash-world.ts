// A server that may be killed, whose statements can be stopped on their way to PostgreSQL, and what is outside of it:
// senders that count what was acknowledged, a carrier, and a receiver of webhooks.

import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect } from "vitest";
import type { Database } from "../../src/adapters/store/engine/database.ts";
import { WIDE } from "../contract/numbers.ts";
import { openStoppingLine, type StoppingLine } from "../fakes/stopping-line.ts";
import { connectionTo, dropDatabase, newDatabase } from "../shared-database.ts";
import { basic, forgetTandem, json, startTandem, type Tandem } from "../tandem.ts";
import { databaseOf } from "../tandem-database.ts";
import { Carrier } from "./messages-carrier.ts";
import type { Caller } from "./messages-records.ts";
import { type HealthyReceiver, startHealthy } from "./webhook-receivers.ts";

/** How long the server waits for PostgreSQL. */
const DATABASE_SECONDS = 3;
const REQUEST_MS_MAX = 120_000;
const AGAIN_MS = 50;
const SEND = "/messaging/v1/OutboundMessages";
/** More than the carrier's window, so that some messages wait. Their lines answer slowly. */
const AREAS = [
  ...["201", "202", "203", "205", "206", "207", "208", "209", "210", "212", "213", "214", "215", "216", "217"],
  ...["218", "219", "224", "225", "228", "229", "231", "234", "239", "240", "248", "251", "252", "253", "254"],
  ...["256", "260", "262", "267", "269", "270", "276", "281", "301", "302"],
];

export class CrashWorld {
  readonly line: StoppingLine;
  readonly carrier: Carrier;
  readonly receiver: HealthyReceiver;
  /** Not through the proxy. */
  readonly database: Database;
  readonly #databaseUrl: string;
  readonly #environment: Readonly<Record<string, string>>;
  readonly #dataDir = mkdtempSync(join(tmpdir(), "tandem-crash-matrix-"));
  #server: Tandem | undefined;
  #from = "";

  static async start(): Promise<CrashWorld> {
    const databaseUrl = await newDatabase();
    const line = await openStoppingLine(connectionTo(databaseUrl));
    const world = new CrashWorld(databaseUrl, line, await Carrier.start(), await startHealthy());
    await world.startServer();
    const { accountSid, operator, get } = world.server;
    const limits = { send: WIDE, sendToRecipient: WIDE, read: WIDE };
    expect((await operator(`/operator/v1/Accounts/${accountSid}`, json("PATCH", { limits }))).status).toBe(200);
    const phones = (await (await get("/v1/Phones")).json()) as { readonly items: readonly { number: string }[] };
    world.#from = phones.items[0]?.number as string;
    return world;
  }

  private constructor(databaseUrl: string, line: StoppingLine, carrier: Carrier, receiver: HealthyReceiver) {
    this.#databaseUrl = databaseUrl;
    this.line = line;
    this.carrier = carrier;
    this.receiver = receiver;
    this.database = databaseOf({ databaseUrl });
    this.#environment = {
      TANDEM_LOG_LEVEL: "error",
      TANDEM_CONFIG: carrier.config,
      TANDEM_DATABASE_SECONDS: String(DATABASE_SECONDS),
    };
  }

  get server(): Tandem {
    return this.#server as Tandem;
  }

  /** The first, or the successor of one that was killed. */
  async startServer(): Promise<void> {
    this.#server = await startTandem({
      dataDir: this.#dataDir,
      databaseUrl: this.line.url,
      environment: this.#environment,
    });
  }

  /** Calls the server that runs now. */
  readonly call: Caller = (path, init) => {
    const { url, accountSid, token } = this.server;
    const signal = AbortSignal.timeout(REQUEST_MS_MAX);
    return fetch(url + path, { signal, ...init, headers: { ...basic(accountSid, token), ...init?.headers } });
  };

  order(to: string, text: string): RequestInit {
    return json("POST", { From: this.#from, To: to, Text: text, CallbackUrlOverride: this.receiver.url });
  }

  /** Whether a statement waits for a lock. */
  async isLockAwaited(): Promise<boolean> {
    const rows = await this.database.query(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    return rows.length > 0;
  }

  async close(): Promise<void> {
    await this.server.stop();
    await this.database.close();
    await this.line.close();
    await dropDatabase(this.#databaseUrl);
    await this.receiver.close();
    await this.carrier.close();
    forgetTandem(this.#dataDir);
  }
}

/** Senders, one for each recipient, who send their next message when the last one was acknowledged or failed. */
export class Senders {
  /** Token → sid, in the order in which they were acknowledged. */
  readonly acknowledged = new Map<string, string>();
  /** Those that were acknowledged before the next one to the same recipient was sent. */
  readonly inOrder = new Set<string>();
  readonly #world: CrashWorld;
  readonly #round: string;
  readonly #waiters = new Set<() => void>();
  readonly #running: Promise<unknown>;
  readonly #unanswered: { readonly token: string; readonly init: RequestInit }[] = [];
  readonly #isKeyed: boolean;
  #isStopped = false;

  /** `isKeyed`: every other message has an Idempotency-Key. */
  constructor(world: CrashWorld, round: string, isKeyed: boolean) {
    this.#world = world;
    this.#round = round;
    this.#isKeyed = isKeyed;
    this.#running = Promise.all(AREAS.map((area, place) => this.#send(`+1${area}5550108`, place)));
  }

  async whenAcknowledged(count: number): Promise<void> {
    while (this.acknowledged.size < count) {
      const next = new Promise<void>((resolve) => this.#waiters.add(resolve));
      await Promise.race([next, this.#running]);
    }
  }

  async stop(): Promise<void> {
    this.end();
    await this.#running;
  }

  /** Nothing further is sent. */
  end(): void {
    this.#isStopped = true;
  }

  /** Repeats unanswered requests under their keys: 200 is the first answer, if the message was stored. */
  async askAgain(): Promise<void> {
    await Promise.all(this.#unanswered.splice(0).map(({ token, init }) => this.#post(token, init)));
  }

  async #send(to: string, place: number): Promise<void> {
    for (let number = 1; !this.#isStopped; number++) {
      const token = `${this.#round}.${place}.${number}`;
      const { headers, ...init } = this.#world.order(to, `${token} hello`);
      const hasKey = this.#isKeyed && number % 2 === 0;
      const order = { ...init, headers: { ...headers, ...(hasKey ? { "Idempotency-Key": token } : {}) } };
      if (await this.#post(token, order)) {
        this.inOrder.add(token);
        continue;
      }
      if (hasKey) this.#unanswered.push({ token, init: order });
      await delay(AGAIN_MS);
    }
  }

  /** Whether it was acknowledged. */
  async #post(token: string, init: RequestInit): Promise<boolean> {
    try {
      const answer = await this.#world.call(SEND, init);
      const text = await answer.text();
      if (answer.status !== 200) {
        // Refused for now, or a repeat of a request that is still running for all that is known.
        expect([503, 409], text).toContain(answer.status);
        return false;
      }
      this.acknowledged.set(token, (JSON.parse(text) as { readonly sid: string }).sid);
    } catch (fault) {
      if (!(fault instanceof TypeError)) throw fault;
      if ((fault.cause as { readonly code?: string } | undefined)?.code !== "ECONNREFUSED") return false;
      // There is no server, so the message was not taken.
      await delay(AGAIN_MS);
      return !this.#isStopped && this.#post(token, init);
    }
    for (const resolve of this.#waiters) resolve();
    this.#waiters.clear();
    return true;
  }
}
