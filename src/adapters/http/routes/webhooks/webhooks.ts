// Subscriptions: where events go.

import { z } from "zod";
import type { Ids } from "../../../../base/ids.ts";
import { members, type Part } from "../../../../base/plain-command.ts";
import { ok, type Result, refused } from "../../../../base/result.ts";
import type { Account } from "../../../../domain/accounts/index.ts";
import {
  EVENT_SAMPLES,
  EVENT_TYPES,
  type EventType,
  eventTypeOf,
  SUBSCRIBED_TYPES,
  type SubscribedType,
  TEST_RESOURCE,
} from "../../../../domain/events.ts";
import { findServing, unknownConfig } from "../../../../domain/numbers/index.ts";
import { type FieldErrors, invalid, problem } from "../../../../domain/problems.ts";
import {
  changeSubscription,
  makeSubscription,
  PAYLOAD_SHAPES,
  rotateSecret,
  type Subscription,
  sampledType,
  subscribedTypes,
} from "../../../../domain/webhooks/index.ts";
import { accountOperation, tagged } from "../../core/operation.ts";
import { answerCreated, answerFound, answerPage, answerWith } from "../../core/outcomes.ts";
import type { Unit } from "../../core/ports.ts";
import { idsFor } from "../../core/request-context.ts";
import { anyText, listOf, listQuery, pageRequestOf, sidParams, timestamp } from "../../core/schemas.ts";
import { ownNumberFaults, readOwnNumber } from "../../reading/read-number.ts";
import { deliverySchema, eventTypeSchema, showDelivery } from "./deliveries.ts";

export interface WebhookRouteDeps {
  readonly ids: Ids;
  readonly newSecret: () => string;
  /** Refuses a URL to which events must not be sent. */
  readonly checkUrl: (url: string) => Result<unknown, string>;
}

const URL_LENGTH_MAX = 2048;

const url = anyText(URL_LENGTH_MAX, 1);
const bearer = z
  .string()
  .regex(/^[\x21-\x7e]{1,1024}$/, "1 to 1024 visible ASCII characters are allowed.")
  .describe("Sent as `Authorization: Bearer …`; never shown again.");
const shape = z
  .enum(PAYLOAD_SHAPES)
  .describe("A: capitalised names. B: lower camel case. Twilio: that provider's form parameters.");

export const subscriptionSchema = z
  .strictObject({
    sid: z.string(),
    type: z.enum(EVENT_TYPES).meta({ id: "EventType" }).optional().describe("When there is one alone."),
    types: z.array(z.enum(SUBSCRIBED_TYPES).meta({ id: "SubscribedType" })),
    url: z.string(),
    backupUrl: z.string().nullable(),
    messagingConfigSid: z.string().nullable(),
    phone: z.string().nullable(),
    payloadShape: z.enum(PAYLOAD_SHAPES).meta({ id: "PayloadShape" }),
    enabled: z.boolean(),
    disabledReason: z.string().nullable().describe("Why it was switched off, unless its owner did it."),
    createdOn: timestamp,
    lastSuccessOn: timestamp.nullable(),
  })
  .meta({ id: "WebhookSubscription" });

const withSecretSchema = z
  .strictObject({ ...subscriptionSchema.shape, secret: z.string().describe("`whsec_…`, shown here and never again.") })
  .meta({ id: "WebhookSubscriptionWithSecret" });

export function showSubscription(subscription: Subscription): object {
  const { accountSid: _, hasBearer: __, method: ___, backupMethod: ____, sid, types, ...rest } = subscription;
  const [type, ...others] = types;
  return { sid, ...(type === "*" || others.length > 0 ? {} : { type }), types, ...rest };
}

const subscribedType = z
  .string()
  .refine(
    (value) => value === "*" || eventTypeOf(value) !== undefined,
    `One of these is allowed: ${SUBSCRIBED_TYPES.join(", ")}.`,
  )
  .meta({ enum: SUBSCRIBED_TYPES });

const webhookOrder = z
  .strictObject({
    type: eventTypeSchema.optional(),
    types: z
      .array(subscribedType)
      .min(1)
      .max(SUBSCRIBED_TYPES.length)
      .optional()
      .describe("Instead of `type`: several, or `*` for all but InboundCallReceivedWebhook, which must be named."),
    url,
    backupUrl: url.nullable().optional().describe("Tried at once when `url` fails."),
    messagingConfigSid: z
      .string()
      .regex(/^MC[0-9a-f]{32}$/, "This is no sid of a MessagingConfig.")
      .nullable()
      .optional()
      .describe("Narrows it to a config or to a number; one of the two."),
    phone: anyText(64).nullable().optional(),
    authorizationBearer: bearer.nullable().optional(),
    payloadShape: shape.default("A"),
    enabled: z.boolean().default(true),
  })
  .check(({ value, issues }) => {
    // A member that could not be read is undefined, and its fault is already reported.
    const tell = (path: string, message: string) => issues.push({ code: "custom", input: null, path: [path], message });
    if ("type" in value && "types" in value) tell("types", "Give type or types, not both.");
    if (!("type" in value || "types" in value)) tell("type", "This is required, unless there are types.");
  })
  .meta({
    id: "WebhookOrder",
    oneOf: [
      { required: ["type"], properties: { type: { type: "string" } } },
      { required: ["types"], properties: { types: { type: "array", items: {} } } },
    ],
  });

function typesOf({ type, types = [] }: z.output<typeof webhookOrder>): readonly SubscribedType[] {
  const given = type === undefined ? types : [type];
  return subscribedTypes(given.map((text) => (text === "*" ? text : (eventTypeOf(text) as EventType))));
}

/** Faults of the given URLs, by field. */
function urlFaults(deps: WebhookRouteDeps, urls: Readonly<Record<string, string | null | undefined>>): FieldErrors {
  const faults: Record<string, string[]> = {};
  for (const [field, value] of Object.entries(urls)) {
    if (typeof value !== "string") continue;
    const checked = deps.checkUrl(value);
    if (!checked.ok) faults[field] = [checked.refusal];
  }
  return faults;
}

interface GivenScope {
  readonly messagingConfigSid?: string | null | undefined;
  readonly phone?: string | null | undefined;
}

/** What a subscription is limited to, and its faults. */
async function readScope(
  unit: Unit,
  { sid: accountSid, country }: Account,
  { messagingConfigSid = null, phone = null }: GivenScope,
) {
  const faults: Record<string, readonly string[]> = {};
  if (messagingConfigSid !== null && !(await unit.messagingConfigs.find(accountSid, messagingConfigSid)))
    faults.messagingConfigSid = [unknownConfig(messagingConfigSid)];
  const number = phone === null ? undefined : await readOwnNumber(unit.phones, accountSid, phone, country);
  if (number && messagingConfigSid !== null) faults.phone = ["Give messagingConfigSid or phone, not both."];
  else if (number && !number.ok) faults.phone = [number.refusal.reason];
  else if (number?.ok && !(await findServing(unit.phones, accountSid, number.value)).ok)
    faults.phone = ["This is not one of your numbers: see GET /v1/Phones."];
  return { messagingConfigSid, phone: number?.ok ? number.value : null, faults };
}

interface GivenOrder extends GivenScope {
  readonly url?: string | undefined;
  readonly backupUrl?: string | null | undefined;
}

/** The faults that can be found without the store. */
function orderFaults(
  deps: WebhookRouteDeps,
  { url, backupUrl, messagingConfigSid, phone }: GivenOrder,
  country: string | null,
): FieldErrors {
  const isBoth = typeof phone === "string" && typeof messagingConfigSid === "string";
  const scope = isBoth
    ? { phone: ["Give messagingConfigSid or phone, not both."] }
    : ownNumberFaults({ phone }, country);
  return { ...urlFaults(deps, { url, backupUrl }), ...scope };
}

/** For accounts and for the operator, who also sees the account of each. */
export const SUBSCRIPTIONS: readonly Part[] = [
  {
    table: {
      ...members("Account? = accountSid, sid"),
      Types: ["{types}", ""],
      Receiver: ["{url}, else {backupUrl}", "{url}"],
      For: ["{phone}", "{messagingConfigSid}", "everything"],
      Shape: "{payloadShape}",
      State: ["{enabled?on}", "off: {disabledReason}", "off"],
      "Last success": "{lastSuccessOn}",
    },
  },
];
const INSTEAD = "print JSON instead of a table";
const SHAPE = ["payloadShape", "of the payload: A, B or Twilio"] as const;

export const webhookOperations = tagged<WebhookRouteDeps>("Webhooks", [
  accountOperation({
    id: "createWebhook",
    sdk: "webhooks.create",
    command: {
      name: "webhooks create",
      about: "Send the events of some types to a URL. Prints the signing secret, which is shown this once.",
      arguments: { "<receiver>": ["url", "the URL that gets them"] },
      options: {
        "--type <type>": [
          "types",
          "an event type; may be given several times. '*' is all but InboundCallReceivedWebhook, which must be named",
          { kind: "eventTypes", isRequired: true },
        ],
        "--backup-url <url>": ["backupUrl", "tried at once when the receiver fails", { kind: "text" }],
        "--phone <number>": ["phone", "only events of this number", { kind: "text" }],
        "--config <sid>": [
          "messagingConfigSid",
          "only events of this MessagingConfig",
          { kind: "text", conflicts: "phone" },
        ],
        "--bearer <token>": ["authorizationBearer", "sent as Authorization: Bearer …", { kind: "text" }],
        "--shape <shape>": SHAPE,
        "--off": ["enabled", "made, but not switched on", { value: false }],
      },
      json: INSTEAD,
      shows: [...SUBSCRIPTIONS, { print: "\nSigning secret, shown this once: {secret}" }],
    },
    summary: "Subscribe to event types",
    description:
      "Narrow it to a MessagingConfig or to a number of yours with `messagingConfigSid` or `phone`: a narrower subscription takes the place of wider ones for its events. Of `InboundCallReceivedWebhook` one is enabled per scope, because it is answered. An account may have as many as `limits.webhooks` of `GET /v1/Account` says.",
    route: "POST /Webhooks",
    body: webhookOrder,
    answers: {
      201: { description: "The subscription with its signing secret, shown once.", body: withSecretSchema },
    },
    refusals: ["conflict", "too-many-webhooks"],
    furtherFaults: ({ body, country }, deps) => orderFaults(deps, body, country),
    async handle({ account, body, now, request }, unit, deps) {
      const scope = await readScope(unit, account, body);
      const faults = { ...urlFaults(deps, { url: body.url, backupUrl: body.backupUrl }), ...scope.faults };
      if (Object.keys(faults).length > 0) return refused(invalid(faults));
      const secret = deps.newSecret();
      const subscription = {
        sid: idsFor(request, deps.ids, "WS").sid("WS"),
        accountSid: account.sid,
        types: typesOf(body),
        url: body.url,
        backupUrl: body.backupUrl ?? null,
        messagingConfigSid: scope.messagingConfigSid,
        phone: scope.phone,
        payloadShape: body.payloadShape,
        enabled: body.enabled,
        bearer: body.authorizationBearer ?? null,
        createdOn: now,
      };
      return answerCreated(await makeSubscription(unit.subscriptions, account, subscription, secret), (made) => ({
        ...showSubscription(made),
        secret,
      }));
    },
  }),
  accountOperation({
    id: "listWebhooks",
    sdk: "webhooks.list",
    command: { name: "webhooks list", about: "List the subscriptions.", shows: SUBSCRIPTIONS },
    summary: "List subscriptions",
    route: "GET /Webhooks",
    query: listQuery({}),
    answers: { 200: { description: "A page of subscriptions.", body: listOf("WebhookList", subscriptionSchema) } },
    handle: async ({ account, query }, unit) =>
      answerPage(await unit.subscriptions.list({ accountSid: account.sid }, pageRequestOf(query)), showSubscription),
  }),
  accountOperation({
    id: "listWebhookTypes",
    sdk: "webhooks.types",
    command: {
      name: "webhooks types",
      about: "List the event types; with --json, each with a sample.",
      json: "print JSON",
      shows: [{ lines: "{type}" }],
    },
    summary: "Event types, each with a sample of its fields",
    route: "GET /Webhooks/types",
    answers: {
      200: {
        description: "The types.",
        body: listOf("WebhookTypeList", z.strictObject({ type: z.enum(EVENT_TYPES), sample: z.unknown() })),
      },
    },
    handle: async () =>
      ok({ status: 200, body: { items: EVENT_TYPES.map((type) => ({ type, sample: EVENT_SAMPLES[type] })) } }),
  }),
  accountOperation({
    id: "getWebhook",
    sdk: "webhooks.get",
    command: {
      name: "webhooks show",
      about: "Show a subscription.",
      arguments: { "<sid>": "the subscription" },
      json: INSTEAD,
      shows: SUBSCRIPTIONS,
    },
    summary: "A subscription",
    route: "GET /Webhooks/{sid}",
    params: sidParams,
    answers: { 200: { description: "The subscription.", body: subscriptionSchema } },
    refusals: ["not-found"],
    handle: async ({ account, params }, unit) =>
      answerFound(await unit.subscriptions.find(account.sid, params.sid), showSubscription),
  }),
  accountOperation({
    id: "changeWebhook",
    sdk: "webhooks.change",
    command: [
      {
        name: "webhooks change",
        about: "Change a subscription: only what is given.",
        arguments: { "<sid>": "the subscription" },
        options: {
          "--receiver <url>": ["url", "the URL that gets the events"],
          "--backup-url <url>": ["backupUrl", "tried at once when the receiver fails; none for none"],
          "--bearer <token>": ["authorizationBearer", "sent as Authorization: Bearer …; none for none"],
          "--shape <shape>": SHAPE,
        },
        needs: "Say what to change: --receiver, --backup-url, --bearer or --shape.",
        json: INSTEAD,
        shows: SUBSCRIPTIONS,
      },
      {
        name: "webhooks enable",
        about: "Switch a subscription on, also one that was switched off because its receiver failed for days.",
        arguments: { "<sid>": "the subscription" },
        sets: { enabled: true },
        json: INSTEAD,
        shows: SUBSCRIPTIONS,
      },
      {
        name: "webhooks disable",
        about: "Switch a subscription off. Events of that time are not delivered later; tandem events list has them.",
        arguments: { "<sid>": "the subscription" },
        sets: { enabled: false },
        json: INSTEAD,
        shows: SUBSCRIPTIONS,
      },
    ],
    summary: "Change a subscription",
    description: "Only the members given are changed. Enabling it again forgets why it was switched off.",
    route: "PATCH /Webhooks/{sid}",
    params: sidParams,
    body: z
      .strictObject({
        url: url.optional(),
        backupUrl: url.nullable().optional(),
        authorizationBearer: bearer.nullable().optional(),
        payloadShape: shape.optional(),
        enabled: z.boolean().optional(),
      })
      .meta({ id: "WebhookChange" }),
    answers: { 200: { description: "The subscription as it is now.", body: subscriptionSchema } },
    refusals: ["not-found", "conflict"],
    furtherFaults: ({ body }, deps) => urlFaults(deps, { url: body.url, backupUrl: body.backupUrl }),
    async handle({ account, params, body }, unit, deps) {
      const faults = urlFaults(deps, { url: body.url, backupUrl: body.backupUrl });
      if (Object.keys(faults).length > 0) return refused(invalid(faults));
      const { authorizationBearer, ...rest } = body;
      const change = { ...rest, bearer: authorizationBearer };
      return answerWith(
        await changeSubscription(unit.subscriptions, account.sid, params.sid, change),
        showSubscription,
      );
    },
  }),
  accountOperation({
    id: "deleteWebhook",
    sdk: "webhooks.remove",
    command: {
      name: "webhooks delete",
      about: "Delete a subscription. What is still to be delivered by it is not.",
      arguments: { "<sid>": "the subscription" },
      done: "deleted",
      shows: [{ say: "{<sid>} is deleted." }],
    },
    summary: "Delete a subscription",
    description: "What is still to be delivered to it is canceled.",
    route: "DELETE /Webhooks/{sid}",
    params: sidParams,
    answers: { 204: { description: "It is gone." } },
    refusals: ["not-found"],
    handle: async ({ account, params, now }, unit) =>
      (await unit.subscriptions.remove(account.sid, params.sid, now))
        ? ok({ status: 204 })
        : refused(problem("not-found")),
  }),
  accountOperation({
    id: "rotateWebhookSecret",
    sdk: "webhooks.rotateSecret",
    command: {
      name: "webhooks rotate",
      about: "Make a new signing secret, shown this once. For 24 hours the old one signs, too.",
      arguments: { "<sid>": "the subscription" },
      shows: [{ print: "Signing secret, shown this once: {secret}" }],
    },
    summary: "Make a new signing secret",
    description:
      "Every replaced one signs too for 24 hours: a delivery carries all their signatures. A sixth within that time is refused with 409.",
    route: "POST /Webhooks/{sid}/rotateSecret",
    params: sidParams,
    answers: { 200: { description: "The subscription with its new secret, shown once.", body: withSecretSchema } },
    refusals: ["not-found", "conflict"],
    async handle({ account, params, now }, unit, deps) {
      const secret = deps.newSecret();
      return answerWith(await rotateSecret(unit.subscriptions, account.sid, params.sid, secret, now), (value) => ({
        ...showSubscription(value),
        secret,
      }));
    },
  }),
  accountOperation({
    id: "testWebhook",
    sdk: "webhooks.test",
    command: "webhooks test {sid}",
    summary: "Send a sample event to a subscription",
    description:
      "Of the first of its types, even if it is switched off. It carries the header `X-Event-Test: true`. Look at the delivery to see what became of it.",
    route: "POST /Webhooks/{sid}/test",
    params: sidParams,
    answers: { 202: { description: "The delivery, on its way.", body: deliverySchema } },
    refusals: ["not-found"],
    async handle({ account, params, now }, unit, deps) {
      const subscription = await unit.subscriptions.find(account.sid, params.sid);
      if (!subscription) return refused(problem("not-found"));
      const type = sampledType(subscription);
      const resourceSid = deps.ids.sid(TEST_RESOURCE);
      const event = { accountSid: account.sid, type, resourceSid, fields: EVENT_SAMPLES[type], onlyTo: params.sid };
      await unit.outbox.emit([event], now);
      const made = await unit.deliveries.list(account.sid, { size: 1, direction: "Ascending" }, { resourceSid });
      const [delivery] = made.items;
      if (!delivery) throw new Error("a test event made no delivery");
      return ok({ status: 202, body: showDelivery(delivery) });
    },
  }),
]);
