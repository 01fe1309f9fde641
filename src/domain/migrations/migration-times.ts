// How long the steps of a migration usually take, and how long they took or have taken so far. A late step is only
// marked as late. Pure.

import { type MigrationFacts, type MigrationNumber, openOrders } from "./migration.ts";

export const MIGRATION_STEPS = ["PortIn", "Acceptance", "Activation", "OutboundOutage"] as const;
export type MigrationStep = (typeof MIGRATION_STEPS)[number];

const MINUTE = 60;
const DAY = 24 * 3600;

/** In seconds, as the specification states them: "1-2 days", "a few minutes", "5-10 minutes". */
export const EXPECTED_SECONDS: Readonly<Record<MigrationStep, { readonly from: number; readonly to: number }>> = {
  PortIn: { from: DAY, to: 2 * DAY },
  Acceptance: { from: 0, to: 5 * MINUTE },
  Activation: { from: 5 * MINUTE, to: 10 * MINUTE },
  OutboundOutage: { from: 5 * MINUTE, to: 10 * MINUTE },
};

export interface StepTime {
  readonly step: MigrationStep;
  readonly startedOn: Date;
  /** Null while it lasts. */
  readonly endedOn: Date | null;
  /** So far, while it lasts. */
  readonly seconds: number;
  readonly isLate: boolean;
}

/** The steps that have begun and whose times are still known. */
export function stepTimes(facts: MigrationFacts, now: Date): readonly StepTime[] {
  return MIGRATION_STEPS.flatMap((step) => {
    const span = SPANS[step](facts);
    if (!span) return [];
    const { startedOn, endedOn } = span;
    const seconds = Math.max(0, Math.round(((endedOn ?? now).getTime() - startedOn.getTime()) / 1000));
    return [{ step, startedOn, endedOn, seconds, isLate: seconds > EXPECTED_SECONDS[step].to }];
  });
}

interface Span {
  readonly startedOn: Date;
  readonly endedOn: Date | null;
}

const SPANS: Readonly<Record<MigrationStep, (facts: MigrationFacts) => Span | undefined>> = {
  PortIn(facts) {
    const startedOn = first(facts.orders.map(({ createdOn }) => createdOn));
    if (!startedOn) return undefined;
    const moved = facts.orders.flatMap(({ numbers }) =>
      numbers.flatMap(({ messagingMovedOn }) => messagingMovedOn ?? []),
    );
    const endedOn = openOrders(facts).length > 0 ? null : last(moved);
    // An order without a ported number has no time.
    return endedOn === undefined ? undefined : { startedOn, endedOn };
  },
  Acceptance({ registry, campaign }) {
    if (campaign) return registry ? { startedOn: registry.seenOn, endedOn: campaign.importedOn } : undefined;
    const isUnderWay = registry && ["AwaitingUs", "AwaitingUpstream", "Ours"].includes(registry.standing);
    return isUnderWay ? { startedOn: registry.seenOn, endedOn: null } : undefined;
  },
  Activation({ campaign, linkOutcome, numbers }) {
    // The time of a manual link is not stored.
    if (!campaign || linkOutcome !== "Linked") return undefined;
    const came = first(numbers.flatMap(arrivedOn));
    if (!came) return undefined;
    const startedOn = came > campaign.importedOn ? came : campaign.importedOn;
    const endedOn = activeSince(numbers);
    return endedOn === undefined ? undefined : { startedOn, endedOn };
  },
  OutboundOutage({ numbers }) {
    const ported = numbers.filter(({ portOrderSid, status }) => portOrderSid !== null && status !== "Removed");
    const startedOn = first(ported.flatMap(arrivedOn));
    const endedOn = startedOn && activeSince(ported.filter((number) => arrivedOn(number).length > 0));
    return startedOn && endedOn !== undefined ? { startedOn, endedOn } : undefined;
  },
};

/** When the number first began to wait for its campaign. */
function arrivedOn({ timeline }: MigrationNumber): readonly Date[] {
  const entry = timeline.find(({ status }) => status === "PendingTcrCampaignAdd");
  return entry ? [entry.at] : [];
}

/** When the last number first became Active; null while one has not, undefined when the times are not known. */
function activeSince(numbers: readonly MigrationNumber[]): Date | null | undefined {
  const waiting = numbers.filter((number) => arrivedOn(number).length > 0);
  const active = waiting.map(({ timeline }) => timeline.find(({ status }) => status === "Active")?.at);
  if (active.some((at) => at === undefined)) return null;
  return last(active.filter((at) => at !== undefined));
}

function first(dates: readonly Date[]): Date | undefined {
  return [...dates].sort((left, right) => left.getTime() - right.getTime())[0];
}

function last(dates: readonly Date[]): Date | undefined {
  return [...dates].sort((left, right) => right.getTime() - left.getTime())[0];
}
