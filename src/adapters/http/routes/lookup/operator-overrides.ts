// The operator's overrides of lookup answers.

import { z } from "zod";
import { members, type Part } from "../../../../base/plain-command.ts";
import { ok, type Result, refused } from "../../../../base/result.ts";
import { type LookupOverride, MESSAGING_STATUSES, PHONE_TYPES } from "../../../../domain/lookup/index.ts";
import { invalid, type Problem } from "../../../../domain/problems.ts";
import { operatorOperation, tagged } from "../../core/operation.ts";
import { answerDone, answerPage, answerWith, NOT_FOUND } from "../../core/outcomes.ts";
import { anyText, listOf, listQuery, pageRequestOf, text, timestamp } from "../../core/schemas.ts";
import { numberFaults, readE164 } from "../../reading/read-number.ts";

const numberParams = z.strictObject({ number: anyText(256) });

const OVERRIDES: readonly Part[] = [
  {
    table: members("number, type, status, Carrier = carrierName, note, updatedOn"),
  },
];

const fields = {
  type: z.enum(PHONE_TYPES),
  status: z.enum(MESSAGING_STATUSES),
  carrierName: text(128).nullable(),
};
const override = z
  .strictObject({ number: z.string(), ...fields, note: z.string().nullable(), updatedOn: timestamp })
  .meta({ id: "LookupOverride" });

/** Reads the number of a path and calls `work` with it; what it does not find is refused. */
async function withNumber<Value>(
  given: string,
  work: (number: string) => Promise<Value | undefined>,
): Promise<Result<Value, Problem>> {
  const parsed = readE164(given);
  if (!parsed.ok) return refused(invalid({ number: [parsed.refusal.reason] }));
  const found = await work(parsed.value);
  return found ? ok(found) : NOT_FOUND;
}

export const overrideOperations = tagged("Operator: lookup", [
  operatorOperation({
    id: "listLookupOverrides",
    sdk: "lookupOverrides.list",
    command: { name: "operator overrides list", about: "List the overrides.", shows: OVERRIDES },
    summary: "List lookup overrides",
    route: "GET /LookupOverrides",
    query: listQuery({}),
    answers: { 200: { description: "A page of overrides.", body: listOf("LookupOverrideList", override) } },
    handle: async ({ query }, unit) => answerPage(await unit.overrides.list(pageRequestOf(query))),
  }),
  operatorOperation({
    id: "getLookupOverride",
    sdk: "lookupOverrides.get",
    command: {
      name: "operator overrides show",
      about: "Show the override of a number.",
      arguments: { "<number>": "the number" },
      shows: OVERRIDES,
    },
    summary: "A number's lookup override",
    route: "GET /LookupOverrides/{number}",
    params: numberParams,
    answers: { 200: { description: "The override.", body: override } },
    refusals: ["not-found"],
    furtherFaults: ({ params }) => numberFaults({ number: params.number }),
    handle: async ({ params }, unit) =>
      answerWith(await withNumber(params.number, (number) => unit.overrides.find(number))),
  }),
  operatorOperation({
    id: "putLookupOverride",
    sdk: "lookupOverrides.put",
    command: {
      name: "operator overrides set",
      about: "Say what lookups of a number answer.",
      arguments: { "<number>": "the number" },
      options: {
        "--type <type>": ["type", undefined, { isRequired: true }],
        "--status <status>": ["status", "whether it can be written to: Active, Inactive", { isRequired: true }],
        "--carrier <name>": ["carrierName", "its carrier", { kind: "text" }],
        "--note <text>": ["note", "why, for other operators", { kind: "text" }],
      },
      shows: OVERRIDES,
    },
    summary: "Say what lookups of a number answer",
    route: "PUT /LookupOverrides/{number}",
    params: numberParams,
    body: z
      .strictObject({ ...fields, carrierName: fields.carrierName.optional(), note: text(256).nullable().optional() })
      .meta({ id: "LookupOverrideOrder" }),
    answers: { 200: { description: "The override.", body: override } },
    furtherFaults: ({ params }) => numberFaults({ number: params.number }),
    handle: async ({ params, body: { carrierName = null, note = null, ...rest }, now }, unit) =>
      answerWith(
        await withNumber(params.number, async (number) => {
          const entry: LookupOverride = { number, ...rest, carrierName, note, updatedOn: now };
          await unit.overrides.put(entry);
          return entry;
        }),
      ),
  }),
  operatorOperation({
    id: "deleteLookupOverride",
    sdk: "lookupOverrides.remove",
    command: {
      name: "operator overrides delete",
      about: "Take an override away.",
      arguments: { "<number>": "the number" },
      done: "deleted",
      shows: [{ say: "Lookups of {<number>} answer what is known of it again." }],
    },
    summary: "Take a lookup override away",
    route: "DELETE /LookupOverrides/{number}",
    params: numberParams,
    answers: { 204: { description: "Lookups answer from the other sources again." } },
    refusals: ["not-found"],
    furtherFaults: ({ params }) => numberFaults({ number: params.number }),
    handle: async ({ params }, unit) =>
      answerDone(await withNumber(params.number, (number) => unit.overrides.remove(number))),
  }),
]);
