// The five steps of a move and the four of each number, derived from the migration. Pure.

import type { Migration, MigrationNumber, MigrationStepTime, MigrationSummary, PortOrder } from "@tandem/sdk";
import { duration } from "../../components/zone.ts";

/** `stop`: waits for an action; `part`: some of it is done. */
export type StepState = "done" | "stop" | "part" | "open";

export interface Step {
  readonly name: string;
  readonly state: StepState;
  readonly says: string;
  /** When it was done: ISO 8601. */
  readonly at?: string | undefined;
  /** How long it takes, or took. */
  readonly time?: string | undefined;
}

export const PARTIES: Record<MigrationSummary["nextSteps"][number]["who"], string> = {
  You: "you",
  Support: "support",
  Us: "us",
  Registry: "the registry",
  LosingCarrier: "the losing carrier",
};

/** "you", "the losing carrier": the parties that can act next. */
export function waitingFor({ nextSteps }: MigrationSummary): readonly string[] {
  return [...new Set(nextSteps.map(({ who }) => PARTIES[who]))];
}

const isBlocked = (migration: Migration, ...codes: readonly string[]) =>
  migration.blockers.some(({ code }) => codes.includes(code));

export const isMoved = (number: MigrationNumber) => number.portOrderSid === null || number.messagingMovedOn !== null;
export const isHeld = (number: MigrationNumber) => number.portStatus === "Exception";
/** Still to be moved, or here. */
const isWanted = (number: MigrationNumber) => number.status !== "Removed";

export function stepsOf(migration: Migration): readonly Step[] {
  return [
    configStep(migration),
    portStep(migration),
    registryStep(migration),
    linkStep(migration),
    lastStep(migration),
  ];
}

function configStep(migration: Migration): Step {
  const config = configOf(migration);
  if (isBlocked(migration, "NoConfig", "SeveralConfigs")) {
    const says = migration.messagingConfigs.length > 1 ? "Several name it" : "None names it";
    return { name: "Config", state: "stop", says };
  }
  return { name: "Config", state: config ? "done" : "open", says: config?.name ?? "None yet" };
}

/** The config that the campaign sends with, or will. */
export function configOf({ messagingConfigs, messagingConfigSid }: Migration) {
  return messagingConfigs.find(({ sid }) => sid === messagingConfigSid);
}

function portStep(migration: Migration): Step {
  const ported = migration.numbers.filter(({ portOrderSid }) => portOrderSid !== null);
  const moved = ported.filter(isMoved).length;
  const held = ported.filter(isHeld).length;
  const time = timeOf(migration, "PortIn");
  if (ported.length === 0) {
    const isHere = migration.numbers.length > 0;
    return {
      name: "Port-in",
      state: isHere ? "done" : "open",
      says: isHere ? "None was needed" : "Nothing ordered yet",
    };
  }
  const says = [`${moved} of ${ported.length} moved`, held > 0 && `${held} held`].filter(Boolean).join(", ");
  const isStopped = isBlocked(migration, "PortException", "PortFailed", "MessagingNotPorted");
  const state = isStopped ? "stop" : moved === ported.length ? "done" : moved > 0 ? "part" : "open";
  return { name: "Port-in", state, says, time };
}

const STANDINGS: Record<NonNullable<Migration["registry"]>["standing"], string> = {
  Unknown: "Not known there",
  NotOurs: "With another partner",
  AwaitingUs: "You chose us, we accept",
  AwaitingUpstream: "Ours, being confirmed",
  Ours: "Ours",
  Declined: "Declined",
  Cancelled: "Cancelled",
  Expired: "Expired",
};

function registryStep(migration: Migration): Step {
  const { registry, campaign, upstreamCnpId } = migration;
  const name = "Registry";
  if (isBlocked(migration, "Declined", "Cancelled", "Expired", "CampaignLeft", "Disputed", "NoRegistry")) {
    return { name, state: "stop", says: registry ? STANDINGS[registry.standing] : "Not ours yet", at: registry?.since };
  }
  if (registry?.standing === "Ours") {
    const taken = migration.times.find(({ step }) => step === "Acceptance");
    const says = taken?.endedOn ? `Ours, accepted in ${duration(taken.seconds * 1000)}` : "Ours";
    return { name, state: "done", says, at: registry.since };
  }
  if (campaign) return { name, state: "done", says: "Entered by hand", at: campaign.importedOn };
  const wanted = upstreamCnpId === null ? "Not ours yet" : `Choose ${upstreamCnpId} there`;
  const isUnder = registry?.standing === "AwaitingUs" || registry?.standing === "AwaitingUpstream";
  return { name, state: isUnder ? "part" : "open", says: registry && isUnder ? STANDINGS[registry.standing] : wanted };
}

function linkStep(migration: Migration): Step {
  const { linked, linkOutcome, campaign } = migration;
  if (linked) {
    const says = linkOutcome === "Linked" ? "By itself: one config names it" : "By hand";
    return { name: "Link", state: "done", says, at: campaign?.importedOn };
  }
  if (isBlocked(migration, "NotLinked", "SeveralConfigs") && campaign) {
    const says = linkOutcome === "SeveralMatches" ? "Several configs name it" : "No config names it";
    return { name: "Link", state: "stop", says };
  }
  return { name: "Link", state: "open", says: "By itself, when it has come" };
}

function lastStep(migration: Migration): Step {
  const wanted = migration.numbers.filter(isWanted);
  const active = wanted.filter(({ status }) => status === "Active").length;
  const isDone = wanted.length > 0 && active === wanted.length;
  const says = wanted.length === 0 ? "No numbers yet" : `${active} of ${wanted.length} can send`;
  const stop = isBlocked(migration, "CampaignSuspended", "CampaignExpired", "NumbersWithoutConfig");
  const state = stop ? "stop" : isDone ? "done" : active > 0 ? "part" : "open";
  return { name: "Active", state, says, time: timeOf(migration, "Activation") };
}

const DAY_S = 86_400;

/** "took 3 min", or "as a rule 1 to 2 days". */
export function timeOf(migration: Migration, step: MigrationStepTime["step"]): string | undefined {
  const time = migration.times.find((each) => each.step === step);
  if (!time) return undefined;
  if (time.endedOn !== null) return `took ${duration(time.seconds * 1000)}`;
  const { from, to } = time.expectedSeconds;
  const usual =
    to >= DAY_S
      ? `${Math.round(from / DAY_S)} to ${Math.round(to / DAY_S)} days`
      : `${Math.round(from / 60)} to ${Math.round(to / 60)} min`;
  return time.late ? `late: as a rule ${usual}` : `as a rule ${usual}`;
}

/** One of the four steps of a number: done, held, or not yet. */
export interface NumberStep {
  readonly name: string;
  readonly state: "done" | "held" | "open";
}

type OrderedNumber = PortOrder["numbers"][number];

export function numberSteps(number: MigrationNumber, ordered: OrderedNumber | undefined): readonly NumberStep[] {
  const isMessagingHere = isMoved(number);
  const isAgreed =
    isMessagingHere || Boolean(ordered?.focOn) || /Foc|Activating|Completed/.test(number.portStatus ?? "");
  const isVoiceHere = number.portOrderSid === null || Boolean(ordered?.voiceMovedOn);
  const state = (isDone: boolean) => (isDone ? ("done" as const) : ("open" as const));
  return [
    { name: "Port agreed", state: isHeld(number) ? "held" : state(isAgreed) },
    { name: "Messaging moved", state: state(isMessagingHere) },
    { name: "Voice moved", state: state(isVoiceHere) },
    { name: "In campaign", state: state(number.status === "Active") },
  ];
}

export function orderedNumber(orders: readonly PortOrder[], number: MigrationNumber): OrderedNumber | undefined {
  const order = orders.find(({ sid }) => sid === number.portOrderSid);
  return order?.numbers.find((each) => each.number === number.number);
}
