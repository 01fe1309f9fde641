// What needs attention, for accounts and for operators, and the traffic of the last minutes.

import { z } from "zod";
import { members, type Part } from "../../../../base/plain-command.ts";
import { ok } from "../../../../base/result.ts";
import {
  CAUSES,
  type Fact,
  findingOf,
  type Minute,
  RESOURCE_KINDS,
  SEVERITIES,
  sortFindings,
  type Traffic,
} from "../../../../domain/attention/index.ts";
import type { LinkHealth } from "../../../../domain/messaging/index.ts";
import type { ReconcileRun } from "../../../../domain/reconciles.ts";
import { accountOperation, operatorOperation, tagged } from "../../core/operation.ts";
import type { Unit } from "../../core/ports.ts";
import { timestamp } from "../../core/schemas.ts";
import { knownLinks } from "../messaging/operator-links.ts";
import { knownTrunks, type OperatorTrunkDeps } from "../voice/operator-trunks.ts";
import { withStops } from "./stop-and-start.ts";

export interface AttentionDeps {
  /** The links and trunks of this process. */
  readonly links: () => readonly LinkHealth[];
  readonly trunks: OperatorTrunkDeps["trunks"];
  /** Whether operators process port orders by hand, because no clearing house is connected. */
  readonly isPortingByHand: boolean;
}

const findingSchema = z
  .strictObject({
    id: z.string().describe("The same as long as the finding is."),
    cause: z.enum(CAUSES),
    severity: z.enum(SEVERITIES),
    what: z.string().describe("What is the matter."),
    why: z.string(),
    advice: z.string().describe("What to do."),
    count: z.int().describe("How many it concerns; not counted beyond 1,000."),
    firstOn: timestamp.nullable(),
    lastOn: timestamp.nullable(),
    operation: z
      .strictObject({ method: z.enum(["GET", "POST", "PATCH"]), path: z.string() })
      .nullable()
      .describe("What clears it, or shows more."),
    resource: z
      .strictObject({ kind: z.enum(RESOURCE_KINDS), id: z.string() })
      .nullable()
      .describe("One of those it concerns."),
  })
  .meta({ id: "Finding" });

const operatorFindingSchema = z
  .strictObject({
    ...findingSchema.shape,
    accountSid: z.string().nullable().describe("Null where it is no account's, or several accounts'."),
  })
  .meta({ id: "OperatorFinding" });

const minuteSchema = z
  .strictObject({
    at: timestamp.describe("When the minute began."),
    sent: z.int().describe("Messages accepted in it."),
    delivered: z.int().describe("How many of those are Delivered by now."),
    failed: z.int().describe("How many of those are Failed or Expired by now."),
    received: z.int().describe("Messages received in it."),
    calls: z.int().describe("Calls begun in it."),
  })
  .meta({ id: "TrafficMinute" });

const MINUTE_MS = 60_000;
const MINUTES_MAX = 1_440;

const FINDINGS: readonly Part[] = [
  {
    table: members("severity, Account? = accountSid, what, why, What to do = advice"),
    of: "?",
    empty: "Nothing needs anybody.",
  },
];

export const attentionOperations = tagged<AttentionDeps>("Attention", [
  accountOperation({
    id: "getAttention",
    sdk: "oversight.attention",
    command: {
      name: "attention",
      summary: "what needs somebody",
      example: "tandem attention",
      about: "List whatever stands still or fails, each with what to do about it.",
      shows: FINDINGS,
    },
    summary: "What needs your attention",
    description:
      "Everything that stands still or fails, grouped by its cause: errors first, the newest first. Empty where all is well.",
    route: "GET /Attention",
    isSeenByOperators: true,
    answers: {
      200: {
        description: "The findings.",
        body: z.strictObject({ items: z.array(findingSchema) }).meta({ id: "Attention" }),
      },
    },
    async handle({ account, now }, unit) {
      const facts = await unit.attention.factsOf(account.sid, now);
      return ok({ status: 200, body: { items: sortFindings(facts.map((fact) => findingOf(fact, "account"))) } });
    },
  }),
  accountOperation({
    id: "getTraffic",
    sdk: "oversight.traffic",
    command: {
      name: "traffic",
      summary: "messages and calls by the minute",
      example: "tandem traffic --minutes 10",
      about: "Count messages and calls by the minute, the oldest first.",
      options: { "--minutes <n>": ["Minutes", "how many, 1440 at most", { default: 60 }] },
      shows: [
        {
          table: members("Minute = at, sent, delivered, failed, received, calls"),
        },
      ],
    },
    summary: "Messages and calls by the minute",
    description:
      "The oldest first, this minute last. Fewer minutes than asked for where there were more than 100,000 messages.",
    route: "GET /Traffic",
    isSeenByOperators: true,
    query: z.strictObject({
      Minutes: z.int().min(1).max(MINUTES_MAX).optional().describe("How many; 60 by default."),
    }),
    answers: {
      200: {
        description: "The minutes.",
        body: z.strictObject({ items: z.array(minuteSchema) }).meta({ id: "Traffic" }),
      },
    },
    async handle({ account, query, now }, unit) {
      const from = new Date(now.getTime() - ((query.Minutes ?? 60) - 1) * MINUTE_MS);
      const traffic = await unit.attention.trafficOf(account.sid, startOfMinute(from));
      return ok({ status: 200, body: { items: everyMinute(traffic, now) } });
    },
  }),
]);

export const operatorAttentionOperations = tagged<AttentionDeps>("Operator", [
  operatorOperation({
    id: "getAllAttention",
    sdk: "oversight.attention",
    command: {
      name: "operator attention",
      summary: "what needs somebody, of all accounts and the service",
      about: "List whatever stands still or fails, of all accounts and the service itself.",
      shows: FINDINGS,
    },
    summary: "What needs the operators' attention",
    description:
      "Links and trunks that are down, what waits for a decision, and what fails at the accounts, grouped by its cause. Links and trunks as this process knows them.",
    route: "GET /Attention",
    answers: {
      200: {
        description: "The findings.",
        body: z.strictObject({ items: z.array(operatorFindingSchema) }).meta({ id: "OperatorAttention" }),
      },
    },
    async handle({ now }, unit, deps) {
      const facts = [
        ...(await linkFacts(unit, deps, now)),
        ...(await trunkFacts(unit, deps, now)),
        ...(await unit.reconciles.list()).filter(({ outcome }) => outcome === "Failed").map(reconcileFact),
        ...(await unit.attention.factsOfAll(now, deps.isPortingByHand)),
      ];
      const findings = facts.map((fact) => ({ ...findingOf(fact, "operator"), accountSid: fact.accountSid }));
      return ok({ status: 200, body: { items: sortFindings(findings) } });
    },
  }),
]);

/** A link that has just lost its connection gets time to reconnect. */
const DOWN_MS_MIN = 10_000;

async function linkFacts(unit: Unit, { links }: AttentionDeps, now: Date): Promise<readonly Fact[]> {
  const known = await withStops(await knownLinks(unit, links, now), unit.stoppedLinks);
  return known.flatMap(({ name, state, reason, since, stoppedOn }): readonly Fact[] => {
    if (stoppedOn !== null) return [outside("LinkStopped", name, null, stoppedOn)];
    const isUp = state === "bound" || state === "throttled";
    if (isUp || now.getTime() - since.getTime() < DOWN_MS_MIN) return [];
    return [outside("LinkDown", name, reason, since)];
  });
}

async function trunkFacts(unit: Unit, { trunks }: AttentionDeps, now: Date): Promise<readonly Fact[]> {
  const known = await withStops(await knownTrunks(unit, trunks, now), unit.stoppedTrunks);
  return known.flatMap(({ name, isUp, reason, since, stoppedOn }): readonly Fact[] => {
    if (stoppedOn !== null) return [outside("TrunkStopped", name, null, stoppedOn)];
    return isUp ? [] : [outside("TrunkDown", name, reason, since)];
  });
}

function reconcileFact({ name, finishedOn, details }: ReconcileRun): Fact {
  const { reason } = details;
  return outside("ReconcileFailed", name, reason === undefined ? null : String(reason), finishedOn);
}

function outside(cause: Fact["cause"], name: string, reason: string | null, on: Date | null): Fact {
  const times = { firstOn: on, lastOn: on };
  return { cause, key: name, accountSid: null, count: 1, ...times, subject: name, reason, resourceId: name };
}

function startOfMinute(at: Date): Date {
  return new Date(Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS);
}

/** Includes minutes without traffic. */
function everyMinute({ since, minutes }: Traffic, now: Date): readonly Minute[] {
  const byTime = new Map(minutes.map((minute) => [minute.at.getTime(), minute]));
  const all: Minute[] = [];
  for (let atMs = since.getTime(); atMs <= now.getTime(); atMs += MINUTE_MS) {
    const quiet = { at: new Date(atMs), sent: 0, delivered: 0, failed: 0, received: 0, calls: 0 };
    all.push(byTime.get(atMs) ?? quiet);
  }
  return all;
}
