// The campaign registry with everything it needs: the client in the words of the domain, the reconcile that imports campaigns, and the
// door that notifications come through. Without key and secret there is no registry to ask.

import type { RegistryRouteDeps } from "../../adapters/http/routes/campaigns/registry-route.ts";
import type {
  RegistryAnswer,
  RegistryCampaign,
  RegistryFailure,
  Standing,
} from "../../adapters/registry/campaign-registry.ts";
import { NotificationDoor } from "../../adapters/registry/notification.ts";
import { RegistryClient } from "../../adapters/registry/registry-client.ts";
import { type RegistrySettings, registryCredentials } from "../../adapters/registry/registry-settings.ts";
import { campaignQueue } from "../../adapters/store/campaigns/followed-campaigns.ts";
import type { OpenStore } from "../../adapters/store/store.ts";
import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import {
  type CampaignFacts,
  CampaignImport,
  type CampaignRegistry,
  type RegistryFault,
  type StandingUpdate,
} from "../../domain/campaigns/index.ts";
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
const PREPARE_MS = 3_600_000;
/** Standing, acceptance, facts, and a little time. */
const QUESTIONS_PER_CLAIM = 4;

export function openRegistry(deps: RegistryDeps): RegistryPart | undefined {
  const { settings, secret, store, isListening, clock, log } = deps;
  const credentials = registryCredentials(settings, secret);
  if (!credentials) return undefined;
  const client = new RegistryClient({ ...settings, ...credentials }, { clock, log });
  const queue = campaignQueue(store.db, settings.upstreamCnpId);
  const campaigns = new CampaignImport({
    registry: inDomainWords(client),
    queue,
    transaction: store.transaction,
    clock,
    chance: Math.random,
    log,
    everyMs: settings.pollSeconds * 1000,
    claimMs: settings.deadlineMs * QUESTIONS_PER_CLAIM,
  });
  const endpoint = () => endpointOf(deps);
  const prepare = preparation(client, endpoint, { clock, log });
  let door: NotificationDoor | undefined;
  let isClosing = false;
  return {
    reconcile: {
      name: "import-campaigns",
      everyMs: LOOK_MS,
      async run() {
        if (!isListening()) return { counts: {} };
        const unprepared = await prepare();
        if (unprepared !== undefined) return isClosing ? { counts: {} } : { counts: {}, failure: unprepared };
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
        door ??= new NotificationDoor({ secret: credentials.secret, endpoint: endpoint() ?? "" }, clock);
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

/**
 * What the registry must know of us, looked after once in an hour: that campaigns may be migrated to us, and where to tell us of them.
 * Answers why not, when it cannot be asked; what it will not have costs only time, for its lists are read as well.
 */
function preparation(
  client: RegistryClient,
  endpoint: () => string | undefined,
  { clock, log }: Pick<RegistryDeps, "clock" | "log">,
): () => Promise<string | undefined> {
  let nextMs = 0;
  return async () => {
    if (clock.now().getTime() < nextMs) return undefined;
    const url = endpoint();
    if (url === undefined)
      log.warn({}, "TANDEM_PUBLIC_URL is not set: the registry cannot tell us of campaigns, its lists are read");
    const steps = [
      () => client.ensureMigrationSupported(),
      ...(url === undefined ? [] : [() => client.ensureSubscription(url)]),
    ];
    for (const step of steps) {
      const answer = await step();
      if (answer.ok) continue;
      const fault = faultOf(answer.refusal);
      if (fault.isWide) return fault.reason;
      log.warn({ reason: fault.reason, endpoint: url }, "registry would not have our settings");
    }
    nextMs = clock.now().getTime() + PREPARE_MS;
    return undefined;
  };
}

function inDomainWords(client: RegistryClient): CampaignRegistry {
  return {
    async list(sharedSince, place) {
      const page = await client.campaignsForUs({
        ...(sharedSince && { sharedSince }),
        ...(place !== undefined && { position: place as { view: number; page: number } }),
      });
      return translated(page, ({ items, next }) => ({
        items: items.map(({ tcrCampaignId, tcrBrandId, name, chain, sharing, status }) => ({
          tcrCampaignId,
          shownAs: `${chain} ${sharing} ${status}`,
          facts: { tcrBrandId, name, status, throughput: [] },
        })),
        next,
      }));
    },
    standing: async (tcrCampaignId) => translated(await client.standing(tcrCampaignId), newsOf),
    accept: async (tcrCampaignId) => translated(await client.accept(tcrCampaignId), newsOf),
    facts: async (tcrCampaignId) => translated(await client.campaign(tcrCampaignId), factsOf),
  };
}

function translated<Value, Word>(
  answer: RegistryAnswer<Value>,
  say: (value: Value) => Word,
): Result<Word, RegistryFault> {
  return answer.ok ? ok(say(answer.value)) : refused(faultOf(answer.refusal));
}

function faultOf(failure: RegistryFailure): RegistryFault {
  switch (failure.kind) {
    case "refused": {
      const said = failure.errors.map(({ code, description }) => `${code} ${description}`).join(", ");
      return { reason: `refused: ${said || failure.reason}`, isWide: false };
    }
    case "unauthorized":
      return { reason: `our key or secret is wrong: ${failure.detail}`, isWide: true };
    case "unavailable":
      return { reason: `${failure.why}: ${failure.detail}`, isWide: failure.why !== "unreadable" };
  }
}

function newsOf(standing: Standing): StandingUpdate {
  switch (standing.kind) {
    case "notOurs":
      return { standing: "NotOurs", reason: null };
    case "awaitingUs":
      return { standing: "AwaitingUs", reason: null };
    case "awaitingUpstream":
      return { standing: "AwaitingUpstream", reason: null };
    case "ours":
      return { standing: "Ours", reason: null };
    case "declined": {
      const { categories, explanation } = standing.decline;
      const who = standing.by === "us" ? "It was declined here" : "The partner above us declined it";
      return { standing: "Declined", reason: `${who} (${categories.join(", ")}): ${explanation}` };
    }
    case "cancelled":
      return { standing: "Cancelled", reason: standing.reason || "Its owner gave no reason." };
    case "expired":
      return { standing: "Expired", reason: `It was not settled before ${standing.expiredOn.toISOString()}.` };
  }
}

function factsOf({ tcrBrandId, name, status, operators }: RegistryCampaign): CampaignFacts {
  const throughput = operators.map(({ operator, messageClass, smsPerMinute, mmsPerMinute, brandTier }) => ({
    operator,
    messageClass: messageClass ?? null,
    smsPerMinute: smsPerMinute ?? null,
    mmsPerMinute: mmsPerMinute ?? null,
    brandTier: brandTier ?? null,
  }));
  return { tcrBrandId, name, status, throughput };
}
