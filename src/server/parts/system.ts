// What belongs to no noun: health, metrics, API documents, pages for people, and the operator's view of reconciles.

import { operatorReconcileOperations } from "../../adapters/http/routes/operations/operator-reconciles.ts";
import { mountSystemRoutes, type SystemRouteDeps } from "../../adapters/http/routes/operations/system-routes.ts";
import { runningWorkers } from "../../adapters/store/webhooks/worker-lease.ts";
import { type Api, type Context, type Part, servedApi } from "../running/part.ts";
import type { LookupPart } from "./lookup.ts";
import type { MessagingPart } from "./messaging.ts";

export const systemApi: Api<unknown> = { operator: operatorReconcileOperations() };

export interface SystemDeps extends Pick<SystemRouteDeps, "documents"> {
  readonly version: string;
  readonly isReady: () => boolean;
  readonly lookup: LookupPart;
  readonly messaging: MessagingPart;
}

export function openSystem({ config, store, metrics, publicUrl }: Context, deps: SystemDeps): Part {
  const { settings, sandbox } = config;
  const routes: SystemRouteDeps = {
    check: async () => ({
      server: deps.isReady() ? undefined : "starting or stopping",
      store: (await store.db.isReachable()) ? undefined : "out of reach",
    }),
    // A carrier's fault is none of the balancer's business: lookup and all the rest work on.
    state: async () => ({
      links: Object.fromEntries(deps.messaging.links().map(({ name, state }) => [name, state])),
      workers: { running: await runningWorkers(store.db).catch(() => null) },
    }),
    metrics: () => metrics.text(),
    metricsHost: settings.TANDEM_METRICS_HOST,
    documents: deps.documents,
    facts: () => ({
      version: deps.version,
      publicUrl: publicUrl(),
      sandbox,
      dataDir: settings.TANDEM_DATA_DIR,
      tableAsOf: deps.lookup.tableAsOf,
      providers: deps.lookup.providerNames,
    }),
  };
  return {
    name: "system",
    operations: servedApi(systemApi, undefined),
    commonRoutes: (app) => mountSystemRoutes(app, routes),
  };
}
