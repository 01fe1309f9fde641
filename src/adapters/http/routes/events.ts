// Every event of the account, subscribed or not: a list, and a stream that goes on from where a reader left off.

import { z } from "zod";
import { ok, refused } from "../../../base/result.ts";
import { EVENT_TYPES, eventTypeOf } from "../../../domain/events.ts";
import { problem } from "../../../domain/problems.ts";
import { type EventLog, type LoggedEvent, shapeA } from "../../../domain/webhooks/index.ts";
import { accountOperation, type Operation } from "../operation.ts";
import { listBody, listOf, listQuery, pageRequestOf, timestamp } from "../schemas.ts";
import { eventTypeSchema } from "./deliveries.ts";

/** Tells readers that something was stored. */
export interface EventBell {
  /** True when an event of the account was stored or the server stops, false when `ms` have passed. */
  heard(accountSid: string, ms: number): Promise<boolean>;
  readonly isClosed: boolean;
}

export interface EventRouteDeps {
  readonly bell: EventBell;
  readonly eventLog: EventLog;
}

const STREAMS_PER_ACCOUNT_MAX = 20;
const HEARTBEAT_MS = 15_000;
const LOOK_AGAIN_MS = 100;
const LOOKS_AFTER_BELL = 5;
const READ_MAX = 200;

const eventSchema = z
  .strictObject({
    id: z.string().describe("Its place in the log."),
    type: z.enum(EVENT_TYPES),
    resourceSid: z.string(),
    createdOn: timestamp,
    payload: z.unknown().describe("Shape A, without WebhookSid."),
  })
  .meta({ id: "Event" });

function show(event: LoggedEvent): object {
  const { position, type, resourceSid, createdOn } = event;
  return { id: position, type, resourceSid, createdOn, payload: shapeA(event) };
}

const positionSchema = z.string().regex(/^\d{1,19}-\d{1,18}$/, "This is not the id of an event.");

export function eventOperations(deps: EventRouteDeps): readonly Operation[] {
  const streams = new Map<string, number>();
  return [
    accountOperation({
      id: "listEvents",
      tag: "Events",
      summary: "List events",
      method: "GET",
      path: "/Events",
      limit: "read",
      writes: false,
      query: listQuery({ Type: eventTypeSchema.optional() }),
      answers: { 200: { description: "A page of events.", body: listOf("EventList", eventSchema) } },
      refusals: [],
      async handle({ account, query }) {
        const type = query.Type === undefined ? undefined : eventTypeOf(query.Type);
        const page = await deps.eventLog.list(account.sid, pageRequestOf(query), type);
        return ok({ status: 200, body: listBody(page, show) });
      },
    }),
    accountOperation({
      id: "streamEvents",
      tag: "Events",
      summary: "Events as they happen",
      description:
        "Server-sent events. Begins with what comes, or after `Last-Event-ID` (the header that browsers send, or the query parameter `LastEventId`): nothing is missed in between.",
      method: "GET",
      path: "/Events/stream",
      limit: "read",
      writes: false,
      query: z.strictObject({ LastEventId: positionSchema.optional() }),
      answers: { 200: { description: "The stream.", mediaType: "text/event-stream" } },
      refusals: ["conflict"],
      async handle({ account, query, headers }) {
        const open = streams.get(account.sid) ?? 0;
        if (open >= STREAMS_PER_ACCOUNT_MAX) {
          return refused(problem("conflict", `${STREAMS_PER_ACCOUNT_MAX} streams are open already: close one first.`));
        }
        const resumed = positionSchema.safeParse(headers["last-event-id"]);
        const start = query.LastEventId ?? (resumed.success ? resumed.data : await deps.eventLog.end(account.sid));
        return ok({ status: 200, stream: readOn(deps, account.sid, start, streams) });
      },
    }),
  ];
}

async function* readOn(deps: EventRouteDeps, accountSid: string, start: string, streams: Map<string, number>) {
  streams.set(accountSid, (streams.get(accountSid) ?? 0) + 1);
  try {
    yield ": the events of this account follow\n\n";
    let position = start;
    let looksLeft = 0;
    while (!deps.bell.isClosed) {
      // Begun before reading, so that what is stored between the two is heard.
      const bell = deps.bell.heard(accountSid, looksLeft > 0 ? LOOK_AGAIN_MS : HEARTBEAT_MS);
      const events = await deps.eventLog.after(accountSid, position, READ_MAX);
      for (const event of events) {
        position = event.position;
        yield `id: ${position}\nevent: ${event.type}\ndata: ${JSON.stringify(show(event))}\n\n`;
      }
      if (events.length === READ_MAX) continue;
      // What it rang for shows only when older transactions have ended: look a few times more.
      if (await bell) looksLeft = LOOKS_AFTER_BELL;
      else if (looksLeft > 0) looksLeft--;
      else yield ": still here\n\n";
    }
  } finally {
    const left = (streams.get(accountSid) ?? 1) - 1;
    if (left > 0) streams.set(accountSid, left);
    else streams.delete(accountSid);
  }
}
