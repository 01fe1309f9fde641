// A Tandem whose figures are compared: one that is nearly empty, and one that is full. Each step is measured on both
// alternately, in rounds; short steps in many rounds, so that a change of the machine's speed affects both sides.

import { setTimeout as pause } from "node:timers/promises";
import { type ConnectionSettings, Database } from "../../src/adapters/store/engine/database.ts";
import { claimRows } from "../../src/adapters/store/webhooks/claim-deliveries.ts";
import { DISPATCH_PARAMETERS } from "../../src/adapters/store/webhooks/delivery-records.ts";
import { emitEvents } from "../../src/adapters/store/webhooks/outbox.ts";
import { recordSettled } from "../../src/adapters/store/webhooks/settle-deliveries.ts";
import type { SettledDelivery } from "../../src/domain/webhooks/index.ts";
import { silent } from "../../test/fakes/silent-log.ts";
import { json } from "../../test/tandem.ts";
import { countCpu } from "../load/processor-time.ts";
import { median } from "../load/result.ts";
import { type BenchSmsc, type OurGateway, startOurs } from "../messages/peers.ts";
import { send } from "../messages/send.ts";
import { sampleFields } from "../webhooks/sample.ts";

const SECONDS = 5;
const CONNECTIONS = 128;
const GIVEN_UP_MS = 300_000;
const READS = 200;
const SENDING_ROUNDS = 3;
const SHORT_ROUNDS = 9;
const DELIVERIES = 4_000;
const CLAIMED_AT_ONCE = 200;
/** Filling and vacuuming take long; nothing else here does. */
const PATIENT_MS = 3_600_000;
/** Measured deliveries are due this far ahead, so that the server leaves them alone. */
const AHEAD_MS = 3_600_000;

/** By name: figures whose names end with `Ms` or `CpuUs` are better when smaller, others when larger. */
export type Figures = Readonly<Record<string, number>>;

export interface Step {
  readonly rounds: number;
  readonly measure: (side: Side) => Promise<Figures>;
}

const MESSAGES = "/messaging/v1/OutboundMessages";
/**
 * By the names of their figures. `SID` stands for the newest message, `MIDDLE` for a SearchId in the middle of the
 * list.
 */
const PAGES = {
  listPage: `${MESSAGES}?PageSize=50`,
  olderListPage: `${MESSAGES}?PageSize=50&SearchId=MIDDLE`,
  failedListPage: `${MESSAGES}?PageSize=50&Status=Failed`,
  recipientListPage: `${MESSAGES}?PageSize=2&To=%2B14154740001`,
  message: `${MESSAGES}/SID`,
  why: `${MESSAGES}/SID/why`,
  eventPage: "/v1/Events?PageSize=50",
  oldestEventPage: "/v1/Events?PageSize=50&OrderByDirection=Ascending",
  deliveryPage: "/v1/Webhooks/deliveries?PageSize=50",
};

export const STEPS: readonly Step[] = [
  { rounds: SENDING_ROUNDS, measure: (side) => side.send() },
  ...Object.entries(PAGES).map(([name, path]) => ({
    rounds: SHORT_ROUNDS,
    measure: (side: Side) => side.read(name, path),
  })),
  { rounds: SHORT_ROUNDS, measure: (side) => side.deliver() },
];

interface MessageList {
  readonly items: readonly { readonly sid: string }[];
  readonly searchId?: string;
}

export class Side {
  readonly name: string;
  readonly #smsc: BenchSmsc;
  readonly #dataDir: string;
  #gateway: OurGateway;
  #db: Database;
  #dispatching: Database;
  #subscriptionSid = "";
  #emitted = 0;
  #sid = "";
  #middle = "";

  static async start(name: string, smsc: BenchSmsc, dataDir: string): Promise<Side> {
    const side = new Side(name, smsc, dataDir, await startOurs(smsc, dataDir));
    const order = { type: "OutboundMessageStatusChanged", url: "http://127.0.0.1:8080/hook", enabled: false };
    const made = await side.#gateway.tandem.get("/v1/Webhooks", json("POST", order));
    if (made.status !== 201) throw new Error(await made.text());
    side.#subscriptionSid = ((await made.json()) as { sid: string }).sid;
    return side;
  }

  private constructor(name: string, smsc: BenchSmsc, dataDir: string, gateway: OurGateway) {
    this.name = name;
    this.#smsc = smsc;
    this.#dataDir = dataDir;
    this.#gateway = gateway;
    [this.#db, this.#dispatching] = this.#connect();
  }

  get db(): Database {
    return this.#db;
  }

  get accountSid(): string {
    return this.#gateway.tandem.accountSid;
  }

  get subscriptionSid(): string {
    return this.#subscriptionSid;
  }

  /** Takes the time range of its messages: from now on older pages are read from the middle of it. */
  async lookAround(from: Date, to: Date): Promise<void> {
    const middle = new Date((from.getTime() + to.getTime()) / 2);
    const { items } = await this.#list("PageSize=1");
    const { searchId } = await this.#list(`PageSize=1&CreatedOnTo=${middle.toISOString()}`);
    if (items[0] === undefined || searchId === undefined) throw new Error(`${this.name} has too few messages`);
    this.#sid = items[0].sid;
    this.#middle = encodeURIComponent(searchId);
  }

  async #list(query: string): Promise<MessageList> {
    const answer = await this.#gateway.tandem.get(`/messaging/v1/OutboundMessages?${query}`);
    if (!answer.ok) throw new Error(`${this.name}: ${await answer.text()}`);
    return (await answer.json()) as MessageList;
  }

  /** Afterwards it has messages of its own, some that failed, and deliveries. */
  async warmUp(): Promise<void> {
    await this.send();
    await this.deliver();
    await this.#db.query(
      `update outbound_messages set status = 'Failed', error_code = 3004
        where sid in (select sid from outbound_messages where account_sid = $1 order by sid desc limit 1000)`,
      [this.accountSid],
    );
  }

  /** Sends messages with receipts, until the last receipt is stored. Each has two events. */
  async send(): Promise<Figures> {
    const before = (await this.#smsc.counts()).submits;
    const cpuFor = countCpu(this.#gateway.processes);
    const startMs = performance.now();
    const answered = await send(this.#gateway, { seconds: SECONDS, connections: CONNECTIONS });
    const acceptedMs = performance.now() - startMs;
    let sent = 0;
    do {
      if (performance.now() - startMs > GIVEN_UP_MS) throw new Error(`${this.name}: not every message was settled`);
      await pause(20);
      sent = (await this.#smsc.counts()).submits - before;
    } while (sent < answered || (await this.#unsettled()) > 0);
    const settledMs = performance.now() - startMs;
    const { server = 0, postgres = 0 } = cpuFor(sent);
    return {
      acceptPerSecond: Math.round((answered / acceptedMs) * 1000),
      settlePerSecond: Math.round((sent / settledMs) * 1000),
      messageServerCpuUs: server,
      messagePostgresCpuUs: postgres,
    };
  }

  /** Messages that wait, and receipts that are awaited; a row of submits stands for several messages. */
  async #unsettled(): Promise<number> {
    const tables = ["outbound_queue", "submits", "awaited_receipts"];
    const counts = tables.map((table) => `(select count(*) from ${table})`);
    const [row] = await this.#db.query<{ count: number }>(`select (${counts.join(" + ")})::int as count`);
    return row?.count ?? 0;
  }

  async read(name: string, template: string): Promise<Figures> {
    const path = template.replace("SID", this.#sid).replace("MIDDLE", this.#middle);
    const cpuFor = countCpu(this.#gateway.processes);
    const times: number[] = [];
    for (let number = 0; number < READS; number++) {
      const startMs = performance.now();
      const answer = await this.#gateway.tandem.get(path);
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${this.name} ${path}: ${text}`);
      times.push(performance.now() - startMs);
    }
    return { [`${name}Ms`]: Math.round(median(times) * 100) / 100, [`${name}CpuUs`]: cpuFor(READS).all };
  }

  /**
   * Uses only the product's statements: stores events with one delivery each, claims the deliveries and settles them.
   */
  async deliver(): Promise<Figures> {
    const now = new Date(Date.now() + AHEAD_MS);
    const round = ++this.#emitted;
    const claims: (readonly SettledDelivery[])[] = [];
    const batches = Array.from({ length: DELIVERIES / CLAIMED_AT_ONCE }, (_, batch) =>
      Array.from({ length: CLAIMED_AT_ONCE }, (_, at) => this.#event(`OMgrowth${round}-${batch}-${at}`)),
    );
    const steps = {
      emit: async () => {
        for (const events of batches) await emitEvents(this.#db, events, now);
      },
      claim: async () => {
        for (const _ of batches) claims.push(await this.#claim(now));
      },
      settleDelivery: async () => {
        for (const settled of claims) await recordSettled(this.#dispatching, settled, now);
      },
    };
    // The server does not take part.
    await this.#db.query("update webhook_slots set worker = 0");
    const figures: Record<string, number> = {};
    for (const [name, step] of Object.entries(steps)) {
      const cpuFor = countCpu({ postgres: this.#gateway.processes.postgres ?? 0 });
      const startMs = performance.now();
      await step();
      figures[`${name}PerSecond`] = Math.round((DELIVERIES / (performance.now() - startMs)) * 1000);
      figures[`${name}CpuUs`] = cpuFor(DELIVERIES).all;
    }
    await this.#db.query("update webhook_slots set worker = null");
    return figures;
  }

  #event(sid: string) {
    return {
      accountSid: this.accountSid,
      type: "OutboundMessageStatusChanged" as const,
      resourceSid: sid,
      sequence: 1,
      fields: sampleFields(sid),
      onlyTo: this.#subscriptionSid,
    };
  }

  async #claim(now: Date): Promise<readonly SettledDelivery[]> {
    const endpoints = [{ subscriptionSid: this.#subscriptionSid, countMax: CLAIMED_AT_ONCE }];
    const rows = await claimRows(this.#dispatching, endpoints, 0);
    if (rows.length < CLAIMED_AT_ONCE) throw new Error(`${this.name}: deliveries are missing`);
    return rows.map((row) => {
      const attempt = { at: now, url: "http://127.0.0.1:8080/hook", status: 200, failure: null, ms: 3, answer: "ok" };
      return {
        sid: row.sid,
        entry: row.entry,
        subscriptionSid: this.#subscriptionSid,
        resourceSid: row.resourceSid,
        sequence: row.sequence,
        payloadShape: null,
        status: "Delivered",
        nextAttemptOn: null,
        attempts: [attempt],
      };
    });
  }

  /** Stops the server and its PostgreSQL and starts both again; returns how long each takes. */
  async restart(): Promise<{ readonly stopMs: number; readonly startMs: number }> {
    await this.#disconnect();
    const begunMs = performance.now();
    await this.#gateway.close();
    const stoppedMs = performance.now();
    this.#gateway = await startOurs(this.#smsc, this.#dataDir);
    const startMs = Math.round(performance.now() - stoppedMs);
    [this.#db, this.#dispatching] = this.#connect();
    return { stopMs: Math.round(stoppedMs - begunMs), startMs };
  }

  async close(): Promise<void> {
    await this.#disconnect();
    await this.#gateway.close();
  }

  get settings(): ConnectionSettings {
    return { connectionString: this.#gateway.tandem.databaseUrl, waitMs: PATIENT_MS };
  }

  #connect(): [Database, Database] {
    const dispatching = new Database(this.settings, silent, { parameters: DISPATCH_PARAMETERS });
    return [new Database(this.settings, silent), dispatching];
  }

  async #disconnect(): Promise<void> {
    await this.#db.close();
    await this.#dispatching.close();
  }
}
