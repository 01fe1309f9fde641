// Starts everything in order and stops it in reverse: database, store, the sandbox, the parts of the product, and last
// the API. A start that fails closes what it has opened.

import { newAddressGuard } from "../../adapters/guard/address-guard.ts";
import { HttpServer } from "../../adapters/http/core/http-server.ts";
import { ListPlaces } from "../../adapters/http/core/list-places.ts";
import { LiveTap } from "../../adapters/http/core/live-tap.ts";
import { mountOperations } from "../../adapters/http/core/mount.ts";
import { RefusalLog } from "../../adapters/http/core/refusal-log.ts";
import type { ApiDeps } from "../../adapters/http/core/run-operation.ts";
import { mountMcp } from "../../adapters/http/routes/mcp-route.ts";
import { Metrics } from "../../adapters/metrics.ts";
import { digestOfToken } from "../../adapters/secrets.ts";
import { RateCounters } from "../../adapters/store/accounts/rate-limits.ts";
import { holding } from "../../adapters/store/engine/conditions.ts";
import { DatabaseClock } from "../../adapters/store/engine/database-clock.ts";
import { type OpenStore, openStore, type StoreDeps } from "../../adapters/store/store.ts";
import { ActiveAccounts } from "../../base/active-accounts.ts";
import { type Clock, pause, systemClock } from "../../base/clock.ts";
import { type Ids, makeIds } from "../../base/ids.ts";
import { refused } from "../../base/result.ts";
import type { OpenApiDocument } from "../../mcp/tools.ts";
import { descriptorBudget } from "../config/descriptors.ts";
import { configuredOutside } from "../config/outside.ts";
import { openKeys } from "../keys/followed-keys.ts";
import { openAccounts } from "../parts/accounts.ts";
import { apiDocuments } from "../parts/api.ts";
import { openAttention } from "../parts/attention.ts";
import { openCampaigns } from "../parts/campaigns.ts";
import { openLive } from "../parts/live.ts";
import { openLookup } from "../parts/lookup.ts";
import { openMessaging } from "../parts/messaging.ts";
import { openNodes } from "../parts/nodes.ts";
import { openNumbers } from "../parts/numbers.ts";
import { openPorting } from "../parts/porting.ts";
import { openRecordings } from "../parts/recordings.ts";
import { replySender } from "../parts/replies.ts";
import { openRequests } from "../parts/requests.ts";
import { openRoutes } from "../parts/routes.ts";
import { openStatistics } from "../parts/statistics.ts";
import { openSystem } from "../parts/system.ts";
import { openTwilio } from "../parts/twilio.ts";
import { openVoice, type VoicePart } from "../parts/voice.ts";
import { openWebhooks } from "../parts/webhooks.ts";
import type { Context } from "../running/part.ts";
import { Parts } from "../running/parts.ts";
import { stopTimes } from "../running/stop-times.ts";
import { openSandbox, openTestkit, type Sandbox } from "../sandbox/sandbox.ts";
import { connectDatabase, type DatabaseOrder } from "./connect-database.ts";
import { openDataDirectory } from "./data-directory.ts";
import { listen, localUrl, portOf } from "./listen.ts";
import { openTraces } from "./open-traces.ts";

export interface ServerOrder extends Omit<DatabaseOrder, "clock"> {
  readonly version: string;
  /** Called with the database while it is still being opened. */
  readonly onDatabase: (opening: Promise<{ close(): Promise<void> }>) => void;
  /** Called when an operator wants this process to drain: it is to stop as by a signal. */
  readonly onDrain: () => void;
  /** Aborted by a request to stop, which ends the start. */
  readonly stop: AbortSignal;
  /** Called immediately with the parts that a stop will have to close. */
  readonly onParts: (parts: { readonly unclosed: readonly string[] }) => void;
}

export interface RunningServer {
  /** The server's URL for callers on this machine. */
  readonly url: string;
  /** The URL under which others reach it. */
  readonly publicUrl: string;
  readonly port: number;
  /** Setting → port of what listens in addition to the API. */
  readonly ports: Readonly<Record<string, number>>;
  /** What the sandbox does not simulate, because it is configured. */
  readonly real: readonly string[];
  readonly store: OpenStore;
  /** From this call on, /readyz reports that the server is ready. */
  markReady(): void;
  /** No longer ready: serves on until `close`, for the time that the settings give load balancers to notice. */
  leave(): Promise<void>;
  /** Lets running requests finish, then stops everything. Idempotent. */
  close(): Promise<void>;
}

type StartOrder = ServerOrder & DatabaseOrder;

export async function startServer(order: ServerOrder): Promise<RunningServer> {
  const { config, log, stop } = order;
  const clock = new DatabaseClock(systemClock);
  const parts = new Parts({ roles: config.settings.TANDEM_ROLES, clock, log, stop });
  order.onParts(parts);
  try {
    return {
      ...(await startParts({ ...order, clock }, parts)),
      leave() {
        parts.leave();
        return pause(clock, stopTimes(config.settings).lameDuckMs);
      },
      close: () => parts.close(),
    };
  } catch (fault) {
    await parts.close();
    throw fault;
  }
}

async function startParts(order: StartOrder, parts: Parts): Promise<Omit<RunningServer, "leave" | "close">> {
  const { config, log } = order;
  const { settings, tls } = config;
  const descriptors = descriptorBudget();
  const refusals = new RefusalLog(order.clock);
  const ids = makeIds(order.clock);
  const http = new HttpServer({
    log,
    uuids: ids,
    refusals,
    tls,
    connections: {
      connectionsMax: descriptors.inboundMax,
      connectionsPerAddressMax: descriptors.inboundPerAddressMax,
    },
    trustProxy: settings.TANDEM_TRUST_PROXY,
    corsOrigins: settings.TANDEM_CORS_ORIGINS,
    publicUrl: settings.TANDEM_PUBLIC_URL,
  });
  const { context, sandbox } = await openContext(order, parts, { http, ids });
  const { store, limits, clock, metrics, traces } = context;
  let isOpen = false;
  const isReady = () => isOpen && !http.isLeaving;
  const { voice } = await openParts(order, parts, { context, sandbox, refusals, isReady });
  // Ends the event streams, which would otherwise never end.
  http.onClosing(async () => store.notifier.close());
  const api: ApiDeps = {
    store,
    credentials: context.credentials,
    limits,
    clock,
    uuids: ids,
    log,
    supportContact: settings.TANDEM_SUPPORT_CONTACT,
    refusals,
    lists: new ListPlaces(clock, context.active),
    active: context.active,
    live: context.live,
    observe: (operation, status, seconds) => metrics.request(operation, status, seconds),
    trace: traces && ((operation, request, answer) => traces.request(operation, request, answer)),
  };
  mountOperations(http, api, parts.operations);
  if (parts.has("api")) {
    const operations = parts.operations.flatMap((group) => group.operations);
    const document = () => apiDocuments({ hasSandbox: sandbox !== undefined }).everything as unknown as OpenApiDocument;
    mountMcp(http, {
      ...api,
      version: order.version,
      document,
      operations,
      mayWrite: (caller) => caller.kind === "account" && caller.toolWrites,
    });
  }
  parts.mountRoutes(http);
  await parts.open(listen(http, config));
  const url = localUrl(http, config);
  if (parts.has("api")) sandbox?.apiListens(url);
  return {
    url,
    publicUrl: context.publicUrl(),
    port: portOf(http),
    ports: { ...sandbox?.ports, ...voice.ports() },
    real: sandbox?.real ?? [],
    store,
    markReady() {
      isOpen = true;
    },
  };
}

/** Opens what all parts need. */
async function openContext(order: StartOrder, parts: Parts, { http, ids }: { http: HttpServer; ids: Ids }) {
  const { config, clock, log } = order;
  const { settings, activationMs } = config;
  await openDataDirectory(config, log);
  const traces = await openTraces(order, parts);
  const opening = connectDatabase(order);
  order.onDatabase(opening);
  const { settings: connection } = await parts.keep("database", opening);
  const keys = await openKeys(config, connection, log);
  const { box } = keys;
  const followKeys: StoreDeps["followKeys"] = (session, db) => keys.follow(session, db);
  const store = await parts.keep(
    "store",
    openStore({ settings: connection, box, followKeys, activationMs, clock, log }),
  );
  const limits = await parts.keep("limits", openLimits(store, clock));
  parts.askBy((conditions) => holding(store.db, conditions));
  const sandbox = config.sandbox && parts.has("worker") ? await openSandbox(parts, config, log) : undefined;
  const guard = newAddressGuard({
    allowedNetworks: [...settings.TANDEM_ALLOWED_NETWORKS, ...(config.sandbox ? ["loopback"] : [])],
    allowedPorts: settings.TANDEM_ALLOWED_PORTS,
  });
  const publicUrl = () => settings.TANDEM_PUBLIC_URL ?? localUrl(http, config);
  const outside = sandbox?.outside ?? configuredOutside(config.file);
  const context: Context = {
    config,
    outside,
    connection,
    store,
    keys,
    box,
    clock,
    ids,
    log,
    metrics: new Metrics(),
    traces,
    limits,
    active: new ActiveAccounts(clock),
    live: new LiveTap(),
    credentials: {
      account: (sid, token) => store.directory.account(sid, token),
      operator: (token) => store.directory.operator(token),
      session: (text, purpose) => store.sessions[purpose](digestOfToken(text), clock.now()),
    },
    guard,
    upstreamCnpId: outside.registry?.upstreamCnpId ?? null,
    supportContact: settings.TANDEM_SUPPORT_CONTACT,
    checkUrl: (url) => {
      const checked = guard.targetOf(url);
      return checked.ok ? checked : refused(checked.refusal.detail);
    },
    isListening: () => http.server.listening,
    publicUrl,
    apiUrl: () => (parts.has("api") ? publicUrl() : undefined),
  };
  return { context, sandbox };
}

async function openLimits(store: OpenStore, clock: Clock): Promise<RateCounters> {
  const limits = new RateCounters(store.db, clock, store.isCurrent);
  store.notifier.onLimits = (key) => limits.giveBack(key);
  return limits;
}

interface PartsOrder {
  readonly context: Context;
  readonly sandbox: Sandbox | undefined;
  readonly refusals: RefusalLog;
  readonly isReady: () => boolean;
}

/** Webhooks come before the parts that store events, because they make the partitions that events are stored in. */
async function openParts(
  { version, progress, onDrain }: ServerOrder,
  parts: Parts,
  { context, sandbox, refusals, isReady }: PartsOrder,
): Promise<{ readonly voice: VoicePart }> {
  progress("loading the numbering table");
  const lookup = await parts.open(openLookup(context));
  const webhooks = await parts.open(openWebhooks(context, replySender(context, lookup.lookups)));
  const messaging = await parts.open(openMessaging(context, lookup.lookups));
  await parts.open(openAccounts(context));
  await parts.open(openRequests(context, refusals));
  await parts.open(openNumbers(context));
  await parts.open(openCampaigns(context, lookup.lookups));
  const recordings = await parts.open(openRecordings(context));
  const voice = await parts.open(openVoice(context, webhooks, recordings));
  await parts.open(openAttention(context, messaging, voice));
  await parts.open(openRoutes(context, messaging, voice));
  const porting = await parts.open(openPorting(context, lookup.lookups));
  await parts.open(
    openSystem(context, {
      version,
      isReady,
      lookup,
      messaging,
      voice,
      documents: () => apiDocuments({ hasSandbox: sandbox !== undefined }),
    }),
  );
  await parts.open(openStatistics(context));
  await parts.open(openNodes(context, { version, isReady, messaging, voice, onDrain }));
  await parts.open(openLive(context));
  await parts.open(openTwilio(context, { lookup, messaging, voice }));
  if (sandbox) await parts.open(openTestkit(context, sandbox, { porting, voice }));
  return { voice };
}
