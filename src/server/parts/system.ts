// What belongs to no noun: health, metrics, API documents, pages for people, and the operator's view of reconciles.

import type { LinkHealth } from "../../adapters/http/routes/messaging/operator-links.ts";
import { operatorReconcileOperations } from "../../adapters/http/routes/operations/operator-reconciles.ts";
import { mountSystemRoutes, type SystemRouteDeps } from "../../adapters/http/routes/operations/system-routes.ts";
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
      links: linksFault(deps.messaging.links()),
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

/** A fault only when all links are down: the messages of one that is down go over the others, or wait. */
function linksFault(links: readonly LinkHealth[]): string | undefined {
  const down = links.filter(({ state }) => state === "down");
  return links.length > 0 && down.length === links.length ? "every link to a carrier is down" : undefined;
}
