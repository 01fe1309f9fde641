// A migration as text: the findings, the progress, the blockers and the next steps; and the changes between two
// states.

import {
  type Migration,
  type MigrationPreflightFinding,
  type MigrationStepTime,
  PHONE_STATUSES,
  type PhoneStatus,
} from "../../../../sdk/src/index.ts";
import { tableOf } from "../../../base/table.ts";
import { formatTable, printable } from "../../table.ts";

const STEP_NAMES: Readonly<Record<MigrationStepTime["step"], string>> = {
  PortIn: "Port-in",
  Acceptance: "Acceptance by the registry",
  Activation: "Activation of the numbers",
  OutboundOutage: "Outbound messages paused",
};

export function migrationText(migration: Migration, isTerminal: boolean): string {
  const { preflight, numbers, portOrders, times, blockers, nextSteps } = migration;
  const sections = [
    [`${migration.tcrCampaignId}: ${migration.status}${migration.dryRun ? " (nothing was submitted yet)" : ""}`],
    preflight.map(findingLine),
    [registryLine(migration), configLine(migration)],
    portOrders.map(
      ({ sid, status, numberCount, reason }) =>
        `Port order ${sid}: ${status}, ${numberCount} numbers${reason === null ? "" : `. ${reason}`}`,
    ),
    numbers.length === 0 ? [] : [numberTable(migration, isTerminal)],
    times.map(timeLine),
    blockers.map(({ says, numbers: about }) => `✗ ${says}${about.length === 0 ? "" : ` [${listed(about)}]`}`),
    nextSteps.map(({ who, says }) => `→ ${who === "You" ? "" : `(${WAITED_FOR.get(who) ?? who}) `}${says}`),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

export function findingLine({ check, number, passed, says }: MigrationPreflightFinding): string {
  return `${passed ? "✓" : "✗"} ${number ?? check.toLowerCase()}: ${says}`;
}

function registryLine({ registry, upstreamCnpId }: Migration): string {
  if (!registry) return `Registry: not seen yet; our id there is ${upstreamCnpId ?? "none"}`;
  return `Registry: ${registry.standing} since ${registry.since}${registry.reason === null ? "" : `. ${printable(registry.reason)}`}`;
}

function configLine({ messagingConfigSid, linked, linkOutcome }: Migration): string {
  if (messagingConfigSid === null) return `Config: none${linkOutcome === null ? "" : ` (${linkOutcome})`}`;
  return `Config: ${messagingConfigSid}, ${linked ? "linked" : "not linked"}${linkOutcome === null ? "" : ` (${linkOutcome})`}`;
}

function numberTable({ numbers }: Migration, isTerminal: boolean): string {
  return formatTable({
    header: ["Number", "Status", "Since", "Port", "Reason"],
    rows: numbers.map(({ number, status, statusReason, timeline, portStatus, portReason }) => [
      number,
      status,
      timeline.at(-1)?.at ?? "-",
      portStatus ?? "-",
      portReason ?? statusReason ?? "-",
    ]),
    isTerminal,
  }).trimEnd();
}

function timeLine({ step, expectedSeconds, seconds, endedOn, late }: MigrationStepTime): string {
  const usual = `typically ${duration(expectedSeconds.from)} to ${duration(expectedSeconds.to)}`;
  const took = endedOn === null ? `${duration(seconds)} so far` : `took ${duration(seconds)}`;
  return `${STEP_NAMES[step]}: ${took} (${usual}${late ? ", late" : ""})`;
}

export function duration(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} days`;
}

const WAITED_FOR = tableOf({
  Us: "we do this",
  Registry: "the registry",
  LosingCarrier: "the losing carrier",
  Support: "support",
});

const LISTED_MAX = 5;

function listed(numbers: readonly string[]): string {
  const more = numbers.length - LISTED_MAX;
  return `${numbers.slice(0, LISTED_MAX).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** The changes since `before`, a line each. */
export function changesBetween(before: Migration, after: Migration): readonly string[] {
  return [
    ...registryChanges(before, after),
    ...orderChanges(before, after),
    ...numberChanges(before, after),
    ...after.blockers
      .filter(({ says }) => !before.blockers.some((known) => known.says === says))
      .flatMap(({ says, todo }) => [`✗ ${says}`, `→ ${todo}`]),
  ];
}

function registryChanges(before: Migration, after: Migration): readonly string[] {
  const standing = after.registry?.standing;
  return [
    ...(standing !== undefined && standing !== before.registry?.standing ? [`registry: ${standing}`] : []),
    ...(after.linkOutcome !== null && before.linkOutcome === null
      ? [`${after.tcrCampaignId} has come: ${after.linkOutcome}`]
      : []),
    ...(after.linked && !before.linked && after.linkOutcome !== "Linked"
      ? [`${after.tcrCampaignId} is linked to ${after.messagingConfigSid}`]
      : []),
  ];
}

function orderChanges(before: Migration, after: Migration): readonly string[] {
  return after.portOrders.flatMap(({ sid, status }) => {
    const known = before.portOrders.find((order) => order.sid === sid);
    return known?.status === status ? [] : [`port order ${sid}: ${status}`];
  });
}

/** Numbers with the same new status share a line. */
function numberChanges(before: Migration, after: Migration): readonly string[] {
  const known = new Map(before.numbers.map(({ number, timeline }) => [number, timeline.length]));
  const moves = new Map<PhoneStatus, string[]>();
  for (const { number, timeline } of after.numbers) {
    for (const { status } of timeline.slice(known.get(number) ?? 0)) {
      moves.set(status, [...(moves.get(status) ?? []), number]);
    }
  }
  return PHONE_STATUSES.flatMap((status) => {
    const numbers = moves.get(status);
    return numbers ? [`${status}: ${listed(numbers)}`] : [];
  });
}
