// Starts everything in order and stops it in the other: database, store, lookup, API. Ready only when callers can be served.

import { hash } from "node:crypto";
import { mkdirSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { FastifyInstance } from "fastify";
import { MediaClient } from "../adapters/attachments/attachment-client.ts";
import { MediaFiles } from "../adapters/attachments/attachment-files.ts";
import { MEDIA_LINK_MS, signMediaLink, verifyMediaLink } from "../adapters/attachments/attachment-links.ts";
import { checkDocument } from "../adapters/documents/check-document.ts";
import { makeLoa } from "../adapters/documents/make-loa.ts";
import { createHttpServer } from "../adapters/http/core/http-server.ts";
import { mountOperations } from "../adapters/http/core/mount.ts";
import { served } from "../adapters/http/core/operation.ts";
import { stillSignsIn } from "../adapters/http/core/sign-in.ts";
import { mountRegistryRoute } from "../adapters/http/routes/campaigns/registry-route.ts";
import { mountMediaRoute } from "../adapters/http/routes/messaging/media-route.ts";
import type { LinkHealth } from "../adapters/http/routes/messaging/operator-links.ts";
import { mountSystemRoutes } from "../adapters/http/routes/operations/system-routes.ts";
import { mountClearingHouseRoute } from "../adapters/http/routes/porting/clearing-house-route.ts";
import { Metrics } from "../adapters/metrics.ts";
import { secretBox, tokenMaker } from "../adapters/secrets.ts";
import { sweepAnswers } from "../adapters/store/accounts/idempotent-answers.ts";
import { RateCounters, sweepRateWindows } from "../adapters/store/accounts/rate-limits.ts";
import { sweepLookupCache } from "../adapters/store/lookup/known-answers.ts";
import { findMedia } from "../adapters/store/messaging/attachments.ts";
import { RecipientGuards } from "../adapters/store/messaging/recipient-guard.ts";
import { type OpenStore, openStore } from "../adapters/store/store.ts";
import { ensureCallbacks } from "../adapters/store/webhooks/callbacks.ts";
import { oldestSecretOf } from "../adapters/store/webhooks/subscriptions.ts";
import { newWebhookSecret } from "../adapters/webhook-signer.ts";
import { systemClock } from "../base/clock.ts";
import { makeIds } from "../base/ids.ts";
import { refused } from "../base/result.ts";
import { parseNumber } from "../domain/lookup/index.ts";
import type { NumberReader } from "../domain/messaging/index.ts";
import { activateNumbers } from "../domain/numbers/index.ts";
import { type ApiDeps, accountApi, apiDocuments, lookupApi, operatorApi, testkitApi } from "./api-documents.ts";
import type { Config } from "./config.ts";
import { connectDatabase, type DatabaseOrder } from "./connect-database.ts";
import { openLookups } from "./lookups.ts";
import { openMessaging } from "./messaging.ts";
import { openPorting } from "./porting.ts";
import { type Reconcile, reconcileTask } from "./reconcile.ts";
import { openRegistry } from "./registry.ts";
import { openSandbox, simulatedWorld } from "./sandbox.ts";
import { portDecider } from "./sandbox-porting.ts";
import { secretKeyIn } from "./secret-key.ts";
import { startTasks } from "./tasks.ts";
import { openWebhooks } from "./webhooks.ts";

export interface ServerOrder extends DatabaseOrder {
  readonly version: string;
}

export interface RunningServer {
  /** Where it listens, as a caller on this machine writes it. */
  readonly url: string;
  readonly port: number;
  /** Setting → port of what the sandbox listens with. */
  readonly sandboxPorts: Readonly<Record<string, number>>;
  readonly store: OpenStore;
  /** From here on /readyz says so. */
  markReady(): void;
  /** Lets running requests finish, then stops everything. Idempotent. */
  close(): Promise<void>;
}

const SWEEP_MS = 60_000;
const ACTIVATE_MS = 1_000;
const BUILT_NUMBERING = fileURLToPath(new URL("./numbering.bin", import.meta.url));

type Closer = () => Promise<void>;

export async function startServer(order: ServerOrder): Promise<RunningServer> {
  const opened: Closer[] = [];
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= closeAll(opened);
    return closing;
  };
  try {
    return { ...(await startParts(order, opened)), close };
  } catch (fault) {
    await close();
    throw fault;
  }
}

async function closeAll(opened: readonly Closer[]): Promise<void> {
  for (const close of [...opened].reverse()) await close();
}

async function startParts(order: ServerOrder, opened: Closer[]): Promise<Omit<RunningServer, "close">> {
  const { config, log, progress } = order;
  const { settings } = config;
  const clock = systemClock;
  mkdirSync(config.dataDir, { recursive: true });

  const database = await connectDatabase(order);
  opened.push(() => database.close());
  const secretKey = settings.TANDEM_SECRET_KEY ?? secretKeyIn(config.dataDir);
  const box = secretBox(secretKey);
  const store = await openStore({ settings: database.settings, box, activationMs: config.activationMs, log });
  opened.push(() => store.close());

  progress("loading the numbering table");
  const metrics = new Metrics();
  const numberingFile = settings.TANDEM_NUMBERING_FILE ?? BUILT_NUMBERING;
  const lookup = openLookups({ store, clock, log, metrics }, config, numberingFile);
  opened.push(() => lookup.close());

  const sweep = async () => {
    for (const sweepSome of [sweepAnswers, sweepLookupCache, sweepRateWindows]) {
      // Each takes a bounded number of rows at a time, until none are left.
      while ((await sweepSome(store.db, clock.now())) > 0);
    }
  };
  const webhooks = await openWebhooks({ config, connection: database.settings, store, box, clock, log, metrics });
  opened.push(() => webhooks.close());
  const publicUrl = () => settings.TANDEM_PUBLIC_URL ?? localUrl(config, portOf(app));
  const sandbox =
    config.sandbox && settings.TANDEM_ROLES.includes("worker") ? await openSandbox(config, log) : undefined;
  if (sandbox) opened.push(() => sandbox.close());
  const readNumber: NumberReader = (text) => parseNumber(text);
  const linkKey = hash("sha256", Buffer.concat([Buffer.from("media links "), secretKey]), "buffer");
  const mediaUrl = (sid: string) => {
    const { expires, signature } = signMediaLink(linkKey, sid, new Date(clock.now().getTime() + MEDIA_LINK_MS));
    return `${publicUrl()}/v1/Media/${sid}?expires=${expires}&signature=${signature}`;
  };
  const files = await MediaFiles.open(join(config.dataDir, "media"));
  const media = new MediaClient({ guard: webhooks.guard });
  const messaging = await openMessaging({
    config,
    carriers: [...config.file.carriers, ...(sandbox?.carriers ?? [])],
    connection: database.settings,
    store,
    clock,
    log,
    metrics,
    readNumber,
    mediaUrl,
    mms: { media, files },
    mmsListens: (link, port) => sandbox?.mmsListens(link, port),
  });
  opened.push(() => messaging.close());
  const activate: Reconcile = {
    name: "activate-numbers",
    everyMs: ACTIVATE_MS,
    run: async (now) => ({ counts: { numbers: await activateNumbers(store, now) } }),
  };
  const registrySettings = sandbox?.registry?.settings ?? config.file.registry;
  const upstreamCnpId = registrySettings?.upstreamCnpId ?? null;
  const registry =
    registrySettings &&
    openRegistry({
      settings: registrySettings,
      secret: config.secret,
      store,
      isListening: () => app.server.listening,
      publicUrl: settings.TANDEM_PUBLIC_URL,
      localUrl: () => (settings.TANDEM_ROLES.includes("api") ? publicUrl() : undefined),
      clock,
      log,
    });
  const porting = openPorting({
    settings: sandbox?.porting?.settings ?? config.file.porting ?? { kind: "manual" },
    secret: config.secret,
    store,
    box,
    clock,
    log,
  });
  const reconciles: readonly Reconcile[] = [activate, porting.reconcile, ...(registry ? [registry.reconcile] : [])];
  const reconcileTasks = settings.TANDEM_ROLES.includes("worker")
    ? reconciles.map((reconcile) => reconcileTask({ db: store.db, clock, log }, reconcile))
    : [];
  const tasks = startTasks(
    [{ name: "sweep", everyMs: SWEEP_MS, run: sweep }, ...webhooks.tasks, ...messaging.tasks, ...reconcileTasks],
    clock,
    log,
  );
  opened.push(() => tasks.close());
  // Before the tasks are, for they wait for its answers.
  if (registry) opened.push(() => registry.close());
  opened.push(() => porting.close());
  const limits = new RateCounters(store.db, clock);
  const recipientGuards = new RecipientGuards(limits, clock);

  const deps: ApiDeps = {
    lookups: lookup.lookups,
    ids: makeIds(clock),
    newSecret: newWebhookSecret,
    checkUrl: (url) => {
      const checked = webhooks.guard.checkUrl(url);
      return checked.ok ? checked : refused(checked.refusal.detail);
    },
    senders: messaging.senders,
    carriers: {
      async find(number) {
        const answer = await lookup.lookups.one(number);
        return answer.ok ? answer.value.info : { carrierName: null, type: "Unknown" };
      },
    },
    recipientGuard: (limit) => recipientGuards.under(limit),
    readyCallbacks: (accountSid) => ensureCallbacks(store.db, box, accountSid, clock.now()),
    mediaUrl,
    links: messaging.links,
    checkDocument,
    makeLetter: (letter) => makeLoa({ ...letter, newCarrier: settings.TANDEM_CARRIER_NAME }),
    notifier: store.notifier,
    eventLog: store.eventLog,
    mayGoOn: (authorization) => stillSignsIn(store.directory, authorization),
    oldestSecretOn: (accountSid) => oldestSecretOf(store.db, accountSid),
    tokens: tokenMaker,
    upstreamCnpId,
    sipSourceAddresses: config.file.sip?.sourceAddresses ?? [],
    supportContact: settings.TANDEM_SUPPORT_CONTACT,
  };
  const app: FastifyInstance = createHttpServer({ log, tls: config.tls, trustProxy: settings.TANDEM_TRUST_PROXY });
  const state = { ready: false };
  app.addHook("preClose", async () => {
    state.ready = false;
    // Streams have no end of their own.
    store.notifier.close();
  });
  const decidePort = portDecider(sandbox?.porting?.house, porting.carryOn);
  mountOperations(
    app,
    {
      store,
      credentials: store.directory,
      limits,
      clock,
      log,
      supportContact: settings.TANDEM_SUPPORT_CONTACT,
      observe: (operation, status, seconds) => metrics.request(operation, status, seconds),
    },
    settings.TANDEM_ROLES.includes("api")
      ? [
          served(lookupApi, deps),
          served(accountApi, deps),
          served(operatorApi, deps),
          ...(sandbox
            ? [served(testkitApi, { world: simulatedWorld(sandbox, store, media, decidePort), upstreamCnpId })]
            : []),
        ]
      : [],
  );
  mountMediaRoute(app, {
    credentials: store.directory,
    limits,
    isGood: (sid, link) => verifyMediaLink(linkKey, sid, link, clock.now()),
    async find(sid) {
      const record = await findMedia(store.db, sid);
      if (!record) return undefined;
      const { accountSid, contentType, name, sizeBytes: size, sha256 } = record;
      return { accountSid, contentType, name, size, content: async () => (await files.stream(sha256))?.content };
    },
  });
  if (registry && settings.TANDEM_ROLES.includes("api")) mountRegistryRoute(app, registry.route);
  if (porting.route && settings.TANDEM_ROLES.includes("api")) mountClearingHouseRoute(app, porting.route);
  mountSystemRoutes(app, {
    check: async () => ({
      server: state.ready ? undefined : "starting or stopping",
      store: await store.db.query("select 1").then(
        () => undefined,
        () => "out of reach",
      ),
      links: linksFault(messaging.links()),
    }),
    metrics: () => metrics.text(),
    metricsHost: settings.TANDEM_METRICS_HOST,
    documents: () => apiDocuments(),
    facts: () => ({
      version: order.version,
      publicUrl: publicUrl(),
      sandbox: config.sandbox,
      dataDir: settings.TANDEM_DATA_DIR,
      tableAsOf: lookup.tableAsOf,
      providers: lookup.providerNames,
    }),
  });
  await listen(app, config);
  opened.push(() => drain(app, settings.TANDEM_DRAIN_SECONDS));
  const port = portOf(app);
  if (porting.route && settings.TANDEM_ROLES.includes("api")) {
    sandbox?.porting?.house.notifyTo(`${localUrl(config, port)}${porting.route.path}`);
  }
  return {
    url: localUrl(config, port),
    port,
    sandboxPorts: sandbox?.ports ?? {},
    store,
    markReady() {
      state.ready = true;
    },
  };
}

/** One that is down leaves its messages to the others, or they wait; without any nothing leaves. */
function linksFault(links: readonly LinkHealth[]): string | undefined {
  const down = links.filter(({ state }) => state === "down");
  return links.length > 0 && down.length === links.length ? "every link to a carrier is down" : undefined;
}

function portOf(app: FastifyInstance): number {
  return (app.server.address() as AddressInfo).port;
}

async function listen(app: FastifyInstance, config: Config): Promise<void> {
  const { TANDEM_HOST: host, TANDEM_PORT: port } = config.settings;
  try {
    await app.listen({ host, port });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    throw new Error(
      `Port ${port} on ${host} is taken by another program: stop it, or set TANDEM_PORT to another port (0 for any free one).`,
    );
  }
}

/** Closes idle connections at once and the rest as their requests end, but waits no longer than allowed. */
async function drain(app: FastifyInstance, seconds: number): Promise<void> {
  const timer = setTimeout(() => app.cutConnections(), seconds * 1000);
  await app.close();
  clearTimeout(timer);
}

function localUrl(config: Config, port: number): string {
  const { TANDEM_HOST: host } = config.settings;
  const isLocal = ["127.0.0.1", "::1", "0.0.0.0", "::"].includes(host);
  const name = isLocal ? "localhost" : host.includes(":") ? `[${host}]` : host;
  return `${config.tls ? "https" : "http"}://${name}:${port}`;
}
