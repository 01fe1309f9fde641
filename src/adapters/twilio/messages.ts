// Messages in Twilio's shape: sent and received ones in one list.

import { z } from "zod";
import { ok, type Result, refused } from "../../base/result.ts";
import { tableOf } from "../../base/table.ts";
import type { Account } from "../../domain/accounts/index.ts";
import {
  type InboundMessage,
  MEDIA_MAX,
  type MessageOrder,
  type OutboundMessage,
  PLAIN_ORDER,
  type ReadOrder,
  redactMessage,
  refusalOf,
  removeMessage,
  type Sent,
  textFaults,
  WAITING_REASONS,
} from "../../domain/messaging/index.ts";
import { invalid, type Problem } from "../../domain/problems.ts";
import { answerDone, answerWith } from "../http/core/outcomes.ts";
import type { Unit } from "../http/core/ports.ts";
import type { RequestName } from "../http/core/request-context.ts";
import { anyText, moment, plainText, text, words } from "../http/core/schemas.ts";
import { numberFilter } from "../http/reading/read-number.ts";
import { messageSidOf, twilioErrorCode, twilioMessageSid, twilioMessageStatus } from "./names.ts";
import { API_VERSION, NOT_FOUND, refusing, type TwilioOperation, twilioOperation } from "./operation.ts";
import { mergedPage, PAGE_QUERY, pageBody, spanOf, timeFilter, twilioDate, twilioPageRequest } from "./page.ts";
import { inTheirWords } from "./problem.ts";

const anything = anyText(10_000).optional();
/** Only storable text can be a filter of the store. */
const party = text(512, 0).optional();
const VALIDITY_SECONDS_MAX = 36_000;
const URL_LENGTH_MAX = 2_048;

const MESSAGE_BODY = {
  To: words(256),
  From: words(256).optional(),
  MessagingServiceSid: party,
  Body: z
    .string()
    .check(plainText(() => "This holds characters that cannot be sent."))
    .optional(),
  MediaUrl: z.array(words(URL_LENGTH_MAX)).max(MEDIA_MAX).optional(),
  StatusCallback: text(URL_LENGTH_MAX, 0).trim().optional(),
  SendAt: moment("A date is written 2026-01-31T12:00:00Z.").optional(),
  ScheduleType: z.enum(["fixed"]).optional(),
  ValidityPeriod: z.int().min(1).max(VALIDITY_SECONDS_MAX).optional(),
  SmartEncoded: z.boolean().optional(),
  ...refusing(
    "AddressRetention ApplicationSid Attempt ContentRetention ContentSid ContentVariables FallbackFrom ForceDelivery MaxPrice MessageIntent PersistentAction ProvideFeedback RiskCheck SendAsMms ShortenUrls TrafficType",
  ),
};

function orderOf(from: string, body: z.output<z.ZodObject<typeof MESSAGE_BODY>>, now: Date): MessageOrder {
  const sendAt = body.SendAt === undefined ? null : new Date(body.SendAt);
  const { ValidityPeriod: seconds } = body;
  return {
    ...PLAIN_ORDER,
    from,
    recipients: [body.To],
    text: body.Body ?? "",
    mediaUrls: body.MediaUrl ?? [],
    sendAt,
    expiresOn: seconds === undefined ? null : new Date((sendAt ?? now).getTime() + seconds * 1000),
    callbackUrl: body.StatusCallback || null,
    callbackShape: "Twilio",
    smartEncoding: body.SmartEncoded ?? false,
  };
}

/** Fields of a MessageOrder → Twilio's parameters. */
const THEIR_FIELDS = tableOf<string>({
  Text: "Body",
  MediaUrls: "MediaUrl",
  ExpiresOn: "ValidityPeriod",
  CallbackUrlOverride: "StatusCallback",
});

type Message = OutboundMessage | InboundMessage;

export interface TwilioMessageDeps {
  readonly acceptMessage: (
    unit: Unit,
    account: Account,
    order: ReadOrder,
    input: { readonly now: Date; readonly request: RequestName },
  ) => Promise<Result<Sent, Problem>>;
  readonly cancelMessage: (
    unit: Unit,
    account: Account,
    sid: string,
    now: Date,
  ) => Promise<Result<OutboundMessage, Problem>>;
}

function showMessage(message: Message, account: Account, now: Date): object {
  const sid = twilioMessageSid(message.sid);
  const uri = `/${API_VERSION}/Accounts/${account.sid}/Messages/${sid}`;
  return {
    account_sid: account.sid,
    api_version: API_VERSION,
    body: message.text,
    date_created: twilioDate(message.createdOn),
    from: message.from,
    messaging_service_sid: null,
    num_segments: String(message.segmentCount),
    price: null,
    price_unit: null,
    sid,
    subresource_uris: { media: `${uri}/Media.json` },
    to: message.to,
    uri: `${uri}.json`,
    ...("media" in message ? receivedFields(message) : sentFields(message, now)),
  };
}

function receivedFields({ createdOn, media }: InboundMessage): object {
  const at = twilioDate(createdOn);
  return {
    date_sent: at,
    date_updated: at,
    direction: "inbound",
    error_code: null,
    error_message: null,
    num_media: String(media.length),
    status: "received",
  };
}

function sentFields(message: OutboundMessage, now: Date): object {
  const { createdOn, sentOn, deliveredOn, sendAt, status, statusReason, messagingConfigSid: config } = message;
  const isScheduled = status === "Queued" && sendAt && sendAt > now && statusReason === WAITING_REASONS.scheduled;
  return {
    date_sent: twilioDate(sentOn),
    date_updated: twilioDate(deliveredOn ?? sentOn ?? createdOn),
    direction: "outbound-api",
    error_code: twilioErrorCode(message.errorCode),
    error_message: message.errorDescription,
    messaging_service_sid: config && `MG${config.slice(2)}`,
    num_media: String(message.mediaUrls.length),
    status: isScheduled ? "scheduled" : twilioMessageStatus(status, sentOn !== null),
  };
}

const noSender = (field: string, message: string) => refused(refusalOf([{ code: 1, field, message }]));

/** The sender, or for a messaging service the oldest active number of that config. */
async function senderOf(
  unit: Unit,
  account: Account,
  {
    From,
    MessagingServiceSid,
  }: { readonly From?: string | undefined; readonly MessagingServiceSid?: string | undefined },
): Promise<Result<string, Problem>> {
  if (From !== undefined) return ok(From);
  if (MessagingServiceSid === undefined) return noSender("From", "From or MessagingServiceSid is required.");
  const messagingConfigSid = MessagingServiceSid.replace(/^MG/, "MC");
  const filter = { status: "Active", messagingConfigSid } as const;
  for (let after: string | undefined; ; ) {
    const page = { size: 1, direction: "Ascending", after } as const;
    const { items, next } = await unit.phones.list(account.sid, page, filter);
    if (items[0]) return ok(items[0].number);
    if (next === undefined) break;
    after = next;
  }
  return noSender("MessagingServiceSid", `No active number belongs to ${MessagingServiceSid.slice(0, 40)}.`);
}

/** Undefined where the account has no such message. */
export async function findMessage(unit: Unit, account: Account, sid: string): Promise<Message | undefined> {
  const own = messageSidOf(sid);
  if (own === undefined) return undefined;
  return own.startsWith("OM")
    ? unit.outboundMessages.find(account.sid, own)
    : unit.inboundMessages.find(account.sid, own);
}

export const twilioMessageOperations: readonly TwilioOperation<TwilioMessageDeps>[] = [
  twilioOperation({
    id: "twilioCreateMessage",
    client: "messages.create",
    summary: "Send a message",
    differs:
      "`MessagingServiceSid` is `MG` and the rest of a MessagingConfig's sid: its oldest active number sends. `ScheduleType` is `fixed`, and needs `SendAt`.",
    route: "POST /Messages.json",
    limit: "send",
    writes: "grouped",
    body: MESSAGE_BODY,
    async handle({ account, body, now, request }, unit, deps) {
      const sender = await senderOf(unit, account, body);
      if (!sender.ok) return sender;
      if (body.ScheduleType && body.SendAt === undefined)
        return refused(invalid({ SendAt: ["ScheduleType needs it: the moment at which the message is sent."] }));
      const order = orderOf(sender.value, body, now);
      const sent = await deps.acceptMessage(unit, account, { order, faults: textFaults(order) }, { now, request });
      if (!sent.ok) return refused(inTheirWords(sent.refusal, THEIR_FIELDS));
      if (sent.value.kind === "dryRun") throw new Error("nobody asked for a dry run");
      return ok({ status: 201, body: showMessage(sent.value.message, account, now) });
    },
  }),
  twilioOperation({
    id: "twilioFetchMessage",
    client: "messages(sid).fetch",
    summary: "A message",
    route: "GET /Messages/{Sid}.json",
    params: { Sid: text(64) },
    async handle({ account, params, now }, unit) {
      const found = await findMessage(unit, account, params.Sid);
      return found ? ok({ status: 200, body: showMessage(found, account, now) }) : NOT_FOUND;
    },
  }),
  twilioOperation({
    id: "twilioListMessages",
    client: "messages.list",
    summary: "List messages, sent and received",
    differs:
      "`DateSent` filters by creation; a TwiML reply that a webhook asked for only more than ten minutes after it was first due may be missing there.",
    route: "GET /Messages.json",
    query: { ...PAGE_QUERY, To: party, From: party, ...timeFilter("DateSent") },
    async handle({ account, query, now }, unit) {
      const request = twilioPageRequest(query);
      if (!request.ok) return request;
      const { from: createdFrom, to: createdTo } = spanOf(query, "DateSent");
      const filters = {
        from: numberFilter(query.From, account.country),
        to: numberFilter(query.To, account.country),
        createdFrom,
        createdTo,
      };
      const page = await mergedPage<Message>(request.value, [
        { prefix: "OM", list: (part) => unit.outboundMessages.list(account.sid, part, filters) },
        { prefix: "IM", list: (part) => unit.inboundMessages.list(account.sid, part, filters) },
      ]);
      const list = { noun: "messages", path: "/Messages.json" };
      return ok({
        status: 200,
        body: pageBody(account, list, query, page, (message) => showMessage(message, account, now)),
      });
    },
  }),
  twilioOperation({
    id: "twilioUpdateMessage",
    client: "messages(sid).update",
    summary: "Cancel a message, or empty its text",
    differs:
      "`Status` is `canceled`, or `Body` is empty. Emptying it is for a message that no longer waits; the event log keeps its events until they expire, and received media stay.",
    route: "POST /Messages/{Sid}.json",
    params: { Sid: text(64) },
    body: { Body: anything, Status: anything },
    async handle({ account, params, body, now }, unit, deps) {
      const sid = messageSidOf(params.Sid);
      if (sid === undefined) return NOT_FOUND;
      if (body.Status === undefined && body.Body === "") {
        return answerWith(await redactMessage(unit, account.sid, sid), (value) => showMessage(value, account, now));
      }
      if (body.Status !== "canceled")
        return refused(invalid({ Status: ["Status is canceled, or Body is empty: nothing else can be changed."] }));
      const canceled = await deps.cancelMessage(unit, account, sid, now);
      if (!canceled.ok) return canceled.refusal.code === "not-found" ? NOT_FOUND : canceled;
      return ok({ status: 200, body: showMessage(canceled.value, account, now) });
    },
  }),
  twilioOperation({
    id: "twilioDeleteMessage",
    client: "messages(sid).remove",
    summary: "Delete a message",
    differs: "One that waits is canceled first. The event log keeps its events until they expire.",
    route: "DELETE /Messages/{Sid}.json",
    params: { Sid: text(64) },
    async handle({ account, params }, unit) {
      const sid = messageSidOf(params.Sid);
      if (sid === undefined) return NOT_FOUND;
      return answerDone(await removeMessage(unit, account.sid, sid));
    },
  }),
];
