// The operator's view of the links to carriers, and stopping and starting them.

import { z } from "zod";
import { members } from "../../../../base/plain-command.ts";
import { ok } from "../../../../base/result.ts";
import type { LinkHealth, LinkName, ReportedLink } from "../../../../domain/messaging/index.ts";
import { operatorOperation, tagged } from "../../core/operation.ts";
import type { Unit } from "../../core/ports.ts";
import { listOf, timestamp } from "../../core/schemas.ts";
import { stopAndStartOperations, stoppedOn, withStops } from "../operations/stop-and-start.ts";

export interface OperatorLinkDeps {
  /** The links of this process; another process may hold those that send. */
  readonly links: () => readonly LinkHealth[];
  /** All links of the configuration, whichever process holds them. */
  readonly configuredLinks: readonly LinkName[];
}

/** The process that holds the links reports every few seconds. */
const TOLD_MS_MAX = 30_000;
const named = { name: z.string(), carrier: z.string(), kind: z.enum(["sms", "mms"]) };

const linkSchema = z
  .strictObject({
    ...named,
    state: z.string().describe("`bound` is well; `unknown`: no process has told of it for half a minute."),
    reason: z.string(),
    since: timestamp.describe("Since when it is up (`bound` or `throttled`), or is not."),
    room: z.int().describe("Messages it takes just now."),
    window: z.int().nullable().describe("Messages that may be unanswered at once; of MMS, connections."),
    inFlight: z.int().describe("Messages handed to it and not answered yet."),
    perSecond: z.number().describe("Messages the carrier answered each second, over the last ten."),
    p95Ms: z.int().nullable().describe("19 of 20 answers of the last minute came within this time; null without any."),
    asOf: timestamp.describe("When the process that keeps it told so."),
    stoppedOn,
  })
  .meta({ id: "CarrierLink" });

export const operatorLinkOperations = tagged<OperatorLinkDeps>("Operator: carriers", [
  operatorOperation({
    id: "listLinks",
    sdk: "links.list",
    command: {
      name: "operator links list",
      about: "List the links and how they fare. One process keeps them all; others answer what it told last.",
      shows: [
        {
          table: {
            ...members("Link = name, carrier, kind"),
            State: ["{state}{stoppedOn?, stopped by the operator}", "{state}"],
            ...members("since, Takes now = room"),
            Reason: "{reason!}",
          },
        },
      ],
    },
    summary: "Links to carriers and how they fare",
    description: "One process at a time keeps the links; the others answer what it told last.",
    route: "GET /Links",
    answers: { 200: { description: "The links.", body: listOf("CarrierLinkList", linkSchema) } },
    async handle({ now }, unit, { links }: OperatorLinkDeps) {
      const known = await knownLinks(unit, links, now);
      return ok({ status: 200, body: { items: await withStops(known, unit.stoppedLinks) } });
    },
  }),
  ...stopAndStartOperations<OperatorLinkDeps>({
    noun: "Link",
    onStop:
      "It lets submits under way finish, unbinds, and stays so, also after a restart and in whatever process, until it is started. Messages take other links, or wait. What the carrier has for us it keeps until then.",
    meanwhile: "Messages take other links, or wait.",
    schema: z.strictObject({ ...named, stoppedOn }).meta({ id: "CarrierLinkSwitch" }),
    stopped: ({ stoppedLinks }) => stoppedLinks,
    configured: ({ configuredLinks }) => configuredLinks,
  }),
]);

/** The links of this process, or else the last report of the process that holds them. */
export async function knownLinks(
  { reportedLinks }: Pick<Unit, "reportedLinks">,
  links: OperatorLinkDeps["links"],
  now: Date,
): Promise<readonly KnownLink[]> {
  const own = links().map((link) => ({ ...link, asOf: now }));
  return own.length > 0 ? own : (await reportedLinks.list()).map((link) => judged(link, now));
}

interface KnownLink extends Omit<ReportedLink, "state"> {
  readonly state: ReportedLink["state"] | "unknown";
}

const IDLE = { inFlight: 0, perSecond: 0, p95Ms: null };

/** A process that died sends no more reports. */
function judged(link: ReportedLink, now: Date): KnownLink {
  if (now.getTime() - link.asOf.getTime() <= TOLD_MS_MAX) return link;
  return { ...link, state: "unknown", reason: "no process tells of it", since: link.asOf, room: 0, ...IDLE };
}
