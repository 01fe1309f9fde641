// All events of the account, subscribed or not, and for operators those of all accounts: a list, and a stream that
// resumes where a reader left off.

import type { IncomingHttpHeaders } from "node:http";
import { z } from "zod";
import type { ActiveAccounts } from "../../../../base/active-accounts.ts";
import { type Clock, pause } from "../../../../base/clock.ts";
import { type CommandDescription, members } from "../../../../base/plain-command.ts";
import { RestingPlaces } from "../../../../base/resting-places.ts";
import { ok, refused } from "../../../../base/result.ts";
import { EVENT_TYPES, eventTypeOf } from "../../../../domain/events.ts";
import type { LiveKind } from "../../../../domain/live-log.ts";
import { invalid, problem } from "../../../../domain/problems.ts";
import { type EventLog, type LoggedEvent, shapeA } from "../../../../domain/webhooks/index.ts";
import type { HeardEntry, LiveListener, LiveTap } from "../../core/live-tap.ts";
import { accountOperation, type Outcome, operatorOperation, tagged } from "../../core/operation.ts";
import { withoutSignatures } from "../../core/operator-view.ts";
import { answerPage } from "../../core/outcomes.ts";
import { listOf, listQuery, pageRequestOf, timestamp } from "../../core/schemas.ts";
import { eventTypeSchema } from "./deliveries.ts";

/** Notifies readers of stored events. */
export interface Notifier {
  /** True when an event of the account was stored or the server stops, false after `ms` or when the reader has left. */
  waitForEvents(accountSid: string, ms: number, left: AbortSignal): Promise<boolean>;
  readonly isClosed: boolean;
}

export interface EventRouteDeps {
  readonly notifier: Notifier;
  readonly eventLog: EventLog;
  /** Whether the credentials that a stream was opened with are still valid. */
  readonly mayGoOn: (who: "account" | "operator", headers: IncomingHttpHeaders) => Promise<boolean>;
  readonly live: LiveTap;
  readonly clock: Clock;
  readonly streams: StreamLimit;
}

const STREAMS_PER_ACCOUNT_MAX = 20;
const HEARTBEAT_MS = 15_000;
const READ_AGAIN_MS = 100;
const READS_AFTER_EVENT = 5;
/** A read of one account's events is short, so that requests of others are answered between two of them. */
const READ_MAX = 50;
const READ_OF_ALL_MAX = 200;
/** Reads of the log by streams at the same time: of all, and of one account. */
const READS_MAX = 3;
const READS_PER_ACCOUNT_MAX = 1;
/** Credentials are not checked again more often than this. */
const ASK_AGAIN_MS = 3_000;

/** How long live entries are gathered. */
const TOGETHER_MS = 100;
/** The notifier's key for the events of all accounts. */
const ALL_ACCOUNTS = "everybody";

const INCLUDED: ReadonlyMap<string, readonly LiveKind[]> = new Map([
  ["requests", ["ApiRequest"]],
  ["protocol", ["SmppPdu", "SipMessage"]],
]);

const includeSchema = z
  .string()
  .regex(/^(requests|protocol)(,(requests|protocol))?$/, "requests and protocol can be included, with a comma.")
  .optional()
  .describe("What to show besides events: `requests`, `protocol`, or both with a comma.");

const LIVE_DESCRIPTION =
  "With `Include`, further event types without an id tell what happens just now, and are not repeated: `ApiRequest` (a request, its status, and as `resourceSid` what it made or changed; what pages read with a session is left out), `SmppPdu` (submit_sm, its answer and deliver_sm: `fields` as name and value, `party`, `receipt`, and the first 1,024 octets in hex) and `SipMessage` (masked as in the call's own list). `skipped` counts those of the type that were left out before: of each, 100 a second are shown, and of PDUs 100 a second of all accounts together are looked at. They come from every process, from others than the one that answers a moment later.";

const eventSchema = z
  .strictObject({
    id: z.string().describe("Its place in the log."),
    type: z.enum(EVENT_TYPES),
    resourceSid: z.string(),
    createdOn: timestamp,
    payload: z.record(z.string(), z.unknown()).describe("Shape A, without WebhookSid."),
  })
  .meta({ id: "Event" });

const ownedEventSchema = z.strictObject({ ...eventSchema.shape, accountSid: z.string() }).meta({ id: "OwnedEvent" });

/** For operators: with the account, without the signatures that open media. */
const showOwned = (event: LoggedEvent) => withoutSignatures({ ...show(event), accountSid: event.accountSid }) as object;

function show(event: LoggedEvent): object {
  const { position, type, resourceSid, createdOn } = event;
  return { id: position, type, resourceSid, createdOn, payload: shapeA(event) };
}

const positionSchema = z.string().regex(/^(0|[1-9]\d{0,17})-(0|[1-9]\d{0,17})$/, "This is not the id of an event.");
const streamQuery = z.strictObject({ LastEventId: positionSchema.optional(), Include: includeSchema });

const RESUME_DESCRIPTION =
  "Server-sent events. Begins with what comes, or after `Last-Event-ID` (the header that browsers send, or the query parameter `LastEventId`; the header counts when both are there)";

const LIST_EVENTS = {
  options: { "--type <type>": ["Type", "of this type", { kind: "eventType" }] },
  isLimited: true,
  shows: [{ table: { ...members("At = createdOn, id, type, resourceSid"), Payload: ["{payload}", ""] } }],
} as const satisfies Omit<CommandDescription, "name" | "about">;

export const eventOperations = tagged<EventRouteDeps>("Events", [
  accountOperation({
    id: "listEvents",
    sdk: "events.list",
    command: {
      ...LIST_EVENTS,
      name: "events list",
      about: "List events, the newest first; with --after, the oldest first.",
      options: {
        ...LIST_EVENTS.options,
        "--json": null,
        "--after <id>": ["After", "those after this event, the next one first"],
      },
    },
    summary: "List events",
    description:
      "Who remembers the last `id` and asks with `After` now and then misses nothing: an event that is stored later never gets a place before one that was listed.",
    route: "GET /Events",
    isSeenByOperators: true,
    query: listQuery({
      Type: eventTypeSchema.optional(),
      After: positionSchema
        .optional()
        .describe("The `id` of an event: the list goes on from there, the oldest first, whatever the direction."),
    }),
    answers: { 200: { description: "A page of events.", body: listOf("EventList", eventSchema) } },
    async handle({ account, query }, _unit, { eventLog }) {
      const type = query.Type === undefined ? undefined : eventTypeOf(query.Type);
      const asked = pageRequestOf(query);
      const onwards = { ...asked, after: asked.after ?? query.After, direction: "Ascending" } as const;
      return answerPage(await eventLog.list(account.sid, query.After === undefined ? asked : onwards, type), show);
    },
  }),
  accountOperation({
    id: "streamEvents",
    sdk: "events.stream",
    command: "listen",
    summary: "Events as they happen",
    description: `${RESUME_DESCRIPTION}: nothing is missed in between. ${LIVE_DESCRIPTION}`,
    route: "GET /Events/stream",
    query: streamQuery,
    answers: { 200: { description: "The stream.", mediaType: "text/event-stream" } },
    refusals: ["conflict"],
    furtherFaults: ({ headers }) => (resumedFrom(headers).success ? {} : LAST_EVENT_FAULT),
    handle: ({ account: { sid }, ...input }, _unit, deps) =>
      openStream(deps, input, {
        who: "account",
        accountSid: sid,
        end: () => deps.eventLog.end(sid),
        readMax: READ_MAX,
        after: (position) => deps.eventLog.after(sid, position, READ_MAX),
        restMs: 0,
        show,
        showLive: liveBody,
      }),
  }),
]);

const LAST_EVENT_FAULT = { "Last-Event-ID": ["This is not the id of an event."] };
const resumedFrom = (headers: Readonly<Record<string, unknown>>) =>
  positionSchema.optional().safeParse(headers["last-event-id"]);

/** Limits the streams of an account, or of the operators, and lets their reads of the log take turns. */
export interface StreamLimit {
  /** Returns the function that releases the stream; undefined when too many are open. */
  take(reader: string): (() => void) | undefined;
  readonly reads: RestingPlaces;
  /** Hears of the accounts whose streams have something to send. */
  readonly active: Pick<ActiveAccounts, "note">;
}

export function newStreamLimit(deps: { readonly clock: Clock; readonly active: ActiveAccounts }): StreamLimit {
  const taken = new Map<string, number>();
  return {
    reads: new RestingPlaces(deps, { places: READS_MAX, placesPerAccount: READS_PER_ACCOUNT_MAX }),
    active: deps.active,
    take(reader) {
      const count = taken.get(reader) ?? 0;
      if (count >= STREAMS_PER_ACCOUNT_MAX) return undefined;
      taken.set(reader, count + 1);
      let isLeft = false;
      return () => {
        if (isLeft) return;
        isLeft = true;
        const rest = (taken.get(reader) ?? 1) - 1;
        if (rest > 0) taken.set(reader, rest);
        else taken.delete(reader);
      };
    },
  };
}

/** What a stream is made of. */
interface Reader {
  readonly clock: Clock;
  readonly notifier: Notifier;
  readonly reads: RestingPlaces;
  readonly active: Pick<ActiveAccounts, "note">;
  /** The account whose events wake it. */
  readonly key: string;
  readonly mayGoOn: () => Promise<boolean>;
  /** Returns `readMax` events at most. */
  readonly after: (position: string) => Promise<readonly LoggedEvent[]>;
  readonly readMax: number;
  /** The pause after a read. */
  readonly restMs: number;
  readonly heard: LiveListener | undefined;
  readonly show: (event: LoggedEvent) => object;
  readonly showLive: (entry: HeardEntry) => object;
}

interface StreamOrder extends Pick<Reader, "after" | "readMax" | "restMs" | "show" | "showLive"> {
  readonly who: "account" | "operator";
  /** Without it, the events of all accounts are sent. */
  readonly accountSid?: string;
  /** The position of the newest event. */
  readonly end: () => Promise<string>;
}

async function openStream(
  { clock, notifier, live, mayGoOn, streams }: EventRouteDeps,
  { query, headers }: { readonly query: z.output<typeof streamQuery>; readonly headers: IncomingHttpHeaders },
  { who, accountSid, end, ...order }: StreamOrder,
): Promise<Outcome> {
  const resumed = resumedFrom(headers);
  if (!resumed.success) return refused(invalid(LAST_EVENT_FAULT));
  const leave = streams.take(accountSid ?? "operators");
  if (!leave) {
    const advice = who === "account" ? ": close one first" : "";
    return refused(problem("conflict", `${STREAMS_PER_ACCOUNT_MAX} streams are open already${advice}.`));
  }
  try {
    // The header wins: a browser that reconnects sends it with its original URL.
    const start = resumed.data ?? query.LastEventId ?? (await end());
    const reader: Reader = {
      ...order,
      ...{ clock, notifier, reads: streams.reads, active: streams.active, key: accountSid ?? ALL_ACCOUNTS },
      mayGoOn: () => mayGoOn(who, headers),
      heard: listenTo(live, accountSid, query.Include),
    };
    return ok({ status: 200, stream: streamFrom(reader, start, leave) });
  } catch (fault) {
    leave();
    throw fault;
  }
}

/** A waiting generator cannot be ended from outside: the signal wakes it; `leave` releases its stream immediately. */
function streamFrom(reader: Reader, start: string, leave: () => void): AsyncIterable<string> {
  const left = new AbortController();
  const lines = readOn(reader, start, left.signal);
  return {
    [Symbol.asyncIterator]: () => ({
      next: () => lines.next(),
      return() {
        left.abort();
        reader.heard?.close();
        leave();
        return lines.return();
      },
    }),
  };
}

async function* readOn(reader: Reader, start: string, left: AbortSignal): AsyncGenerator<string, void, void> {
  const { clock, notifier, heard } = reader;
  yield ": the events follow\n\n";
  let position = start;
  let readsLeft = 0;
  let isDue = true;
  let notified: Promise<boolean> | undefined;
  const mayGoOn = askedSeldom(reader.mayGoOn);
  while ((await mayGoOn()) && !notifier.isClosed && !left.aborted) {
    // The wait begins before the read, so that an event stored in between is not missed.
    notified ??= notifier.waitForEvents(reader.key, readsLeft > 0 ? READ_AGAIN_MS : HEARTBEAT_MS, left);
    const read = isDue ? await readInTurn(reader, position, left) : undefined;
    position = read?.position ?? position;
    yield* read?.lines ?? [];
    for (const entry of heard?.take() ?? []) yield lineOf(entry.kind, reader.showLive(entry));
    if (isDue && reader.restMs > 0) await pause(clock, reader.restMs);
    if (read?.isFull) continue;
    const woken = await (heard ? Promise.race([notified, heard.arrival()]) : notified);
    isDue = woken !== undefined;
    if (woken === undefined) {
      // Entries that follow closely are sent together.
      await pause(clock, TOGETHER_MS);
      continue;
    }
    notified = undefined;
    // A new event is visible only when older transactions have ended, so a few more reads follow.
    if (woken) readsLeft = READS_AFTER_EVENT;
    else if (readsLeft > 0) readsLeft--;
    else yield ": still here\n\n";
  }
}

interface Read {
  readonly lines: readonly string[];
  readonly position: string | undefined;
  readonly isFull: boolean;
}

/**
 * A stream reads with a database connection that all requests share, and what it shows keeps this process busy. A
 * reader that leaves meanwhile reads nothing.
 */
function readInTurn(
  { reads, active, key, after, readMax, show }: Reader,
  position: string,
  left: AbortSignal,
): Promise<Read | undefined> {
  const read = async (): Promise<Read> => {
    const events = await after(position);
    if (events.length > 0) active.note(key);
    const lines = events.map((event) => lineOfEvent(event, show(event)));
    return { lines, position: events.at(-1)?.position, isFull: events.length === readMax };
  };
  return reads
    .run(key, (unit) => unit(read), left)
    .catch((fault: unknown) => {
      if (left.aborted) return undefined;
      throw fault;
    });
}

function lineOfEvent({ position, type }: LoggedEvent, shown: object): string {
  return `id: ${position}\nevent: ${type}\ndata: ${JSON.stringify(shown)}\n\n`;
}

/** The first pass follows right after the sign-in and checks nothing; the first event after it does. */
function askedSeldom(mayGoOn: () => Promise<boolean>): () => Promise<boolean> {
  let isFirst = true;
  let askedMs = Number.NEGATIVE_INFINITY;
  return async () => {
    const nowMs = performance.now();
    const isDue = !isFirst && nowMs - askedMs >= ASK_AGAIN_MS;
    isFirst = false;
    if (!isDue) return true;
    askedMs = nowMs;
    return mayGoOn();
  };
}

/** Without an id: a client that reconnects resumes with the events only. */
function lineOf(kind: LiveKind, body: object): string {
  return `event: ${kind}\ndata: ${JSON.stringify(body)}\n\n`;
}

function liveBody({ data, accountSid, skipped }: HeardEntry): object {
  return { ...data, accountSid, skipped };
}

/** For operators: without the signatures that open media, and without PDU content, which may hold them encoded. */
function maskedLiveBody({ data: { hex: _, fields: __, ...data }, ...entry }: HeardEntry): object {
  return withoutSignatures(liveBody({ ...entry, data })) as object;
}

function listenTo(live: LiveTap, accountSid: string | undefined, include = ""): LiveListener | undefined {
  const kinds = include.split(",").flatMap((name) => INCLUDED.get(name) ?? []);
  return kinds.length === 0 ? undefined : live.listen(accountSid, new Set(kinds));
}

export const operatorEventOperations = tagged<EventRouteDeps>("Operator", [
  operatorOperation({
    id: "listAllEvents",
    sdk: "events.list",
    command: {
      ...LIST_EVENTS,
      name: "operator events list",
      about: "List events of all accounts or of one, the newest first.",
    },
    summary: "List events of all accounts",
    description: "Entered in the audit log.",
    route: "GET /Events",
    query: listQuery({ Type: eventTypeSchema.optional() }),
    answers: { 200: { description: "A page of events.", body: listOf("OwnedEventList", ownedEventSchema) } },
    audit: ({ query }) => ({ subject: null, details: query }),
    async handle({ query }, _unit, { eventLog }: EventRouteDeps) {
      const type = query.Type === undefined ? undefined : eventTypeOf(query.Type);
      return answerPage(await eventLog.listAll(pageRequestOf(query), type), showOwned);
    },
  }),
  operatorOperation({
    id: "streamAllEvents",
    sdk: "events.stream",
    summary: "Events of all accounts as they happen",
    description: `${RESUME_DESCRIPTION}. A look at what happens: in a rush, an event that is stored beside thousands of others may be left out, and who is thousands behind goes on with the newest. ${LIVE_DESCRIPTION} Operators see PDUs without their fields and octets. Entered in the audit log.`,
    route: "GET /Events/stream",
    query: streamQuery,
    answers: { 200: { description: "The stream.", mediaType: "text/event-stream" } },
    refusals: ["conflict"],
    furtherFaults: ({ headers }) => (resumedFrom(headers).success ? {} : LAST_EVENT_FAULT),
    audit: ({ query }) => ({ subject: null, details: query }),
    handle: (input, _unit, deps) =>
      openStream(deps, input, {
        who: "operator",
        end: () => deps.eventLog.endOfAll(),
        readMax: READ_OF_ALL_MAX,
        after: (position) => deps.eventLog.ofAllAfter(position, READ_OF_ALL_MAX),
        // Every stored event wakes it, and each read scans thousands.
        restMs: TOGETHER_MS,
        show: showOwned,
        showLive: maskedLiveBody,
      }),
  }),
]);
