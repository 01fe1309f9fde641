// The view of a migration, made from its facts: its status, the preflight checks, the blockers, and the next steps.
// Pure: the same facts at the same time give the same view.

import { needsCampaign } from "../numbers/index.ts";
import type { Portability } from "../porting/index.ts";
import {
  configOf,
  isDryRun,
  isLinked,
  liveCount,
  type MigrationConfig,
  type MigrationFacts,
  openOrders,
} from "./migration.ts";
import { type Blocker, blockersOf, countOf, isWhole, type ViewTerms } from "./migration-blockers.ts";

/**
 * Planned: nothing was started yet. Blocked: it cannot continue without an action. PartiallyCompleted: some numbers
 * could not be ported; all others are Active.
 */
export const MIGRATION_STATUSES = ["Planned", "UnderWay", "Blocked", "Completed", "PartiallyCompleted"] as const;
export type MigrationStatus = (typeof MIGRATION_STATUSES)[number];

export const MIGRATION_ACTORS = ["You", "Support", "Us", "Registry", "LosingCarrier"] as const;

export interface NextStep {
  /** Who has to act. */
  readonly who: (typeof MIGRATION_ACTORS)[number];
  readonly says: string;
}

export interface MigrationView {
  readonly status: MigrationStatus;
  readonly isDryRun: boolean;
  readonly config: MigrationConfig | undefined;
  readonly blockers: readonly Blocker[];
  /** Steps that can run at the same time; empty when the migration is complete. */
  readonly nextSteps: readonly NextStep[];
}

export function viewMigration(facts: MigrationFacts, terms: ViewTerms): MigrationView {
  const blockers = blockersOf(facts, terms);
  return {
    status: statusOf(facts, blockers),
    isDryRun: isDryRun(facts),
    config: configOf(facts),
    blockers,
    nextSteps: nextStepsOf(facts, blockers, terms),
  };
}

function statusOf(facts: MigrationFacts, blockers: readonly Blocker[]): MigrationStatus {
  if (isDryRun(facts)) return "Planned";
  if (blockers.some((blocker) => isWhole(blocker, facts))) return "Blocked";
  if (!isDone(facts)) return "UnderWay";
  return blockers.length > 0 ? "PartiallyCompleted" : "Completed";
}

function isDone(facts: MigrationFacts): boolean {
  const live = liveCount(facts);
  return isLinked(facts) && live > 0 && facts.counts.Active === live && openOrders(facts).length === 0;
}

function nextStepsOf(facts: MigrationFacts, blockers: readonly Blocker[], terms: ViewTerms): readonly NextStep[] {
  const todo = blockers.map(({ who, todo: says }) => ({ who, says }));
  const steps = [...todo, ...numberSteps(facts, blockers), ...registrySteps(facts, blockers, terms)];
  return steps.filter(({ says }, at) => steps.findIndex((step) => step.says === says) === at);
}

function numberSteps(facts: MigrationFacts, blockers: readonly Blocker[]): readonly NextStep[] {
  const config = configOf(facts);
  const isEmpty = liveCount(facts) === 0 && openOrders(facts).length === 0;
  if (config && isEmpty && !blockers.some(({ code }) => code === "PortFailed" || code === "MessagingNotPorted")) {
    const says = `Order the numbers with a letter of authorization: POST /v1/Phones/port-in with messagingConfigSid ${config.sid}.`;
    return [{ who: "You", says }];
  }
  const ports = openOrders(facts).flatMap(({ sid, status, numbers }): readonly NextStep[] => {
    if (status === "Exception") return [];
    const focMs = numbers.flatMap(({ phase }) => (phase.kind === "foc" ? [phase.on.getTime()] : []));
    const says =
      focMs.length > 0
        ? `The losing carrier lets the numbers of port order ${sid} go on ${day(new Date(Math.max(...focMs)))}. Inbound messages come here from then on.`
        : `The losing carrier confirms a date for port order ${sid}; a port takes 1-2 days as a rule, and may take longer.`;
    return [{ who: "LosingCarrier", says }];
  });
  const waiting = facts.counts.PendingTcrCampaignAdd + facts.counts.PendingTcrCampaignChange;
  if (waiting === 0 || !isLinked(facts)) return ports;
  const says = `${countOf(waiting)} ${waiting === 1 ? "is" : "are"} being added to ${facts.tcrCampaignId}, typically within 5-10 minutes. Messages go out from then on.`;
  return [...ports, { who: "Us", says }];
}

function registrySteps(
  { campaign, registry, tcrCampaignId, isDisputed }: MigrationFacts,
  blockers: readonly Blocker[],
  { upstreamCnpId }: ViewTerms,
): readonly NextStep[] {
  if (campaign || isDisputed || blockers.some(({ code }) => code === "FeatureOff" || code === "NoRegistry")) return [];
  switch (registry?.standing) {
    case undefined:
    case "Unknown":
    case "NotOurs": {
      const says = `In the campaign registry choose ${upstreamCnpId} as the new CNP of ${tcrCampaignId}, in its portal or with migrateCnp.`;
      return [{ who: "You", says }];
    }
    case "AwaitingUs":
      return [{ who: "Us", says: `${tcrCampaignId} was shared with us and is being accepted.` }];
    case "AwaitingUpstream": {
      const says = `We have accepted ${tcrCampaignId}; the partner above us accepts it typically within a few minutes.`;
      return [{ who: "Registry", says }];
    }
    case "Ours":
      return [{ who: "Us", says: `${tcrCampaignId} is ours and is being imported.` }];
    case "Declined":
    case "Cancelled":
    case "Expired":
      return [];
  }
}

function day(date: Date): string {
  return `${date.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

export const PREFLIGHT_CHECKS = ["Feature", "Registry", "Owner", "Config", "Number"] as const;

export interface PreflightFinding {
  readonly check: (typeof PREFLIGHT_CHECKS)[number];
  readonly number: string | null;
  readonly passed: boolean;
  readonly says: string;
}

/** A number that the account may want to port in. */
export interface ProposedNumber {
  readonly number: string;
  /** Found without asking the carrier; a text when this is not a number. */
  readonly portability: Portability | string;
}

/** Checks that can be made before anything is started. */
export function preflight(
  facts: MigrationFacts,
  proposed: readonly ProposedNumber[],
  terms: ViewTerms,
): readonly PreflightFinding[] {
  const blockers = blockersOf(facts, terms);
  const { tcrCampaignId } = facts;
  const config = configOf(facts);
  const finding = (check: PreflightFinding["check"], codes: readonly Blocker["code"][], good: string) => {
    const fault = blockers.find(({ code }) => codes.includes(code));
    return { check, number: null, passed: !fault, says: fault?.says ?? good };
  };
  const link = isLinked(facts) ? "is linked to it" : "names it and will be linked by itself when it comes";
  return [
    finding("Feature", ["FeatureOff"], "Campaign migration is switched on for your account."),
    finding("Registry", ["NoRegistry"], registryText(terms)),
    finding("Owner", ["Disputed"], `Nobody else wants ${tcrCampaignId}.`),
    finding("Config", ["NoConfig", "SeveralConfigs", "NotLinked"], `MessagingConfig ${config?.sid} ${link}.`),
    ...proposed.map((one) => numberFinding(facts, one)),
  ];
}

function registryText({ upstreamCnpId }: ViewTerms): string {
  if (upstreamCnpId === null) return "The campaign was entered by hand: no campaign registry is connected.";
  return `Our id at the campaign registry is ${upstreamCnpId}.`;
}

function numberFinding({ numbers }: MigrationFacts, { number, portability }: ProposedNumber): PreflightFinding {
  const finding = (passed: boolean, says: string) => ({ check: "Number" as const, number, passed, says });
  if (typeof portability === "string") return finding(false, portability);
  const here = numbers.find((known) => known.number === number && known.status !== "Removed");
  if (here) return finding(true, `It is part of this migration already: ${here.status}.`);
  const { portable, reason, type, carrierName } = portability;
  if (!portable) return finding(false, reason ?? "It cannot be ported in.");
  const from = `${type === "Unknown" ? "A line of unknown type" : type}${carrierName === null ? "" : ` of ${carrierName}`}`;
  const campaign = needsCampaign(number) ? "" : " It is not a 10DLC number: it needs no campaign.";
  return finding(true, `${from}; it looks portable.${campaign}`);
}
