// Carrier lookup: one number by GET with exactly the four fields of the specification, everything known about it under
// `details`, up to a thousand by POST.

import { z } from "zod";
import { andThen, type MaybePromise } from "../../../../base/maybe-promise.ts";
import { ok, type Result, refused } from "../../../../base/result.ts";
import {
  CONFIDENCES,
  LOOKUP_SOURCES,
  type LookupAnswer,
  MESSAGING_STATUSES,
  type NumberDetails,
  PHONE_TYPES,
} from "../../../../domain/lookup/index.ts";
import { invalid } from "../../../../domain/problems.ts";
import { accountOperation, tagged } from "../../core/operation.ts";
import { anyText, timestamp } from "../../core/schemas.ts";
import { numberFaults } from "../../reading/read-number.ts";

export interface Lookups {
  details(number: string): Promise<Result<NumberDetails, { readonly reason: string }>>;
  one(number: string): MaybePromise<Result<LookupAnswer, { readonly reason: string }>>;
  /**
   * In the order of the input; an invalid number has the reason in its place. A number without a plus is read in the
   * account's country.
   */
  many(
    numbers: readonly string[],
    country: string | null,
  ): Promise<readonly (LookupAnswer | { readonly number: string; readonly error: string })[]>;
}

const BATCH_MAX = 1000;

export const numberInformation = z
  .strictObject({
    number: z.string().min(1).describe("In international format with a leading plus."),
    status: z
      .enum(MESSAGING_STATUSES)
      .meta({ id: "PhoneMessagingStatus" })
      .describe("Whether it can send and receive messages."),
    type: z.enum(PHONE_TYPES).meta({ id: "PhoneType" }),
    carrierName: z.string().nullable(),
  })
  .meta({ id: "NumberInformation" });

const details = z
  .strictObject({
    ...numberInformation.shape,
    country: z.string().nullable().describe("Two letters (ISO 3166); null: of no single country."),
    callingCode: z.string().describe("Without the plus."),
    nationalFormat: z.string().describe("As it is written in its country."),
    internationalFormat: z.string(),
    location: z.string().nullable().describe("The area in which the number was given out, where that is public."),
    mobileCountryCode: z.string().nullable().describe("MCC of the carrier's network, where it is known."),
    mobileNetworkCode: z.string().nullable().describe("MNC, likewise."),
    ported: z
      .boolean()
      .nullable()
      .describe("Whether it has left the carrier that was given its block; null: not known."),
    source: z.enum(LOOKUP_SOURCES).meta({ id: "LookupSource" }).describe("Where status, type and carrier come from."),
    asOf: timestamp.describe("When that source last knew it."),
    ageSeconds: z.int(),
    confidence: z
      .enum(CONFIDENCES)
      .meta({ id: "LookupConfidence" })
      .describe(
        "High: an override, a number of ours, or a live answer of the last day. Medium: an older live answer, or the table of public assignments, which does not know ported numbers. Low: that table where it is older than two years or knows no type.",
      ),
  })
  .meta({ id: "NumberDetails" });

const failedLookup = z
  .strictObject({
    number: z.string().describe("As it was asked for."),
    error: z.string().describe("Why this is no number."),
  })
  .meta({ id: "FailedLookup" });

const lookupBatch = z
  .strictObject({
    numbers: z.array(anyText(256)).min(1).max(BATCH_MAX),
  })
  .meta({ id: "LookupBatch" });

const lookupBatchAnswer = z
  .strictObject({ items: z.array(z.union([numberInformation, failedLookup])) })
  .meta({ id: "LookupBatchAnswer" });

const numberParams = z.strictObject({
  Number: z.string().describe("The phone number: `+15551234567`, `%2B15551234567` or digits without the plus."),
});

/** There are few different dates, and formatting one takes longer than finding the holder. */
const isoTexts = new WeakMap<Date, string>();

function isoTextOf(date: Date): string {
  const known = isoTexts.get(date);
  if (known !== undefined) return known;
  const text = date.toISOString();
  isoTexts.set(date, text);
  return text;
}

export interface LookupRouteDeps {
  readonly lookups: Lookups;
}

export const lookupOperations = tagged<LookupRouteDeps>("Lookup", [
  accountOperation({
    id: "lookUpNumber",
    sdk: "lookup.number",
    command: "lookup {Number}",
    summary: "Lookup a number",
    description:
      "Messaging status, line type and carrier of any phone number. 400 when it cannot be a phone number at all; a number that is possible but in no known range is `Unknown` and `Inactive`.",
    route: "GET /Numbers/{Number}",
    limit: "lookup",
    isFrequent: true,
    params: numberParams,
    answers: {
      200: {
        description: "What is known of the number.",
        body: numberInformation,
        headers: {
          "X-Lookup-Source": "Where the answer came from: override, own, enum, http, sip or table.",
          "X-Lookup-As-Of": "When that source last knew it.",
        },
      },
    },
    furtherFaults: ({ params }) => numberFaults({ Number: params.Number }),
    handle: ({ params }, _unit, { lookups }) =>
      andThen(lookups.one(params.Number), (found) => {
        if (!found.ok) return refused(invalid({ Number: [found.refusal.reason] }));
        const { info, source, asOf } = found.value;
        const headers = { "X-Lookup-Source": source, "X-Lookup-As-Of": isoTextOf(asOf) };
        return ok({ status: 200, body: info, headers });
      }),
  }),
  accountOperation({
    id: "lookUpNumberDetails",
    sdk: "lookup.details",
    command: "lookup --details {Number}",
    summary: "Lookup a number, with all that is known of it",
    description:
      "What a lookup answers, and country, spellings, area, network, portability, source, age and confidence. Costs as much as a lookup.",
    route: "GET /Numbers/{Number}/details",
    limit: "lookup",
    params: numberParams,
    answers: { 200: { description: "What is known of the number.", body: details } },
    furtherFaults: ({ params }) => numberFaults({ Number: params.Number }),
    async handle({ params }, _unit, { lookups }) {
      const found = await lookups.details(params.Number);
      return found.ok ? ok({ status: 200, body: found.value }) : refused(invalid({ Number: [found.refusal.reason] }));
    },
  }),
  accountOperation({
    id: "lookUpNumbers",
    sdk: "lookup.numbers(numbers)",
    command: "lookup {numbers}",
    summary: "Lookup many numbers",
    description: `Up to ${BATCH_MAX} numbers at once, answered in order; a bad one does not spoil the rest. Costs as many look-ups as it has numbers, from a limit of its own.`,
    route: "POST /Numbers",
    isRead: true,
    limit: "lookupBatch",
    cost: (body) => body.numbers.length,
    writes: false,
    body: lookupBatch,
    answers: { 200: { description: "One item a number, in order.", body: lookupBatchAnswer } },
    async handle({ account, body }, _unit, { lookups }) {
      const answers = await lookups.many(body.numbers, account.country);
      return ok({
        status: 200,
        body: { items: answers.map((answer) => ("info" in answer ? answer.info : answer)) },
      });
    },
  }),
]);
