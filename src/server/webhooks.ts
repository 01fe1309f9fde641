// Webhooks with everything they need: the guarded client, the dispatcher, partitions for the records.

import { setFlagsFromString } from "node:v8";
import { type AddressGuard, newAddressGuard } from "../adapters/guard/address-guard.ts";
import type { Metrics } from "../adapters/metrics.ts";
import type { SecretBox } from "../adapters/secrets.ts";
import { type ConnectionSettings, Database } from "../adapters/store/engine/database.ts";
import { tendPartitions } from "../adapters/store/engine/partitions.ts";
import type { OpenStore } from "../adapters/store/store.ts";
import { askedWebhooks } from "../adapters/store/webhooks/asked-webhooks.ts";
import { backlogOf } from "../adapters/store/webhooks/delivery-backlog.ts";
import { DISPATCH_OPTIONS, StoredQueue } from "../adapters/store/webhooks/delivery-queue.ts";
import { WorkerLease } from "../adapters/store/webhooks/worker-lease.ts";
import { type WebhookAnswer, WebhookClient } from "../adapters/webhook-client/webhook-client.ts";
import { webhookSigner } from "../adapters/webhook-signer.ts";
import type { Clock } from "../base/clock.ts";
import { makeIds } from "../base/ids.ts";
import type { Log } from "../base/log.ts";
import type { NewEvent } from "../domain/events.ts";
import {
  type AskOutcome,
  askWebhook,
  Dispatcher,
  type PostOutcome,
  type WebhookPoster,
} from "../domain/webhooks/index.ts";
import type { Config } from "./config.ts";
import type { Task } from "./tasks.ts";

export interface WebhookPart {
  readonly guard: AddressGuard;
  /** Asks the receiver of an inbound call what to do with it. */
  readonly ask: (event: NewEvent<"InboundCallReceivedWebhook">) => Promise<AskOutcome>;
  readonly tasks: readonly Task[];
  close(): Promise<void>;
}

export interface WebhookDeps {
  readonly config: Config;
  readonly connection: ConnectionSettings;
  readonly store: OpenStore;
  readonly box: SecretBox;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
}

const LOOK_MS = 1_000;
const PARTITIONS_MS = 3_600_000;
const DISPATCH_CONNECTIONS = 4;

export async function openWebhooks(deps: WebhookDeps): Promise<WebhookPart> {
  const { config, store, clock } = deps;
  const { settings } = config;
  const keep = { db: store.db, keepDays: settings.TANDEM_RECORD_DAYS };
  await tendPartitions({ ...keep, now: clock.now() });
  deps.metrics.readBacklogBy(() => backlogOf(store.db, clock.now()));
  const guard = newAddressGuard({
    allowedNetworks: [...settings.TANDEM_ALLOWED_NETWORKS, ...(config.sandbox ? ["loopback"] : [])],
    allowedPorts: settings.TANDEM_ALLOWED_PORTS,
  });
  // The dispatcher bounds what runs per subscription; these only keep the sum within reason.
  const client = new WebhookClient({
    guard,
    connectionsPerOriginMax: 256,
    connectionsMax: 4_000,
    idleConnectionsMax: 1_000,
  });
  const poster = posterOver(client);
  const ids = makeIds(clock);
  const askDeps = {
    asked: askedWebhooks(store.db, deps.box, clock),
    poster,
    signer: webhookSigner,
    record: (action: () => Promise<void>) =>
      action().catch((error: Error) => deps.log.error({ reason: error.message }, "asked webhook not recorded")),
    newDeliverySid: () => ids.sid("WH"),
    now: () => clock.now(),
  };
  const part = {
    guard,
    ask: (event: NewEvent<"InboundCallReceivedWebhook">) => askWebhook(askDeps, event),
    tasks: [{ name: "partitions", everyMs: PARTITIONS_MS, run: () => tendPartitions({ ...keep, now: clock.now() }) }],
  };
  if (!settings.TANDEM_ROLES.includes("worker")) return { ...part, close: () => client.close() };

  keepHeapSmall();
  const dispatching = await openDispatcher(deps, poster);
  return {
    ...part,
    tasks: [...part.tasks, { name: "look for deliveries", everyMs: LOOK_MS, run: dispatching.look }],
    async close() {
      await dispatching.close();
      await client.close();
    },
  };
}

/**
 * What is being delivered lives for a second, long enough to become old in V8's eyes, who would let it pile up to several times what is in
 * use. Collected when the heap has grown by half, a server that delivers stays as small as it is.
 */
function keepHeapSmall(): void {
  setFlagsFromString("--heap-growing-percent=50");
}

async function openDispatcher({ connection, box, store, clock, log, metrics }: WebhookDeps, poster: WebhookPoster) {
  const db = new Database(connection, log, {
    connectionsMax: DISPATCH_CONNECTIONS,
    options: DISPATCH_OPTIONS,
  });
  const lease = new WorkerLease(connection, clock, log);
  await lease.open();
  const dispatcher = new Dispatcher({
    queue: new StoredQueue(db, box, lease),
    poster,
    signer: webhookSigner,
    clock,
    chance: Math.random,
    log,
    report: (report) => metrics.delivery(report),
  });
  store.notifier.onDeliveries((endpoints) => {
    if (endpoints !== "any") dispatcher.wake(endpoints);
    else
      dispatcher.look().catch((error: Error) => log.warn({ reason: error.message }, "due deliveries not looked for"));
  });
  return {
    async look() {
      dispatcher.wake(await lease.takeOver());
      await dispatcher.look();
    },
    async close() {
      store.notifier.onDeliveries(() => undefined);
      await dispatcher.close();
      await lease.close();
      await db.close();
    },
  };
}

function posterOver(client: WebhookClient): WebhookPoster {
  return { post: (order) => client.post(order).then(toOutcome) };
}

function toOutcome(answer: WebhookAnswer): PostOutcome {
  if (answer.kind === "answered") {
    const { status, ms, body, truncated, contentType = null, retryAfterMs } = answer;
    return { status, failure: null, ms, answer: body, isCut: truncated, contentType, retryAfterMs };
  }
  return {
    status: null,
    failure: `${answer.reason}: ${answer.detail}`,
    ms: answer.ms,
    answer: new Uint8Array(),
    isCut: false,
    contentType: null,
    retryAfterMs: undefined,
  };
}
