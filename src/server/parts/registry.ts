// The campaign registry: its client, the reconcile that imports campaigns, and the route for its notifications. Without
// key and secret, none of these exist.

import { mountRegistryRoute } from "../../adapters/http/routes/campaigns/registry-route.ts";
import { NotificationReceiver } from "../../adapters/registry/notification.ts";
import { RegistryClient } from "../../adapters/registry/registry-client.ts";
import { type RegistrySettings, registryCredentials } from "../../adapters/registry/registry-settings.ts";
import { campaignQueue } from "../../adapters/store/campaigns/followed-campaigns.ts";
import { CampaignImport } from "../../domain/campaigns/index.ts";
import type { Context, Part } from "../running/part.ts";
import { reconcileTask } from "../running/reconcile.ts";

/** How often due campaigns are searched for; the registry is polled far more rarely. */
const LOOK_MS = 1_000;
/** Standing, acceptance and facts are three requests; a fourth is allowed for the rest. */
const REQUESTS_PER_CLAIM = 4;

export function followRegistry(context: Context): Omit<Part, "name"> {
  const { config, outside, store, isListening, clock, log } = context;
  const { registry: settings } = outside;
  const credentials = settings && registryCredentials(settings, config.secret);
  if (!credentials) return {};
  const client = new RegistryClient({ ...settings, ...credentials }, { clock, log });
  const queue = campaignQueue(store.db, settings.upstreamCnpId);
  const campaigns = new CampaignImport({
    registry: client,
    queue,
    endpoint() {
      const url = endpointOf(settings, context);
      if (url === undefined)
        log.warn({}, "TANDEM_PUBLIC_URL is not set: the registry cannot send notifications, so its lists are polled");
      return url;
    },
    transaction: store.transaction,
    clock,
    chance: Math.random,
    log,
    everyMs: settings.pollSeconds * 1000,
    claimMs: settings.deadlineMs * REQUESTS_PER_CLAIM,
  });
  let receiver: NotificationReceiver | undefined;
  const close = () => client.close();
  const run = async () => {
    if (!isListening()) return { counts: {} };
    const { counts, failure } = await campaigns.pass();
    const isQuiet = counts.news + counts.asked === 0;
    return { counts: { ...counts }, isQuiet, ...(failure !== undefined && { failure }) };
  };
  return {
    routes: (http) =>
      mountRegistryRoute(http, {
        path: settings.webhookPath,
        take: (headers, body) => {
          const { secret } = credentials;
          receiver ??= new NotificationReceiver({ secret, endpoint: endpointOf(settings, context) ?? "" }, clock);
          return receiver.take(headers, body, async ({ campaignId, isMock }) => {
            if (campaignId !== undefined && !isMock) await queue.noteUpdate(campaignId, clock.now());
          });
        },
      }),
    workerTasks: [reconcileTask(context, { name: "import-campaigns", everyMs: LOOK_MS, run, cancel: close })],
    close,
  };
}

/** The URL for notifications; undefined where the registry could not reach us. */
function endpointOf({ baseUrl, webhookPath }: RegistrySettings, { config, apiUrl }: Context): string | undefined {
  const isOnThisMachine = /^(?:127\.|localhost$|\[::1\]$)/.test(new URL(baseUrl).hostname);
  const url = config.settings.TANDEM_PUBLIC_URL ?? (isOnThisMachine ? apiUrl() : undefined);
  return url === undefined ? undefined : `${url}${webhookPath}`;
}
