// Deliveries with their attempts, and their replay.

import { z } from "zod";
import { members } from "../../../../base/plain-command.ts";
import { ok, type Result, refused } from "../../../../base/result.ts";
import { EVENT_TYPES, type EventType, eventTypeOf } from "../../../../domain/events.ts";
import { type FieldErrors, invalid, type Problem, problem } from "../../../../domain/problems.ts";
import {
  DELIVERY_STATUSES,
  type Delivery,
  type FormWriter,
  payloadOf,
  type ReplayOrder,
} from "../../../../domain/webhooks/index.ts";
import { accountOperation, tagged } from "../../core/operation.ts";
import { answerPage } from "../../core/outcomes.ts";
import type { Unit } from "../../core/ports.ts";
import { anyText, dateOf, listOf, listQuery, pageRequestOf, sidParams, text, timestamp } from "../../core/schemas.ts";
import { readCallbackUrl } from "../../reading/callback-url.ts";

export interface DeliveryRouteDeps {
  readonly checkUrl: (url: string) => Result<unknown, string>;
  readonly writeForm: FormWriter;
}

const REPLAYED_MAX = 10_000;

const deliveryStatus = z.enum(DELIVERY_STATUSES).meta({ id: "DeliveryStatus" });

const headersSchema = z.array(z.strictObject({ name: z.string(), value: z.string() }).meta({ id: "AttemptHeader" }));

export const deliverySchema = z
  .strictObject({
    sid: z.string().describe("The `webhook-id` of every attempt."),
    subscriptionSid: z.string(),
    type: z.enum(EVENT_TYPES),
    resourceSid: z.string(),
    sequence: z.int().describe("Counts the events of the resource from 1."),
    status: deliveryStatus,
    attemptCount: z.int(),
    nextAttemptOn: timestamp.nullable(),
    createdOn: timestamp,
    finishedOn: timestamp.nullable(),
    attempts: z.array(
      z
        .strictObject({
          at: timestamp,
          url: z.string(),
          status: z.int().nullable().describe("The receiver's HTTP status; null when none came."),
          failure: z.string().nullable().describe("Why there was none."),
          ms: z.int(),
          answer: z.string().nullable().describe("The first 4 KiB of the answer."),
          requestHeaders: headersSchema
            .nullable()
            .describe("What authorises is hidden. Null where not kept: of attempts that succeeded, 50 a second are."),
          answerHeaders: headersSchema.nullable().describe("Null where none came, or where not kept."),
          timing: z
            .strictObject({
              dnsMs: z.int().nullable().describe("Null on a connection that was there already."),
              connectMs: z.int().nullable().describe("TCP and TLS; null on a connection that was there already."),
              firstByteMs: z.int().nullable().describe("From the beginning to the first byte of the answer."),
              totalMs: z.int(),
            })
            .nullable()
            .meta({ id: "AttemptTiming" }),
        })
        .meta({ id: "DeliveryAttempt" }),
    ),
  })
  .meta({ id: "WebhookDelivery" });

const deliveryWithBodySchema = deliverySchema
  .safeExtend({
    body: z
      .string()
      .nullable()
      .describe("What is sent, octet for octet, in the subscription's present shape. Null when the event is gone."),
  })
  .meta({ id: "DeliveryWithBody" });

/** The octets that the signature of an attempt covers. */
async function bodyOf(
  unit: Unit,
  { writeForm }: DeliveryRouteDeps,
  accountSid: string,
  { sid, subscriptionSid, payloadShape }: Delivery,
) {
  const event = await unit.deliveries.eventOf(accountSid, sid);
  if (!event) return null;
  const shape = payloadShape ?? (await unit.subscriptions.find(accountSid, subscriptionSid))?.payloadShape ?? "A";
  return payloadOf(event, shape, sid, writeForm).text;
}

export function showDelivery({ attempts, payloadShape: _, ...delivery }: Delivery): object {
  return {
    ...delivery,
    attempts: attempts.map(({ exchange, ...attempt }) => ({
      ...attempt,
      requestHeaders: exchange?.requestHeaders ?? null,
      answerHeaders: exchange?.answerHeaders ?? null,
      timing: exchange?.timing ?? null,
    })),
  };
}

const SUBSCRIPTION_GONE = "The subscription of this delivery is gone: give a url to send it to.";

const replayUrl = anyText(2048, 1)
  .optional()
  .describe("Instead of the subscription's own, and then without its bearer.");
/** Accepts a type with or without the `Webhook` suffix, in any case; documents the exact types. */
export const eventTypeSchema = z
  .string()
  .refine((value) => eventTypeOf(value) !== undefined, `One of these is allowed: ${EVENT_TYPES.join(", ")}.`)
  .meta({ enum: EVENT_TYPES });
const moment = z.iso.datetime({ offset: true }).describe("ISO 8601.");
const typeOf = (value: string | undefined): EventType | undefined =>
  value === undefined ? undefined : eventTypeOf(value);

function urlFaults(checkUrl: DeliveryRouteDeps["checkUrl"], url: string | undefined): FieldErrors {
  const checked = url === undefined ? undefined : checkUrl(url);
  return checked && !checked.ok ? { url: [checked.refusal] } : {};
}

export const deliveryOperations = tagged<DeliveryRouteDeps>("Webhooks", [
  accountOperation({
    id: "listDeliveries",
    sdk: "deliveries.list",
    command: {
      name: "webhooks deliveries",
      about: "List deliveries, the newest first.",
      options: {
        "--status <status>": ["Status"],
        "--type <type>": ["Type", "of this event type", { kind: "eventType" }],
        "--since <time>": ["CreatedOnFrom", "made since then: 30m, 2h, 3d ago, or 2026-01-31T09:00:00Z"],
        "--until <time>": ["CreatedOnTo", "made until then"],
        "--webhook <sid>": ["SubscriptionSid", "of this subscription"],
        "--resource <sid>": ["ResourceSid", "about this message, call, …"],
      },
      isLimited: true,
      json: "print JSON with every attempt instead of a table",
      shows: [
        {
          table: {
            ...members("Made = createdOn, sid, type, resourceSid, status, Attempts = attemptCount"),
            "Last answer": "{attempts|last}",
            "Next attempt": "{nextAttemptOn}",
          },
        },
      ],
    },
    summary: "List deliveries with every attempt",
    route: "GET /Webhooks/deliveries",
    isSeenByOperators: true,
    query: listQuery({
      Type: eventTypeSchema.optional(),
      Status: deliveryStatus.optional(),
      SubscriptionSid: text(64).optional(),
      ResourceSid: text(64).optional(),
      CreatedOnFrom: moment.optional(),
      CreatedOnTo: moment.optional(),
    }),
    answers: { 200: { description: "A page of deliveries.", body: listOf("DeliveryList", deliverySchema) } },
    handle: async ({ account, query }, unit) =>
      answerPage(
        await unit.deliveries.list(account.sid, pageRequestOf(query), {
          type: typeOf(query.Type),
          status: query.Status,
          subscriptionSid: query.SubscriptionSid,
          resourceSid: query.ResourceSid,
          from: dateOf(query.CreatedOnFrom),
          to: dateOf(query.CreatedOnTo),
        }),
        showDelivery,
      ),
  }),
  accountOperation({
    id: "getDelivery",
    sdk: "deliveries.get",
    command: {
      name: "webhooks delivery",
      about: "Show a delivery, with every attempt and what the receiver answered.",
      arguments: { "<sid>": "the delivery" },
      shows: [
        {
          fields: members(
            "sid, type, resourceSid, Webhook = subscriptionSid, status, Made = createdOn, Next attempt = nextAttemptOn",
          ),
        },
        {
          table: {
            ...members("at, Receiver = url"),
            Result: ["{status}", "{failure}", "none"],
            ...members("Milliseconds = ms, answer"),
          },
          of: "attempts",
        },
      ],
    },
    summary: "A delivery with its body and every attempt",
    route: "GET /Webhooks/deliveries/{sid}",
    isSeenByOperators: true,
    params: sidParams,
    answers: { 200: { description: "The delivery.", body: deliveryWithBodySchema } },
    refusals: ["not-found"],
    async handle({ account, params }, unit, deps) {
      const found = await unit.deliveries.find(account.sid, params.sid);
      if (!found) return refused(problem("not-found"));
      const body = await bodyOf(unit, deps, account.sid, found);
      return ok({ status: 200, body: { ...showDelivery(found), body } });
    },
  }),
  accountOperation({
    id: "replayDelivery",
    sdk: "deliveries.replay",
    command: "webhooks replay {sid} [--to-url url]",
    summary: "Deliver once more",
    description:
      "Under the same `webhook-id`, so that a receiver that has it already can tell. 409 when its subscription is gone, unless `url` is given: there it goes without a bearer, and signed with the account's own secret when the subscription's is gone.",
    route: "POST /Webhooks/deliveries/{sid}/replay",
    params: sidParams,
    body: z.strictObject({ url: replayUrl }).meta({ id: "ReplayOneOrder" }).optional(),
    answers: { 202: { description: "The delivery, on its way again.", body: deliverySchema } },
    refusals: ["not-found", "conflict"],
    furtherFaults: ({ body }, { checkUrl }) => urlFaults(checkUrl, body?.url),
    async handle({ account, params, body, now }, unit, { checkUrl }) {
      const order = { sids: [params.sid], filters: {}, url: body?.url, now, limit: 1 };
      const count = await replay({ unit, checkUrl }, account.sid, order);
      if (!count.ok) return count;
      const found = await unit.deliveries.find(account.sid, params.sid);
      if (!found) return refused(problem("not-found"));
      return count.value > 0
        ? ok({ status: 202, body: showDelivery(found) })
        : refused(problem("conflict", SUBSCRIPTION_GONE));
    },
  }),
  accountOperation({
    id: "replayDeliveries",
    sdk: "deliveries.replayMany",
    summary: "Deliver many once more",
    description: `Everything that fits the filters, the oldest ${REPLAYED_MAX} at most: to recover after an outage give \`status\` Failed and \`from\`. To another \`url\` they go without the bearer. Those whose subscription is gone are left out, unless \`url\` is given: then the account's own secret signs. What is being delivered in this moment is left out.`,
    route: "POST /Webhooks/deliveries/replay",
    body: z
      .strictObject({
        type: eventTypeSchema.optional(),
        status: deliveryStatus.optional(),
        subscriptionSid: text(64).optional(),
        from: moment.optional(),
        to: moment.optional(),
        url: replayUrl,
      })
      .meta({ id: "ReplayOrder" }),
    answers: {
      202: {
        description: "How many are on their way again.",
        body: z
          .strictObject({ replayed: z.int(), complete: z.boolean().describe("False when there may be more.") })
          .meta({ id: "ReplayAnswer" }),
      },
    },
    furtherFaults: ({ body }, { checkUrl }) => urlFaults(checkUrl, body.url),
    async handle({ account, body, now }, unit, { checkUrl }) {
      const { status, subscriptionSid } = body;
      const span = { from: dateOf(body.from), to: dateOf(body.to) };
      const filters = { type: typeOf(body.type), status, subscriptionSid, ...span };
      const order = { filters, url: body.url, now, limit: REPLAYED_MAX };
      const count = await replay({ unit, checkUrl }, account.sid, order);
      if (!count.ok) return count;
      return ok({ status: 202, body: { replayed: count.value, complete: count.value < REPLAYED_MAX } });
    },
  }),
]);

async function replay(
  { unit, checkUrl }: Pick<DeliveryRouteDeps, "checkUrl"> & { readonly unit: Unit },
  accountSid: string,
  { url, ...order }: Omit<ReplayOrder, "url" | "payloadShape"> & { readonly url: string | undefined },
): Promise<Result<number, Problem>> {
  const faults = urlFaults(checkUrl, url);
  if (Object.keys(faults).length > 0) return refused(invalid(faults));
  if (url !== undefined) await unit.callbackSecrets.ensure(accountSid, order.now);
  const to = url === undefined ? { url: null, shape: null } : readCallbackUrl(url);
  return ok(await unit.deliveries.replay(accountSid, { ...order, url: to.url, payloadShape: to.shape }));
}
