// What belongs to no single resource: health, metrics, API documents, pages for people, and the operator's view of
// reconciles.

import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { portalFiles } from "../../adapters/http/pages/portal-files.ts";
import { startPage } from "../../adapters/http/pages/start-page.ts";
import { operatorReconcileOperations } from "../../adapters/http/routes/operations/operator-reconciles.ts";
import { mountSystemRoutes, type SystemRouteDeps } from "../../adapters/http/routes/operations/system-routes.ts";
import type { SecretKey } from "../../adapters/secrets.ts";
import { KEYS_CHANGED, notify } from "../../adapters/store/engine/channels.ts";
import { countUnderOthers } from "../../adapters/store/sealed-values.ts";
import { forgetRetiredKeys } from "../../adapters/store/secret-keys.ts";
import { runningWorkers } from "../../adapters/store/webhooks/worker-lease.ts";
import { clockTask } from "../running/clock-watch.ts";
import { type Api, type Context, type Part, servedApi } from "../running/part.ts";
import type { LookupPart } from "./lookup.ts";
import type { MessagingPart } from "./messaging.ts";
import type { VoicePart } from "./voice.ts";

/** In the program's folder. */
const BUILT_PORTAL = fileURLToPath(new URL("./portal", import.meta.url));
const BUILT_SITE = fileURLToPath(new URL("./site", import.meta.url));
const BUILT_REDOC = fileURLToPath(new URL("./docs/redoc.standalone.js", import.meta.url));

const KEY_FILE_MS = 2_000;
const SWEEP_MS = 3_600_000;
const ASSETS_MS = 60_000;

export const systemApi: Api<unknown> = { operator: operatorReconcileOperations };

export interface SystemDeps extends Pick<SystemRouteDeps, "documents" | "version"> {
  readonly isReady: () => boolean;
  readonly lookup: LookupPart;
  readonly messaging: MessagingPart;
  readonly voice: VoicePart;
}

export function openSystem(context: Context, deps: SystemDeps): Part {
  const { config, store, keys, clock, metrics, publicUrl } = context;
  const { settings, sandbox } = config;
  metrics.readReconcilesBy(async () => {
    const runs = await store.reconciles.list();
    const nowMs = clock.now().getTime();
    return runs.map(({ name, finishedOn, outcome }) => ({ name, ageMs: nowMs - finishedOn.getTime(), outcome }));
  });
  const hasValues = async () =>
    [...(await countUnderOthers(store.db, keys.box.all[0] as SecretKey)).values()].some((count) => count > 0);
  const routes: SystemRouteDeps = {
    version: deps.version,
    check: async () => ({
      server: deps.isReady() ? undefined : "starting or stopping",
      store: await store.health.fault(),
    }),
    // A carrier's fault must not make the load balancer remove this server: lookup and everything else still work.
    state: async (hasStore) => ({
      sending: deps.messaging.sendingState(),
      queue: queueState(deps.messaging),
      notifications: store.isCurrent() ? "heard" : "silent",
      links: Object.fromEntries(deps.messaging.links().map(({ name, state }) => [name, state])),
      trunks: Object.fromEntries(
        deps.voice.trunks().trunks.map(({ name, isUp, reason }) => [name, isUp ? "up" : reason]),
      ),
      sipSources: Object.fromEntries(deps.voice.sources().map(({ address, isUp }) => [address, isUp ? "up" : "gone"])),
      calls: deps.voice.activeCalls(),
      workers: { running: hasStore ? await runningWorkers(store.health).catch(() => null) : null },
      clock: clock.fault ?? "ok",
      secretKey: hasStore ? await keys.state(store.health) : null,
    }),
    metrics: () => metrics.text(),
    metricsHost: settings.TANDEM_METRICS_HOST,
    documents: deps.documents,
    docsScript: BUILT_REDOC,
    docsSite: BUILT_SITE,
  };
  const unbuiltPage = () =>
    startPage({
      version: deps.version,
      publicUrl: publicUrl(),
      sandbox,
      dataDir: settings.TANDEM_DATA_DIR,
      tableAsOf: deps.lookup.tableAsOf,
      providers: deps.lookup.providerNames,
    });
  const assetsFolder = join(config.dataDir, "portal");
  const portal = portalFiles({ directory: BUILT_PORTAL, assetsFolder, unbuiltPage });
  return {
    name: "system",
    operations: servedApi(systemApi, undefined),
    tasks: [
      clockTask(context),
      {
        name: "watch the key file",
        everyMs: KEY_FILE_MS,
        ignoresClock: true,
        run: () => keys.watchFile(() => notify(store.db, KEYS_CHANGED)),
      },
      { name: "keep the portal's assets", everyMs: ASSETS_MS, run: () => portal.keepAssets(clock.now()) },
      { name: "forget retired keys", everyMs: SWEEP_MS, run: () => forgetRetiredKeys(store.db, hasValues) },
    ],
    commonRoutes: (http) => mountSystemRoutes(http, routes),
    routes: portal.mount,
  };
}

function queueState({ queue }: MessagingPart): object | null {
  const state = queue();
  return state ? { due: state.due, oldestSeconds: Math.round(state.oldestMs / 1000) } : null;
}
