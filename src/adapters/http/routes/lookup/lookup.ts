// Carrier lookup: one number by GET with exactly the four fields of the specification, up to a thousand by POST.

import { z } from "zod";
import { ok, type Result, refused } from "../../../../base/result.ts";
import { type LookupAnswer, MESSAGING_STATUSES, PHONE_TYPES } from "../../../../domain/lookup/index.ts";
import { invalid } from "../../../../domain/problems.ts";
import { accountOperation, type Operation } from "../../core/operation.ts";
import { anyText } from "../../core/schemas.ts";
import { numberFaults } from "../../reading/read-number.ts";

export interface Lookups {
  one(number: string): Promise<Result<LookupAnswer, { readonly reason: string }>>;
  /** In the order of the input; an invalid number has the reason in its place. */
  many(
    numbers: readonly string[],
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

export interface LookupRouteDeps {
  readonly lookups: Lookups;
}

export function lookupOperations(): readonly Operation<LookupRouteDeps>[] {
  return [
    accountOperation({
      id: "lookUpNumber",
      tag: "Lookup",
      summary: "Lookup a number",
      description:
        "Messaging status, line type and carrier of any phone number. 400 when it cannot be a phone number at all; a number that is possible but in no known range is `Unknown` and `Inactive`.",
      method: "GET",
      path: "/Numbers/{Number}",
      limit: "lookup",
      writes: false,
      params: z.strictObject({
        Number: z.string().describe("The phone number: `+15551234567`, `%2B15551234567` or digits without the plus."),
      }),
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
      refusals: [],
      furtherFaults: ({ params }) => numberFaults({ Number: params.Number }),
      async handle({ params }, _unit, { lookups }) {
        const found = await lookups.one(params.Number);
        if (!found.ok) return refused(invalid({ Number: [found.refusal.reason] }));
        const { info, source, asOf } = found.value;
        const headers = { "X-Lookup-Source": source, "X-Lookup-As-Of": asOf.toISOString() };
        return ok({ status: 200, body: info, headers });
      },
    }),
    accountOperation({
      id: "lookUpNumbers",
      tag: "Lookup",
      summary: "Lookup many numbers",
      description: `Up to ${BATCH_MAX} numbers at once, answered in order; a bad one does not spoil the rest. Costs as many look-ups as it has numbers, from a limit of its own.`,
      method: "POST",
      path: "/Numbers",
      limit: "lookupBatch",
      cost: (body) => body.numbers.length,
      writes: false,
      body: lookupBatch,
      answers: { 200: { description: "One item a number, in order.", body: lookupBatchAnswer } },
      refusals: [],
      async handle({ body }, _unit, { lookups }) {
        const answers = await lookups.many(body.numbers);
        return ok({
          status: 200,
          body: { items: answers.map((answer) => ("info" in answer ? answer.info : answer)) },
        });
      },
    }),
  ];
}
