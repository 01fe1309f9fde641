// The operator's overrides of lookup answers.

import { z } from "zod";
import { members, type Part } from "../../../../base/plain-command.ts";
import { ok, type Result, refused } from "../../../../base/result.ts";
import { type LookupOverride, MESSAGING_STATUSES, PHONE_TYPES } from "../../../../domain/lookup/index.ts";
import { invalid, type Problem, problem } from "../../../../domain/problems.ts";
import { type Operation, operatorOperation } from "../../core/operation.ts";
import { anyText, listBody, listOf, listQuery, pageRequestOf, text, timestamp } from "../../core/schemas.ts";
import { numberFaults, readE164 } from "../../reading/read-number.ts";

const numberParams = z.strictObject({ number: anyText(256) });

const OVERRIDES: readonly Part[] = [
  {
    table: members("number, type, status, Carrier = carrierName, note, updatedOn"),
  },
];

export function overrideOperations(): readonly Operation[] {
  const fields = {
    type: z.enum(PHONE_TYPES),
    status: z.enum(MESSAGING_STATUSES),
    carrierName: text(128).nullable(),
  };
  const override = z
    .strictObject({ number: z.string(), ...fields, note: z.string().nullable(), updatedOn: timestamp })
    .meta({ id: "LookupOverride" });
  const withNumber = async (
    given: string,
    work: (number: string) => Promise<LookupOverride | undefined>,
  ): Promise<Result<LookupOverride, Problem>> => {
    const parsed = readE164(given);
    if (!parsed.ok) return refused(invalid({ number: [parsed.refusal.reason] }));
    const found = await work(parsed.value);
    return found ? ok(found) : refused(problem("not-found"));
  };
  return [
    operatorOperation({
      id: "listLookupOverrides",
      sdk: "lookupOverrides.list",
      command: { name: "operator overrides list", about: "List the overrides.", shows: OVERRIDES },
      tag: "Operator: lookup",
      summary: "List lookup overrides",
      method: "GET",
      path: "/LookupOverrides",
      writes: false,
      query: listQuery({}),
      answers: { 200: { description: "A page of overrides.", body: listOf("LookupOverrideList", override) } },
      refusals: [],
      handle: async ({ query }, unit) =>
        ok({ status: 200, body: listBody(await unit.overrides.list(pageRequestOf(query)), (item) => item) }),
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
      tag: "Operator: lookup",
      summary: "A number's lookup override",
      method: "GET",
      path: "/LookupOverrides/{number}",
      writes: false,
      params: numberParams,
      answers: { 200: { description: "The override.", body: override } },
      refusals: ["not-found"],
      furtherFaults: ({ params }) => numberFaults({ number: params.number }),
      async handle({ params }, unit) {
        const found = await withNumber(params.number, (number) => unit.overrides.find(number));
        return found.ok ? ok({ status: 200, body: found.value }) : found;
      },
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
      tag: "Operator: lookup",
      summary: "Say what lookups of a number answer",
      method: "PUT",
      path: "/LookupOverrides/{number}",
      writes: true,
      params: numberParams,
      body: z
        .strictObject({ ...fields, carrierName: fields.carrierName.optional(), note: text(256).nullable().optional() })
        .meta({ id: "LookupOverrideOrder" }),
      answers: { 200: { description: "The override.", body: override } },
      refusals: [],
      furtherFaults: ({ params }) => numberFaults({ number: params.number }),
      async handle({ params, body, now }, unit) {
        const put = await withNumber(params.number, async (number) => {
          const entry: LookupOverride = {
            number,
            type: body.type,
            status: body.status,
            carrierName: body.carrierName ?? null,
            note: body.note ?? null,
            updatedOn: now,
          };
          await unit.overrides.put(entry);
          return entry;
        });
        return put.ok ? ok({ status: 200, body: put.value }) : put;
      },
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
      tag: "Operator: lookup",
      summary: "Take a lookup override away",
      method: "DELETE",
      path: "/LookupOverrides/{number}",
      writes: true,
      params: numberParams,
      answers: { 204: { description: "Lookups answer from the other sources again." } },
      refusals: ["not-found"],
      furtherFaults: ({ params }) => numberFaults({ number: params.number }),
      async handle({ params }, unit) {
        const parsed = readE164(params.number);
        if (!parsed.ok) return refused(invalid({ number: [parsed.refusal.reason] }));
        return (await unit.overrides.remove(parsed.value)) ? ok({ status: 204 }) : refused(problem("not-found"));
      },
    }),
  ];
}
