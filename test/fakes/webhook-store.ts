// A real PostgreSQL with the schema, one account, and a dispatcher whose clock and receiver the test controls.

import { chmodSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect } from "vitest";
import { startEmbeddedPostgres } from "../../src/adapters/postgres/embedded-postgres.ts";
import type { SecretBox } from "../../src/adapters/secrets.ts";
import { accountStore } from "../../src/adapters/store/accounts/accounts.ts";
import { Database } from "../../src/adapters/store/engine/database.ts";
import { tendPartitions } from "../../src/adapters/store/engine/partitions.ts";
import { applySchema } from "../../src/adapters/store/schema/apply-schema.ts";
import { SCHEMA } from "../../src/adapters/store/schema/index.ts";
import { deliveryStore } from "../../src/adapters/store/webhooks/deliveries.ts";
import { StoredDeliveries } from "../../src/adapters/store/webhooks/delivery-records.ts";
import { emitEvents } from "../../src/adapters/store/webhooks/outbox.ts";
import { signingKeys } from "../../src/adapters/store/webhooks/signing-keys.ts";
import { subscriptionHealth } from "../../src/adapters/store/webhooks/subscription-health.ts";
import { subscriptionStore } from "../../src/adapters/store/webhooks/subscriptions.ts";
import { writeTwilioForm } from "../../src/adapters/twilio/webhook-parameters.ts";
import { newWebhookSecret, webhookSigner } from "../../src/adapters/webhook-signer.ts";
import { systemClock } from "../../src/base/clock.ts";
import { makeIds } from "../../src/base/ids.ts";
import { KEEPS_ALL } from "../../src/domain/accounts/index.ts";
import type { EventFields, EventType } from "../../src/domain/events.ts";
import {
  Dispatcher,
  ORDER_WAIT_MS,
  OrderedQueue,
  type PostOrder,
  type PostOutcome,
  type Subscription,
  slotOf,
  type WorkerSlots,
} from "../../src/domain/webhooks/index.ts";
import { isLong } from "../faults/form.ts";
import { connectionTo, dropDatabase, newDatabase } from "../shared-database.ts";
import { isOnStockPostgres, StockPostgres } from "../stock-postgres.ts";
import { forgetTandem } from "../tandem.ts";
import { secretBox } from "./secret-box.ts";
import { silent } from "./silent-log.ts";

export interface SeenPost extends PostOrder {
  readonly at: Date;
}

/** The worker that has all slots. */
export const EVERY_SLOT = { id: 1, holds: () => true };

export function storedQueue(db: Database, box: SecretBox, worker: Pick<WorkerSlots, "id" | "holds"> = EVERY_SLOT) {
  const records = new StoredDeliveries(db, box, worker);
  return new OrderedQueue({ records, mayClaim: (sid) => worker.holds(slotOf(sid)) });
}

type WebhookStore = Awaited<ReturnType<typeof openWebhookStore>>;

/** A plain response of a receiver. */
export function answered(status: number, more: Partial<PostOutcome> = {}): PostOutcome {
  return {
    status,
    failure: null,
    ms: 1,
    answer: new Uint8Array(),
    isCut: false,
    contentType: null,
    retryAfterMs: undefined,
    ...more,
  };
}

export interface WebhookStoreOrder {
  /**
   * For tests that need to see committed rows immediately: on the shared PostgreSQL they only see them when every older
   * transaction of all databases has ended.
   */
  readonly hasOwnPostgres?: boolean;
}

/**
 * Opened before the file's tests and closed after them. Filled by a `beforeAll`, so that later hooks and all tests can
 * use it.
 */
export function useWebhookStore(order: WebhookStoreOrder = {}): WebhookStore {
  const used = {} as WebhookStore;
  beforeAll(async () => void Object.assign(used, await openWebhookStore(order)));
  afterAll(() => used.close?.());
  return used;
}

async function openWebhookStore({ hasOwnPostgres = false }: WebhookStoreOrder) {
  const { connection, close } = hasOwnPostgres ? await startOwnPostgres() : await openSharedDatabase();
  const db = new Database({ ...connection, waitMs: 60_000 }, silent);
  let now = new Date("2026-11-16T08:00:00.000Z");
  // The database runs in real time, so timers are real.
  const clock = { ...systemClock, now: () => now };
  await tendPartitions({ db, now, keepDays: 30 });
  await db.query("update webhook_slots set worker = $1", [EVERY_SLOT.id]);
  const ids = makeIds(clock);
  const box = secretBox(new Uint8Array(32).fill(7));
  const subscriptions = subscriptionStore(db, box);
  const posts: SeenPost[] = [];
  const faults: object[] = [];
  let receive: (order: PostOrder) => PostOutcome | Promise<PostOutcome> = () => answered(200);

  const dispatcher = new Dispatcher({
    queue: storedQueue(db, box),
    health: subscriptionHealth(db),
    poster: {
      async post(order) {
        posts.push({ ...order, at: now });
        return receive(order);
      },
    },
    signer: webhookSigner(signingKeys(db, box, clock)),
    writeForm: writeTwilioForm,
    reply: async () => undefined,
    clock,
    chance: Math.random,
    weightOf: () => 1,
    attemptsMax: 4_000,
    log: {
      ...silent,
      warn: (fields, fact) => fact !== "subscription switched off" && faults.push({ fact, ...fields }),
      error: (fields, fact) => faults.push({ fact, ...fields }),
    },
    report: () => undefined,
  });

  const addAccount = async () => {
    const sid = ids.sid("AC");
    const rest = {
      suspendedReason: null,
      features: [],
      limitChanges: {},
      country: null,
      allowedCountries: null,
      defaultCallerId: null,
      handlesKeywords: true,
      ...KEEPS_ALL,
    };
    const accounts = accountStore(db, box, async () => undefined);
    await accounts.insert({ sid, name: "test", status: "Active", createdOn: now, ...rest });
    return sid;
  };
  const accountSid = await addAccount();

  return {
    addAccount,
    db,
    /** For additional sessions of a test. */
    connection,
    clock,
    ids,
    box,
    accountSid,
    subscriptions,
    deliveries: deliveryStore(db),
    dispatcher,
    posts,
    /** The faults that the dispatcher reported. */
    faults,
    /** Sets the receiver's behaviour from now on. */
    receiveBy(answer: typeof receive) {
      receive = answer;
    },
    async subscribe(change: Partial<Subscription> & { readonly type?: EventType; readonly bearer?: string } = {}) {
      const { bearer = null, type = "OutboundMessageStatusChanged", ...rest } = change;
      const subscription: Subscription = {
        sid: ids.sid("WS"),
        accountSid,
        types: [type],
        url: "https://receiver.example/hook",
        backupUrl: null,
        messagingConfigSid: null,
        phone: null,
        payloadShape: "A",
        enabled: true,
        disabledReason: null,
        hasBearer: bearer !== null,
        createdOn: now,
        lastSuccessOn: null,
        ...rest,
      };
      await subscriptions.insert(subscription, { secret: newWebhookSecret(), bearer });
      return subscription;
    },
    async emit(resourceSid: string, more: { readonly phone?: string; readonly messagingConfigSid?: string } = {}) {
      const event = {
        accountSid,
        type: "OutboundMessageStatusChanged" as const,
        resourceSid,
        fields: statusFields(resourceSid),
        ...more,
      };
      await emitEvents(db, [event], now);
    },
    /** Delivers everything that is due now. */
    async dispatch() {
      await dispatcher.look();
      await dispatcher.idle();
    },
    advance(ms: number) {
      now = new Date(now.getTime() + ms);
    },
    /** Advances to the next time at which something is due and delivers it; false when nothing is queued. */
    async advanceToNext(): Promise<boolean> {
      // What is claimed waits in memory for an earlier event of its resource, until a minute after that one's attempt.
      const [row] = await db.query<{ due_at: Date | null }>(
        `select least(min(due_at) filter (where claimed_by is null), case when count(claimed_by) > 0 then
                      min(first_tried_at) filter (where first_tried_at > $1) + $2 * interval '1 ms' end) as due_at
           from delivery_queue`,
        [new Date(now.getTime() - ORDER_WAIT_MS), ORDER_WAIT_MS],
      );
      if (!row?.due_at) return false;
      if (row.due_at > now) now = row.due_at;
      await this.dispatch();
      return true;
    },
    /** After a test: removes all subscriptions and the queue, and checks that the dispatcher reported no fault. */
    async clear() {
      await db.query("delete from webhook_subscriptions");
      await this.dispatch();
      expect(faults).toEqual([]);
      posts.length = 0;
      receive = () => answered(200);
    },
    async close() {
      await dispatcher.close();
      await db.close();
      await close();
    },
  };
}

async function openSharedDatabase() {
  const url = await newDatabase();
  return { connection: connectionTo(url), close: () => dropDatabase(url) };
}

async function startOwnPostgres() {
  const dataDir = mkdtempSync(join(tmpdir(), "tandem-webhooks-"));
  chmodSync(dataDir, 0o711);
  const postgres = isOnStockPostgres()
    ? await StockPostgres.startIn(join(dataDir, "postgres"))
    : await startEmbeddedPostgres({ dataDir, log: silent });
  const client = new pg.Client(postgres.connection);
  await client.connect();
  if (!isLong) {
    // Its transactions delay, as any others do, when events are seen and counted.
    await client.query("alter system set autovacuum = off");
    await client.query("select pg_reload_conf()");
  }
  await applySchema(client, SCHEMA);
  await client.end();
  const close = async () => {
    await postgres.close();
    forgetTandem(dataDir);
  };
  return { connection: postgres.connection, close };
}

export function statusFields(sid: string): EventFields["OutboundMessageStatusChanged"] {
  return {
    Sid: sid,
    From: "+14155550100",
    To: "+14155550101",
    Status: "Sent",
    PreviousStatus: "Queued",
    ErrorCode: 0,
    ErrorDescription: null,
    SegmentCount: 1,
    Carrier: null,
  };
}
