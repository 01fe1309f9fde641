// What blocks a migration, and what to do about it: one rule for each blocker, in the order of the steps of a
// migration. Pure.

import { otherCaseHint } from "../campaigns/index.ts";
import { PORT_REASONS, type PortOrderNumber, type PortReason, reasonOfNumber } from "../porting/index.ts";
import { configOf, isLinked, liveCount, type MigrationFacts, type MigrationOrder } from "./migration.ts";

export interface ViewTerms {
  /** The account has the campaignMigration feature. */
  readonly mayMigrate: boolean;
  /** Our id at the registry; null where there is none. */
  readonly upstreamCnpId: string | null;
  readonly supportContact: string;
  readonly now: Date;
}

export const BLOCKER_CODES = [
  "FeatureOff",
  "NoRegistry",
  "Disputed",
  "NoConfig",
  "SeveralConfigs",
  "NotLinked",
  "Declined",
  "Cancelled",
  "Expired",
  "CampaignLeft",
  "CampaignSuspended",
  "CampaignExpired",
  "PortException",
  "PortFailed",
  "MessagingNotPorted",
  "NumbersWithoutConfig",
] as const;
export type BlockerCode = (typeof BLOCKER_CODES)[number];

export interface Blocker {
  readonly code: BlockerCode;
  readonly says: string;
  /** What to do about it, and by whom. */
  readonly who: "You" | "Support";
  readonly todo: string;
  /** The blocked numbers; empty when the whole migration is blocked. */
  readonly numbers: readonly string[];
}

type Finding = Omit<Blocker, "code" | "numbers" | "who"> & Partial<Pick<Blocker, "numbers" | "who">>;
type Rule = (facts: MigrationFacts, terms: ViewTerms) => Finding | readonly Finding[] | undefined;

const RULES: Readonly<Record<BlockerCode, Rule>> = {
  FeatureOff: ({ campaign }, { mayMigrate, supportContact }) =>
    campaign || mayMigrate
      ? undefined
      : {
          says: "Campaign migration is not switched on for your account.",
          todo: `Ask for it with POST /v1/Account/featureRequests { "feature": "campaignMigration" }: ${supportContact} switches it on, typically within 1 business day.`,
        },
  NoRegistry: ({ campaign, tcrCampaignId }, { upstreamCnpId, supportContact }) =>
    campaign || upstreamCnpId !== null
      ? undefined
      : {
          says: "This service is connected to no campaign registry: its campaigns are entered by hand.",
          who: "Support",
          todo: `Ask ${supportContact} to enter ${tcrCampaignId}.`,
        },
  Disputed: ({ isDisputed, tcrCampaignId }, { supportContact }) =>
    isDisputed
      ? {
          says: `It is not certain that ${tcrCampaignId} belongs to you.`,
          who: "Support",
          todo: `Ask ${supportContact} to assign it to your account.`,
        }
      : undefined,
  NoConfig: (facts) => {
    const { configs, tcrCampaignId, campaign, otherCase } = facts;
    if (configOf(facts) || configs.some((config) => config.tcrCampaignId === null)) return undefined;
    const [taken] = configs;
    const [slip] = otherCase;
    const hint = slip === undefined ? "" : ` ${otherCaseHint(tcrCampaignId, otherCase)}`;
    const make = campaign
      ? `Make a MessagingConfig with "tcrCampaignId": "${tcrCampaignId}": POST /v1/MessagingConfigs.`
      : `Make a MessagingConfig with ${tcrCampaignId} anywhere in its name: POST /v1/MessagingConfigs.`;
    const rename = `Write ${tcrCampaignId} in capitals in the name of ${slip}: PATCH /v1/MessagingConfigs/${slip}.`;
    return {
      says: taken
        ? `The only MessagingConfig that names ${tcrCampaignId} (${taken.sid}) is linked to ${taken.tcrCampaignId}.${hint}`
        : `No MessagingConfig of yours names ${tcrCampaignId} or is linked to it.${hint}`,
      todo: slip === undefined ? make : campaign ? linkByHand(tcrCampaignId, slip) : rename,
    };
  },
  SeveralConfigs: (facts) => {
    const { configs, tcrCampaignId, campaign } = facts;
    const unlinked = configs.filter((config) => config.tcrCampaignId === null);
    if (isLinked(facts) || unlinked.length < 2) return undefined;
    const sids = unlinked.map(({ sid }) => sid).join(", ");
    return {
      says: `Several unlinked MessagingConfigs name ${tcrCampaignId}, so none is linked by itself: ${sids}.`,
      todo: campaign
        ? linkByHand(tcrCampaignId, "the one that is meant")
        : `Take ${tcrCampaignId} out of the names of all but one: PATCH /v1/MessagingConfigs/{sid}.`,
    };
  },
  NotLinked: (facts) => {
    const { campaign, tcrCampaignId, linkOutcome } = facts;
    const config = configOf(facts);
    if (!campaign || !config || isLinked(facts)) return undefined;
    const why = linkOutcome === null ? "" : ` (${linkOutcome})`;
    return {
      says: `${tcrCampaignId} has come and is linked to no MessagingConfig${why}.`,
      todo: linkByHand(tcrCampaignId, config.sid),
    };
  },
  Declined: (facts, { upstreamCnpId }) =>
    ended(facts, "Declined", "was declined", `Put right what it says, then ${migrateAgain(facts, upstreamCnpId)}`),
  Cancelled: (facts, { upstreamCnpId }) =>
    ended(facts, "Cancelled", "was cancelled", `If it is to come, ${migrateAgain(facts, upstreamCnpId)}`),
  Expired: (facts, { upstreamCnpId }) =>
    ended(facts, "Expired", "has expired", `Cancel it in the registry, then ${migrateAgain(facts, upstreamCnpId)}`),
  CampaignLeft: ({ campaign, registry, tcrCampaignId }, { upstreamCnpId }) =>
    campaign && registry?.standing === "NotOurs"
      ? {
          says: `${tcrCampaignId} has gone to another partner: nothing may be sent under it from here.`,
          todo: `If it is to come back, choose ${upstreamCnpId} as its CNP in the registry again, or link the MessagingConfig to another campaign.`,
        }
      : undefined,
  CampaignSuspended: ({ campaign, tcrCampaignId }) =>
    campaign?.status === "Suspended"
      ? {
          says: `A mobile operator has suspended ${tcrCampaignId}: messages are refused (3015).`,
          todo: "Settle it with the operator through the campaign registry.",
        }
      : undefined,
  CampaignExpired: ({ campaign, registry, tcrCampaignId }) =>
    campaign?.status === "Expired" && registry?.standing !== "NotOurs"
      ? {
          says: `${tcrCampaignId} has expired: messages are refused (3017).`,
          todo: "Renew it in the registry, or link the MessagingConfig to another campaign.",
        }
      : undefined,
  PortException: ({ orders }) =>
    orders.flatMap((order) =>
      byReason(order, ({ status }) => status === "Exception").map(({ reason, numbers }) => {
        const fields = PORT_REASONS[reason.code].answerWith;
        const what = fields.length > 0 ? ` with ${fields.join(" or ")}` : "";
        return {
          says: `The losing carrier holds up port order ${order.sid}: ${reasonText(reason)}`,
          todo: `Answer it${what}: PATCH /v1/Phones/port-in/${order.sid}.`,
          numbers,
        };
      }),
    ),
  PortFailed: ({ orders }) =>
    lostNumbers(orders, ({ status }) => status === "Failed").map(({ order, reason, numbers }) => ({
      says: `Port order ${order.sid} failed for ${count(numbers)}: ${reasonText(reason)}`,
      todo: "Order them anew with that put right, or leave them where they are.",
      numbers,
    })),
  MessagingNotPorted: ({ orders }, { supportContact }) =>
    lostNumbers(orders, ({ status, messagingMovedOn }) => status === "PartiallyCompleted" && !messagingMovedOn).map(
      ({ reason, numbers }) => ({
        says: `Voice of ${count(numbers)} has moved, messaging was refused, so they were removed: ${reasonText(reason)}`,
        who: "Support" as const,
        todo: `Ask ${supportContact} what is to become of the voice of ${count(numbers)}, or order them anew.`,
        numbers,
      }),
    ),
  NumbersWithoutConfig: (facts) => {
    const stray = facts.numbers.filter(({ status }) => status === "PendingMessagingConfigAdd");
    const numbers = stray.map(({ number }) => number);
    const sid = configOf(facts)?.sid ?? "{sid}";
    if (numbers.length === 0) return undefined;
    const todo = `Add them to it: PATCH /v1/MessagingConfigs/${sid}/addPhones.`;
    return { says: `${count(numbers)} of the port order belong to no MessagingConfig any more.`, todo, numbers };
  },
};

export function blockersOf(facts: MigrationFacts, terms: ViewTerms): readonly Blocker[] {
  return BLOCKER_CODES.flatMap((code) =>
    [RULES[code](facts, terms) ?? []].flat().map((finding) => ({ who: "You" as const, numbers: [], ...finding, code })),
  );
}

/** Whether it blocks the whole migration: a failed port of some numbers does not block the others. */
export function isWhole({ code }: Blocker, facts: MigrationFacts): boolean {
  return (code !== "PortFailed" && code !== "MessagingNotPorted") || liveCount(facts) === 0;
}

function linkByHand(tcrCampaignId: string, config: string): string {
  return `Link it by hand: PATCH /v1/TcrCampaigns/${tcrCampaignId} with the messagingConfigSid of ${config}.`;
}

function ended(
  { campaign, registry, tcrCampaignId }: MigrationFacts,
  standing: "Declined" | "Cancelled" | "Expired",
  how: string,
  todo: string,
): Finding | undefined {
  if (campaign || registry?.standing !== standing) return undefined;
  const why = registry.reason === null ? "" : ` ${registry.reason}`;
  return { says: `The migration of ${tcrCampaignId} ${how}.${why}`, todo };
}

function migrateAgain({ tcrCampaignId }: MigrationFacts, upstreamCnpId: string | null): string {
  return `choose ${upstreamCnpId ?? "us"} as the CNP of ${tcrCampaignId} in the registry again.`;
}

interface ReasonGroup {
  readonly reason: PortReason;
  readonly numbers: readonly string[];
}

/** The orders' numbers that match and were not ordered again since, by order and reason. */
function lostNumbers(orders: readonly MigrationOrder[], matches: (number: PortOrderNumber) => boolean) {
  return orders.flatMap((order, at) => {
    const orderedAgain = new Set(orders.slice(at + 1).flatMap(({ numbers }) => numbers.map(({ number }) => number)));
    const isLost = (number: PortOrderNumber) => matches(number) && !orderedAgain.has(number.number);
    return byReason(order, isLost).map((group) => ({ order, ...group }));
  });
}

/** The order's numbers that match, grouped by reason. */
function byReason(order: MigrationOrder, matches: (number: PortOrderNumber) => boolean): readonly ReasonGroup[] {
  const groups = new Map<string, { reason: PortReason; numbers: string[] }>();
  for (const number of order.numbers.filter(matches)) {
    const reason = reasonOfNumber(number) ?? { code: "OTHER", detail: null };
    const key = JSON.stringify(reason);
    const group = groups.get(key) ?? { reason, numbers: [] };
    group.numbers.push(number.number);
    groups.set(key, group);
  }
  return [...groups.values()];
}

function reasonText({ code, detail }: PortReason): string {
  const { says } = PORT_REASONS[code];
  return detail === null ? says : `${says} (${detail})`;
}

const count = (numbers: readonly string[]) => countOf(numbers.length);

export function countOf(many: number): string {
  return many === 1 ? "1 number" : `${many} numbers`;
}
