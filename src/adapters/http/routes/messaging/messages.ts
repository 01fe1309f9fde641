// Sends messages, and lists messages sent and received.

import { z } from "zod";
import type { Ids } from "../../../../base/ids.ts";
import { type CommandDescription, members, type Part } from "../../../../base/plain-command.ts";
import { ok, type Result, refused } from "../../../../base/result.ts";
import { type Account, type Limit, limitOf } from "../../../../domain/accounts/index.ts";
import { parseNumber } from "../../../../domain/lookup/index.ts";
import {
  type CarrierFinder,
  type InboundMessage,
  MESSAGE_STATUSES,
  MESSAGE_STEPS,
  type OutboundMessage,
  REFUSALS,
  type ReadOrder,
  type RecipientGuard,
  refusalOf,
  type SenderDirectory,
  sendMessage,
  summariseMessage,
} from "../../../../domain/messaging/index.ts";
import { PROBLEM_TITLES, type Problem, problem } from "../../../../domain/problems.ts";
import { SINCE_UNTIL, TRAIL } from "../../core/command-parts.ts";
import { accountOperation, type Outcome, tagged } from "../../core/operation.ts";
import { answerFound, answerPage, answerWith } from "../../core/outcomes.ts";
import type { Unit } from "../../core/ports.ts";
import { idsFor, type RequestName } from "../../core/request-context.ts";
import {
  dateOf,
  listOf,
  listQuery,
  pageRequestOf,
  shownBy,
  sidParams,
  text,
  timestamp,
  writtenBy,
} from "../../core/schemas.ts";
import { numberFilter, readOwnNumber } from "../../reading/read-number.ts";
import { showDelivery } from "../webhooks/deliveries.ts";
import { messageOrderSchema, prioritySchema, readMessageOrder, UNREADABLE } from "./message-order.ts";

export interface MessageRouteDeps {
  readonly ids: Ids;
  readonly senders: SenderDirectory;
  readonly carriers: CarrierFinder;
  readonly recipientGuard: (limit: Limit) => RecipientGuard;
  readonly checkUrl: (url: string) => Result<unknown, string>;
  /** Makes the secret for signing callbacks if the account has none. */
  readonly readyCallbacks: (accountSid: string) => Promise<void>;
  readonly mediaUrl: (sid: string) => string;
}

const encoding = z.enum(["GSM7", "UCS2"]).meta({ id: "Encoding" });

const messageSchema = z
  .strictObject({
    sid: z.string(),
    from: z.string(),
    to: z.string(),
    recipients: z.array(z.string()).describe("Of a group message all of them, otherwise `to` alone."),
    text: z.string(),
    mediaUrls: z.array(z.string()),
    status: z.enum(MESSAGE_STATUSES).meta({ id: "MessageStatus" }),
    statusReason: z.string().nullable(),
    segmentCount: z.int(),
    encoding,
    carrier: z.string().nullable().describe("Of the recipient, as looked up."),
    messagingConfigSid: z.string().nullable(),
    tcrCampaignId: z.string().nullable(),
    priority: prioritySchema,
    errorCode: z.int().describe("0 is none."),
    errorDescription: z.string().nullable(),
    createdOn: timestamp,
    sendAt: timestamp.nullable().describe("When it may leave; null: at once."),
    sentOn: timestamp.nullable(),
    deliveredOn: timestamp.nullable(),
    expiresOn: timestamp,
  })
  .meta({ id: "OutboundMessage" });

/** A delivery of a webhook is a step, too. */
const stepSchema = z.enum([...MESSAGE_STEPS, "webhook"]).meta({ id: "MessageStep" });

const dryRunSchema = z
  .strictObject({
    wouldSend: z.boolean(),
    segmentCount: z.int(),
    encoding,
    recipients: z.array(z.strictObject({ number: z.string(), type: z.string(), carrier: z.string().nullable() })),
    refusals: z.array(z.strictObject({ errorCode: z.int(), field: z.string(), message: z.string() })),
  })
  .meta({ id: "MessageDryRun" });

const inboundSchema = z
  .strictObject({
    sid: z.string(),
    from: z.string(),
    to: z.string(),
    additionalRecipients: z.array(z.string()),
    text: z.string(),
    mediaUrls: z.array(z.string()),
    segmentCount: z.int(),
    conversationMetadata: z.string().nullable(),
    createdOn: timestamp,
  })
  .meta({ id: "InboundMessage" });

const show = shownBy(messageSchema);
const write = writtenBy(messageSchema);
const showReceived = shownBy(inboundSchema);

const number = text(64);
const since = z.iso.datetime({ offset: true });
/** A number of the account, as a filter; any other text matches nothing. */
const ownNumberOf = async (unit: Unit, { sid, country }: Account, value: string | undefined) => {
  if (value === undefined) return undefined;
  const read = await readOwnNumber(unit.phones, sid, value, country);
  return read.ok ? read.value : value;
};

export async function acceptMessage(
  deps: MessageRouteDeps,
  unit: Unit,
  account: Account,
  order: ReadOrder,
  { now, request }: { readonly now: Date; readonly request: RequestName },
): ReturnType<typeof sendMessage> {
  const { callbackUrl, dryRun } = order.order;
  if (callbackUrl !== null && !dryRun) await deps.readyCallbacks(account.sid);
  const { senders, carriers, checkUrl } = deps;
  const sending = {
    senders,
    intake: unit.intake,
    carriers,
    recipients: deps.recipientGuard(limitOf(account, "sendToRecipient")),
    readNumber: parseNumber,
    checkUrl,
    ids: idsFor(request, deps.ids, "OM"),
    requestId: request.isGiven ? request.id : null,
    now,
  };
  return sendMessage(sending, account, order);
}

/** Returns a message that is already canceled unchanged. */
export async function cancelMessage(
  unit: Unit,
  account: Account,
  sid: string,
  now: Date,
): Promise<Result<OutboundMessage, Problem>> {
  const canceled = await unit.outboundMessages.cancel(account.sid, sid, now);
  if (canceled) return ok(canceled);
  const found = await unit.outboundMessages.find(account.sid, sid);
  if (!found) return refused(problem("not-found"));
  if (found.status === "Canceled") return ok(found);
  const why = found.status === "Queued" ? "on its way to the carrier" : found.status;
  return refused(problem("conflict", `Only what is still waiting can be canceled; this is ${why}.`));
}

interface SendInput {
  readonly account: Account;
  readonly body: ReadOrder;
  readonly now: Date;
  readonly request: RequestName;
}

async function send({ account, body, ...input }: SendInput, unit: Unit, deps: MessageRouteDeps): Promise<Outcome> {
  const sent = await acceptMessage(deps, unit, account, body, input);
  if (!sent.ok) return sent;
  if (sent.value.kind === "dryRun") return ok({ status: 200, body: sent.value.dryRun, isTrial: true });
  return ok({ status: 200, json: write(sent.value.message) });
}

/** A message that could not be read is refused like one that must not be sent: with a code. */
function refuseMessage(refusal: Problem, read: ReadOrder | undefined): Problem {
  if (refusal.code !== "validation") {
    return { ...refusal, errorCode: UNREADABLE, errorMessage: PROBLEM_TITLES[refusal.code] };
  }
  const faults = Object.entries(refusal.errors ?? {}).flatMap(([field, messages]) =>
    messages.map((message) => ({ code: UNREADABLE, field, message }) as const),
  );
  return refusalOf([...faults, ...(read?.faults ?? [])]);
}

const MESSAGES: readonly Part[] = [
  {
    table: {
      ...members("createdOn, sid, from"),
      To: ["{recipients}", ""],
      Status: "{status}",
      Error: "{errorCode!}",
      Segments: "{segmentCount}",
      Text: "{text|short}",
    },
  },
];
const INBOUND_OPTIONS = {
  "--from <number>": ["From", "from this number"],
  "--to <number>": ["To", "to this number"],
  ...SINCE_UNTIL,
} as const satisfies CommandDescription["options"];

const showInbound = (message: InboundMessage, { mediaUrl }: MessageRouteDeps) =>
  showReceived({ ...message, mediaUrls: message.media.map(({ sid }) => mediaUrl(sid)) });

export const messageOperations = tagged<MessageRouteDeps>("Messages", [
  accountOperation({
    id: "sendMessage",
    sdk: "messages.send",
    command: "send --from {From} --to {To} --text {Text}",
    summary: "Send a message",
    description:
      "A form or JSON. Answered when the message is stored for good. Every refusal carries `errorCode` and `errorMessage`: of several the first in the order of the documented codes.",
    route: "POST /OutboundMessages",
    limit: "send",
    writes: "grouped",
    isFrequent: true,
    body: messageOrderSchema,
    readBody: readMessageOrder,
    refuse: refuseMessage,
    answers: { 200: { description: "The message, queued.", body: messageSchema } },
    refusals: REFUSALS.map((refusal) => refusal.problem),
    handle: send,
  }),
  accountOperation({
    id: "dryRunMessage",
    sdk: "messages.rehearse",
    command: "send --dry-run --from {From} --to {To} --text {Text}",
    summary: "What would become of a message",
    description:
      "Takes what sending takes, says what would happen, every refusal included, and sends nothing. Never remembered for an `Idempotency-Key`.",
    route: "POST /OutboundMessages/dryRun",
    isRead: true,
    limit: "send",
    writes: false,
    body: messageOrderSchema,
    readBody: readMessageOrder,
    refuse: refuseMessage,
    answers: { 200: { description: "What was found.", body: dryRunSchema } },
    handle({ body, ...rest }, unit, deps: MessageRouteDeps) {
      return send({ ...rest, body: { ...body, order: { ...body.order, dryRun: true } } }, unit, deps);
    },
  }),
  accountOperation({
    id: "listOutboundMessages",
    sdk: "messages.list",
    command: {
      name: "messages list",
      about: "List sent messages, the newest first.",
      options: {
        ...INBOUND_OPTIONS,
        "--status <status>": ["Status"],
        "--error-code <code>": ["ErrorCode", "with this error; 0 is none", { kind: "errorCode" }],
      },
      isLimited: true,
      shows: MESSAGES,
    },
    summary: "List sent messages",
    route: "GET /OutboundMessages",
    isSeenByOperators: true,
    query: listQuery({
      Status: z.enum(MESSAGE_STATUSES).optional(),
      From: number.optional(),
      To: number.optional(),
      CreatedOnFrom: since.optional(),
      CreatedOnTo: since.optional(),
      ErrorCode: z.int().min(0).max(2_147_483_647).optional(),
    }),
    answers: { 200: { description: "A page of messages.", body: listOf("OutboundMessageList", messageSchema) } },
    handle: async ({ account, query }, unit) =>
      answerPage(
        await unit.outboundMessages.list(account.sid, pageRequestOf(query), {
          status: query.Status,
          from: await ownNumberOf(unit, account, query.From),
          to: numberFilter(query.To, account.country),
          createdFrom: dateOf(query.CreatedOnFrom),
          createdTo: dateOf(query.CreatedOnTo),
          errorCode: query.ErrorCode,
        }),
        show,
      ),
  }),
  accountOperation({
    id: "getOutboundMessage",
    sdk: "messages.get",
    command: {
      name: "messages show",
      about: "Show a message, sent or received, with all that is known of it.",
      arguments: { "<sid>": "the message: OM… or IM…" },
      shows: [
        {
          fields: {
            ...members("sid, from"),
            To: ["{recipients}", ""],
            Status: ["{status} ({statusReason})", "{status}"],
            Error: ["{errorCode!}: {errorDescription}", "{errorCode!}"],
            ...members("createdOn, Send at = sendAt, sentOn, deliveredOn, expiresOn"),
            Segments: "{segmentCount} ({encoding})",
            ...members("priority, carrier, messagingConfigSid, tcrCampaignId"),
            Media: "{mediaUrls|spaced}",
            Text: "{text}",
          },
        },
        { say: "→ {errorCode|advice}" },
      ],
    },
    summary: "A sent message",
    route: "GET /OutboundMessages/{sid}",
    isSeenByOperators: true,
    params: sidParams,
    answers: { 200: { description: "The message.", body: messageSchema } },
    refusals: ["not-found"],
    handle: async ({ account, params }, unit) =>
      answerFound(await unit.outboundMessages.find(account.sid, params.sid), show),
  }),
  accountOperation({
    id: "cancelOutboundMessage",
    sdk: "messages.cancel",
    command: {
      name: "messages cancel",
      about: "Cancel a message that has not left yet.",
      arguments: { "<sid>": "the message" },
      shows: MESSAGES,
    },
    summary: "Cancel a message that has not left yet",
    route: "POST /OutboundMessages/{sid}/cancel",
    params: sidParams,
    answers: { 200: { description: "The message, canceled.", body: messageSchema } },
    refusals: ["not-found", "conflict"],
    handle: async ({ account, params, now }, unit) =>
      answerWith(await cancelMessage(unit, account, params.sid, now), show),
  }),
  accountOperation({
    id: "explainOutboundMessage",
    sdk: "messages.why",
    command: {
      name: "messages why",
      about: "Tell why a message did or did not arrive: everything that was decided and happened, in order.",
      arguments: { "<sid>": "the message" },
      shows: [{ print: ["{sid} is {status}, error {errorCode!}", "{sid} is {status}"] }, ...TRAIL],
    },
    summary: "Why a message did or did not arrive",
    description:
      "In sentences, and everything that was decided and happened, in order: checks, route, attempts, receipts, deliveries of its webhooks.",
    route: "GET /OutboundMessages/{sid}/why",
    isSeenByOperators: true,
    params: sidParams,
    answers: {
      200: {
        description: "The trail.",
        body: z
          .strictObject({
            summary: z
              .strictObject({
                what: z.string(),
                why: z.string(),
                advice: z.string().nullable().describe("Null: nothing is to be done."),
              })
              .meta({ id: "WhySummary" }),
            sid: z.string(),
            status: z.enum(MESSAGE_STATUSES),
            errorCode: z.int(),
            errorDescription: z.string().nullable(),
            steps: z.array(z.strictObject({ at: timestamp, step: stepSchema, details: z.unknown() })),
          })
          .meta({ id: "MessageTrail" }),
      },
    },
    refusals: ["not-found"],
    async handle({ account, params }, unit) {
      const found = await unit.outboundMessages.find(account.sid, params.sid);
      if (!found) return refused(problem("not-found"));
      const trail = await unit.outboundMessages.trail(account.sid, params.sid);
      const page = { size: 100, direction: "Ascending" } as const;
      const { items } = await unit.deliveries.list(account.sid, page, { resourceSid: params.sid });
      const deliveries = items.map((delivery) => ({
        at: delivery.createdOn,
        step: "webhook",
        details: showDelivery(delivery),
      }));
      const steps = [...trail, ...deliveries].sort((one, other) => one.at.getTime() - other.at.getTime());
      const { sid, status, errorCode, errorDescription } = found;
      const summary = summariseMessage(found, trail);
      return ok({ status: 200, body: { summary, sid, status, errorCode, errorDescription, steps } });
    },
  }),
  accountOperation({
    id: "listInboundMessages",
    sdk: "messages.inbound.list",
    command: {
      name: "messages inbound",
      about: "List received messages, the newest first.",
      options: INBOUND_OPTIONS,
      isLimited: true,
      shows: [
        {
          table: { ...members("createdOn, sid, from, to, Segments = segmentCount"), Text: "{text|short}" },
        },
      ],
    },
    summary: "List received messages",
    route: "GET /InboundMessages",
    isSeenByOperators: true,
    query: listQuery({
      From: number.optional(),
      To: number.optional(),
      CreatedOnFrom: since.optional(),
      CreatedOnTo: since.optional(),
    }),
    answers: { 200: { description: "A page of messages.", body: listOf("InboundMessageList", inboundSchema) } },
    handle: async ({ account, query }, unit, deps) =>
      answerPage(
        await unit.inboundMessages.list(account.sid, pageRequestOf(query), {
          from: numberFilter(query.From, account.country),
          to: await ownNumberOf(unit, account, query.To),
          createdFrom: dateOf(query.CreatedOnFrom),
          createdTo: dateOf(query.CreatedOnTo),
        }),
        (message) => showInbound(message, deps),
      ),
  }),
  accountOperation({
    id: "getInboundMessage",
    sdk: "messages.inbound.get",
    command: {
      name: "messages show",
      about: "Show a message, sent or received, with all that is known of it.",
      arguments: { "<sid>": "the message: OM… or IM…" },
      sids: "IM",
      shows: [
        {
          fields: {
            ...members("sid, from"),
            To: ["{to}, {additionalRecipients}", "{to}"],
            ...members("createdOn, Segments = segmentCount, Metadata = conversationMetadata"),
            Media: "{mediaUrls|spaced}",
            Text: "{text}",
          },
        },
      ],
    },
    summary: "A received message",
    route: "GET /InboundMessages/{sid}",
    isSeenByOperators: true,
    params: sidParams,
    answers: { 200: { description: "The message.", body: inboundSchema } },
    refusals: ["not-found"],
    handle: async ({ account, params }, unit, deps) =>
      answerFound(await unit.inboundMessages.find(account.sid, params.sid), (value) => showInbound(value, deps)),
  }),
]);
