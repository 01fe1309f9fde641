// The campaign registry with everything it needs: its client, the reconcile that imports campaigns, and the door that notifications come
// through. Without key and secret there is no registry to ask.

import type { RegistryRouteDeps } from "../../adapters/http/routes/campaigns/registry-route.ts";
import { NotificationDoor } from "../../adapters/registry/notification.ts";
import { RegistryClient } from "../../adapters/registry/registry-client.ts";
import { type RegistrySettings, registryCredentials } from "../../adapters/registry/registry-settings.ts";
import { campaignQueue } from "../../adapters/store/campaigns/followed-campaigns.ts";
import type { OpenStore } from "../../adapters/store/store.ts";
import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import { CampaignImport } from "../../domain/campaigns/index.ts";
import type { Reconcile } from "../running/reconcile.ts";

export interface RegistryDeps {
  readonly settings: RegistrySettings;
  readonly secret: (name: string) => string | undefined;
  readonly store: OpenStore;
  readonly isListening: () => boolean;
  /** Where others reach our API, as far as we were told. */
  readonly publicUrl: string | undefined;
  /** Where this machine does, known when it listens; undefined when this process does not serve it. */
  readonly localUrl: () => string | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

export interface RegistryPart {
  readonly reconcile: Reconcile;
  readonly route: RegistryRouteDeps;
  close(): Promise<void>;
}

/** Campaigns that are due are looked for so often; the registry is asked far more rarely. */
const LOOK_MS = 1_000;
/** Standing, acceptance, facts, and a little time. */
const QUESTIONS_PER_CLAIM = 4;

export function openRegistry(deps: RegistryDeps): RegistryPart | undefined {
  const { settings, secret, store, isListening, clock, log } = deps;
  const credentials = registryCredentials(settings, secret);
  if (!credentials) return undefined;
  const client = new RegistryClient({ ...settings, ...credentials }, { clock, log });
  const queue = campaignQueue(store.db, settings.upstreamCnpId);
  const campaigns = new CampaignImport({
    registry: client,
    queue,
    endpoint() {
      const url = endpointOf(deps);
      if (url === undefined)
        log.warn({}, "TANDEM_PUBLIC_URL is not set: the registry cannot tell us of campaigns, its lists are read");
      return url;
    },
    transaction: store.transaction,
    clock,
    chance: Math.random,
    log,
    everyMs: settings.pollSeconds * 1000,
    claimMs: settings.deadlineMs * QUESTIONS_PER_CLAIM,
  });
  let door: NotificationDoor | undefined;
  let isClosing = false;
  return {
    reconcile: {
      name: "import-campaigns",
      everyMs: LOOK_MS,
      async run() {
        if (!isListening()) return { counts: {} };
        const { counts, failure } = await campaigns.pass();
        // A registry that is not asked any more has not failed.
        if (failure === undefined || isClosing)
          return { counts: { ...counts }, isQuiet: counts.news + counts.asked === 0 };
        return { counts: { ...counts }, failure };
      },
    },
    route: {
      path: settings.webhookPath,
      take: (headers, body) => {
        door ??= new NotificationDoor({ secret: credentials.secret, endpoint: endpointOf(deps) ?? "" }, clock);
        return door.take(headers, body, async ({ campaignId, isMock }) => {
          if (campaignId !== undefined && !isMock) await queue.noteUpdate(campaignId, clock.now());
        });
      },
    },
    async close() {
      isClosing = true;
      await client.close();
    },
  };
}

/** Where notifications go; undefined where the registry could not reach us. */
function endpointOf({ settings, publicUrl, localUrl }: RegistryDeps): string | undefined {
  const isOnThisMachine = /^(?:127\.|localhost$|\[::1\]$)/.test(new URL(settings.baseUrl).hostname);
  const url = publicUrl ?? (isOnThisMachine ? localUrl() : undefined);
  return url === undefined ? undefined : `${url}${settings.webhookPath}`;
}
