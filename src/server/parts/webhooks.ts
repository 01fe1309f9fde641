// Webhooks: the client behind the address guard, partitions for events and deliveries, and in a worker the dispatcher.

import { setFlagsFromString } from "node:v8";
import { stillSignsIn } from "../../adapters/http/core/sign-in.ts";
import { type DeliveryRouteDeps, deliveryOperations } from "../../adapters/http/routes/webhooks/deliveries.ts";
import {
  type EventRouteDeps,
  eventOperations,
  newStreamLimit,
  operatorEventOperations,
} from "../../adapters/http/routes/webhooks/events.ts";
import { operatorWebhookOperations } from "../../adapters/http/routes/webhooks/operator-webhooks.ts";
import { type WebhookRouteDeps, webhookOperations } from "../../adapters/http/routes/webhooks/webhooks.ts";
import type { MediaStreamDeps } from "../../adapters/media-streams/media-stream.ts";
import { Database } from "../../adapters/store/engine/database.ts";
import { tendPartitions } from "../../adapters/store/engine/partitions.ts";
import { askedWebhooks } from "../../adapters/store/webhooks/asked-webhooks.ts";
import { ensureCallbacks } from "../../adapters/store/webhooks/callbacks.ts";
import { backlogOf } from "../../adapters/store/webhooks/delivery-backlog.ts";
import { DISPATCH_PARAMETERS, StoredDeliveries } from "../../adapters/store/webhooks/delivery-records.ts";
import { signingKeys } from "../../adapters/store/webhooks/signing-keys.ts";
import { slotRecords, slotsMayChange } from "../../adapters/store/webhooks/slot-records.ts";
import { subscriptionHealth } from "../../adapters/store/webhooks/subscription-health.ts";
import { WorkerLease } from "../../adapters/store/webhooks/worker-lease.ts";
import { writeTwilioForm } from "../../adapters/twilio/webhook-parameters.ts";
import { type WebhookAnswer, WebhookClient } from "../../adapters/webhook-client/webhook-client.ts";
import { newWebhookSecret, webhookSigner } from "../../adapters/webhook-signer.ts";
import type { CookieJar } from "../../base/cookie-jar.ts";
import type { NewEvent } from "../../domain/events.ts";
import {
  type AskedDocument,
  type AskOutcome,
  askDocument,
  askWebhook,
  Dispatcher,
  type DocumentOutcome,
  OrderedQueue,
  type PostOutcome,
  type ReplySender,
  slotOf,
  type WebhookPoster,
  type WebhookSigner,
  WorkerSlots,
} from "../../domain/webhooks/index.ts";
import { descriptorBudget } from "../config/descriptors.ts";
import { giveBackTask } from "../running/give-back-task.ts";
import { type Api, type Context, type Part, servedApi } from "../running/part.ts";

export const webhooksApi: Api<WebhookRouteDeps & DeliveryRouteDeps & EventRouteDeps> = {
  account: [...webhookOperations, ...deliveryOperations, ...eventOperations],
  operator: [...operatorWebhookOperations, ...operatorEventOperations],
};

export interface WebhooksPart extends Part {
  /** Requests a script from the receiver of an inbound call. */
  readonly ask: (event: NewEvent<"InboundCallReceivedWebhook">, cookies: CookieJar) => Promise<AskOutcome>;
  /** Asks for the next document of a call. */
  readonly askDocument: (asked: AskedDocument) => Promise<DocumentOutcome>;
  /** The headers of the handshake of a stream. */
  readonly signStream: MediaStreamDeps["sign"];
}

const LOOK_MS = 1_000;
const SHARE_MS = 60_000;
const PARTITIONS_MS = 3_600_000;
const PARTITIONS_WAIT_MS = 600_000;
/** How soon a jump of the clock is detected. */
const CLOCK_MS = 10_000;
const DISPATCH_CONNECTIONS = 4;

/** `reply` sends what a receiver in Twilio's shape may request in its answer. */
export async function openWebhooks(context: Context, reply: ReplySender): Promise<WebhooksPart> {
  const { store, clock, ids, log, guard, checkUrl } = context;
  const tend = partitionTender(context);
  await tend();
  context.metrics.readBacklogBy(() => backlogOf(store.db, clock.now()));
  // The dispatcher limits the requests of each subscription; these limits bound the total.
  const { webhooksMax } = descriptorBudget();
  const client = new WebhookClient({
    guard,
    connectionsPerOriginMax: Math.min(256, webhooksMax),
    connectionsMax: webhooksMax,
    idleConnectionsMax: Math.ceil(webhooksMax / 4),
  });
  const poster = posterOver(client, context.traces);
  const signer = webhookSigner(signingKeys(store.db, context.box, clock));
  const askDeps = {
    asked: askedWebhooks(store.db, context.box, clock),
    poster,
    signer,
    writeForm: writeTwilioForm,
    record: (action: () => Promise<void>) =>
      action().catch((error: Error) => log.error({ reason: error.message }, "asked webhook not recorded")),
    newDeliverySid: () => ids.sid("WH"),
    now: () => clock.now(),
  };
  const urlDeps = {
    ...{ poster, signer, newSid: askDeps.newDeliverySid, now: askDeps.now },
    async secretsOf(accountSid: string) {
      await ensureCallbacks(store.db, context.box, accountSid, clock.now());
      return store.callbackSecrets.current(accountSid, clock.now());
    },
  };
  return {
    name: "webhooks",
    operations: servedApi(webhooksApi, {
      ids,
      checkUrl,
      newSecret: newWebhookSecret,
      notifier: store.notifier,
      eventLog: store.eventLog,
      mayGoOn: (who, headers) => stillSignsIn(context.credentials, who, headers),
      live: context.live,
      streams: newStreamLimit(context),
      writeForm: writeTwilioForm,
      clock,
    }),
    ask: (event, cookies) => askWebhook(askDeps, event, cookies),
    askDocument: (asked) => askDocument(urlDeps, asked),
    signStream: async ({ accountSid, url, shape }) =>
      signer.sign({
        ...{ accountSid, url, webhookSid: urlDeps.newSid(), secrets: await urlDeps.secretsOf(accountSid) },
        payload: { contentType: "application/json", text: "", ...(shape === "Twilio" && { parameters: {} }) },
        now: clock.now(),
      }),
    tasks: [{ name: "partitions", everyMs: CLOCK_MS, run: tend }],
    work: () => openDispatcher(context, { poster, signer, reply }),
    close: () => client.close(),
  };
}

function partitionTender({ config, connection, store, clock, log }: Context): () => Promise<void> {
  const keepDays = config.settings.TANDEM_RECORD_DAYS;
  let tendedMs = Number.NEGATIVE_INFINITY;
  return async () => {
    const now = clock.now();
    if (Math.abs(now.getTime() - tendedMs) < PARTITIONS_MS) return;
    // After a jump of the clock many records may have to be moved: no request waits for that.
    const db = new Database({ ...connection, waitMs: PARTITIONS_WAIT_MS }, log, { connectionsMax: 1 });
    try {
      await tendPartitions({ db, keepDays, now });
      await store.messageWeeks.read(db);
    } finally {
      await db.close();
    }
    tendedMs = now.getTime();
  };
}

interface DispatchDeps {
  readonly poster: WebhookPoster;
  readonly signer: WebhookSigner;
  readonly reply: ReplySender;
}

async function openDispatcher(context: Context, deps: DispatchDeps): Promise<Part> {
  const { connection, box, store, clock, log, metrics } = context;
  // Deliveries live about a second, long enough to reach V8's old generation, which would grow to several times what is
  // in use. So V8 collects it whenever it has grown by half.
  setFlagsFromString("--heap-growing-percent=50");
  const db = new Database(connection, log, { connectionsMax: DISPATCH_CONNECTIONS, parameters: DISPATCH_PARAMETERS });
  metrics.process.watchPool("webhooks", () => db.load);
  const lease = new WorkerLease(store.db, connection, clock, log);
  await lease.open();
  const records = new StoredDeliveries(db, box, lease);
  const slots: WorkerSlots = new WorkerSlots({
    records: slotRecords(store.db),
    lease,
    clock,
    async claimsEnded() {
      await dispatcher.claims.claimsAnswered();
      await records.claimsEnded();
    },
    release: (isLeaving) => queue.release(isLeaving),
    learn: (isNew) => queue.learn(isNew, clock.now()),
    forget: (isGone) => queue.forget(isGone),
  });
  const queue = new OrderedQueue({ records, mayClaim: (sid) => slots.holds(slotOf(sid)) });
  const dispatcher = new Dispatcher({
    queue,
    health: subscriptionHealth(db),
    ...deps,
    writeForm: writeTwilioForm,
    clock,
    chance: Math.random,
    log,
    report: (report) => metrics.delivery(report),
    weightOf: (accountSid) => store.directory.weightOf(accountSid),
    // Each takes a connection.
    attemptsMax: descriptorBudget().webhooksMax,
  });
  store.notifier.onDeliveries = (endpoints) => {
    if (endpoints !== "any") dispatcher.wake(endpoints);
    else
      dispatcher.look().catch((error: Error) => log.warn({ reason: error.message }, "due deliveries not looked for"));
  };
  const share = async () => {
    await lease.takeOver();
    if (await slots.balance()) await dispatcher.look();
  };
  // The task below tries again.
  await share().catch((fault: Error) => log.warn({ reason: fault.message }, "slots of webhooks not shared"));
  return {
    name: "dispatcher",
    tasks: [
      { name: "look for deliveries", everyMs: LOOK_MS, run: () => dispatcher.look() },
      giveBackTask(dispatcher.claims, log),
      {
        name: "share the slots of webhooks",
        everyMs: SHARE_MS,
        when: slotsMayChange(slots),
        run: share,
        ignoresClock: true,
      },
    ],
    async close() {
      store.notifier.onDeliveries = () => undefined;
      await dispatcher.close();
      await lease.close();
      await db.close();
    },
  };
}

function posterOver(client: WebhookClient, traces: Context["traces"]): WebhookPoster {
  const poster: WebhookPoster = { post: (order) => client.post(order).then(toOutcome) };
  return traces ? { post: (order) => traces.post(order, poster) } : poster;
}

function toOutcome(answer: WebhookAnswer): PostOutcome {
  if (answer.kind === "answered") {
    const { status, ms, body, truncated, contentType = null, retryAfterMs, exchange, valuesOf } = answer;
    return { status, failure: null, ms, answer: body, isCut: truncated, contentType, retryAfterMs, exchange, valuesOf };
  }
  return {
    status: null,
    failure: `${answer.reason}: ${answer.detail}`,
    ms: answer.ms,
    answer: new Uint8Array(),
    isCut: false,
    contentType: null,
    retryAfterMs: undefined,
    ...(answer.exchange && { exchange: answer.exchange }),
  };
}
