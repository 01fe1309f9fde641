// The numbers that accounts can take, or that the operator assigns to them.

import { z } from "zod";
import { members } from "../../../../base/plain-command.ts";
import { ok, refused } from "../../../../base/result.ts";
import { callingCodeOf } from "../../../../domain/lookup/index.ts";
import {
  assignPhone,
  type InventoryNumber,
  isShortCode,
  NUMBER_FEATURES,
  SHORT_CODE_FEATURES,
} from "../../../../domain/numbers/index.ts";
import { type FieldErrors, invalid, problem } from "../../../../domain/problems.ts";
import { operatorOperation, tagged } from "../../core/operation.ts";
import { answerCreated, answerPage } from "../../core/outcomes.ts";
import { anyText, listOf, listQuery, pageRequestOf, text, timestamp } from "../../core/schemas.ts";
import { numberListFaults, ownNumberFaults, readE164, readStockNumber } from "../../reading/read-number.ts";
import { configSid, PHONE, PHONE_OPTIONS, phoneName, phoneSchema, showPhone } from "./phones.ts";

const countryOfCodes = z
  .string()
  .regex(/^[A-Za-z]{2}$/, "A country is its two ISO letters.")
  .toUpperCase()
  .describe("Of short codes.");

interface GivenStock {
  readonly numbers?: readonly (string | undefined)[] | undefined;
  readonly country?: string | undefined;
}

function stockFaults({ numbers = [], country }: GivenStock): FieldErrors {
  if (country === undefined) {
    const faults = Object.entries(numberListFaults("numbers", numbers));
    const advice = (field: string) => {
      const text = numbers[Number(/\d+/.exec(field)?.[0])];
      return text !== undefined && isShortCode(text.trim()) ? ["A short code is given with its country."] : [];
    };
    return Object.fromEntries(faults.map(([field, messages]) => [field, [...messages, ...advice(field)]]));
  }
  const wrong = [...numbers.entries()].filter(([, text]) => text !== undefined && !isShortCode(text.trim()));
  return {
    ...(callingCodeOf(country) === undefined ? { country: [`There is no country ${country}.`] } : {}),
    ...Object.fromEntries(wrong.map(([at]) => [`numbers[${at}]`, ["A short code has 3 to 8 digits."]])),
  };
}

const numberParams = z.strictObject({ number: anyText(256) });

const features = z.array(z.enum(NUMBER_FEATURES).meta({ id: "NumberFeature" })).max(8);
const inventoryNumber = z
  .strictObject({
    number: z.string(),
    country: z.string().nullable().describe("Of a short code."),
    features,
    createdOn: timestamp,
  })
  .meta({ id: "InventoryNumber" });

export const inventoryOperations = tagged("Operator: numbers", [
  operatorOperation({
    id: "listInventory",
    sdk: "numbers.list",
    command: {
      name: "operator inventory list",
      about: "List the inventory.",
      shows: [{ table: { ...members("number, country"), Features: ["{features}", ""], Added: "{createdOn}" } }],
    },
    summary: "List the number inventory",
    route: "GET /Numbers",
    query: listQuery({}),
    answers: { 200: { description: "A page of numbers.", body: listOf("InventoryList", inventoryNumber) } },
    handle: async ({ query }, unit) => answerPage(await unit.inventory.list(pageRequestOf(query))),
  }),
  operatorOperation({
    id: "addInventory",
    sdk: "numbers.add",
    command: {
      name: "operator inventory add",
      about: "Add numbers to the inventory; all or none.",
      arguments: { "<number...>": ["numbers", "the numbers"] },
      options: {
        "--json": null,
        "--country <letters>": ["country", "they are short codes of this country, such as US"],
        "--features <list>": [
          "features",
          `${NUMBER_FEATURES.join(",")}; all unless told, of short codes all but VOICE`,
        ],
      },
      shows: [
        {
          titles: ["Number", "Result"],
          rows: { added: ["{}", "added"], alreadyHere: ["{}", "was here already"] },
        },
      ],
    },
    summary: "Add numbers to the inventory",
    description:
      "All or none: one that is no phone number refuses the whole request. Numbers already here stay as they are. With a `country` they are short codes, of 3 to 8 digits; each stands once, whatever its country.",
    route: "POST /Numbers",
    body: z
      .strictObject({
        numbers: z.array(anyText(256)).min(1).max(1000),
        country: countryOfCodes.optional(),
        features: features.optional().describe("By default all, of short codes all but VOICE."),
      })
      .meta({ id: "InventoryOrder" }),
    answers: {
      201: {
        description: "How many were new.",
        body: z
          .strictObject({ added: z.array(z.string()), alreadyHere: z.array(z.string()) })
          .meta({ id: "InventoryAdded" }),
      },
    },
    furtherFaults: ({ body }) => stockFaults(body),
    async handle({ body, now }, unit) {
      const faults = stockFaults(body);
      if (Object.keys(faults).length > 0) return refused(invalid(faults));
      const { country = null } = body;
      const { features = country === null ? NUMBER_FEATURES : SHORT_CODE_FEATURES } = body;
      const numbers = new Map<string, InventoryNumber>();
      for (const text of body.numbers) {
        const read = country === null ? readE164(text) : ok(text.trim());
        if (read.ok) numbers.set(read.value, { number: read.value, country, features, createdOn: now });
      }
      const added = await unit.inventory.add([...numbers.values()]);
      const isNew = new Set(added);
      return ok({
        status: 201,
        body: { added, alreadyHere: [...numbers.keys()].filter((number) => !isNew.has(number)) },
      });
    },
  }),
  operatorOperation({
    id: "assignNumber",
    sdk: "numbers.assign",
    command: {
      name: "operator inventory give",
      about: "Give a number of the inventory to an account, as if the account had bought it.",
      arguments: { "<number>": "the number", "<account>": ["accountSid", "sid of the account"] },
      options: PHONE_OPTIONS,
      shows: PHONE,
    },
    summary: "Give a number of the inventory to an account",
    description:
      "With the same result and events as if the account had taken it. 409, which names the account, when it serves one already.",
    route: "POST /Numbers/{number}/assign",
    params: numberParams,
    body: z
      .strictObject({
        accountSid: text(64),
        name: phoneName.optional(),
        messagingConfigSid: configSid.nullable().optional().describe("One of the account's."),
      })
      .meta({ id: "NumberAssignment" }),
    answers: { 201: { description: "The number is the account's.", body: phoneSchema } },
    refusals: ["not-found", "conflict"],
    furtherFaults: ({ params }) => ownNumberFaults({ number: params.number }),
    async handle({ params, body, now }, unit) {
      const parsed = await readStockNumber(unit.inventory, params.number);
      if (!parsed.ok) return refused(invalid({ number: [parsed.refusal.reason] }));
      const { accountSid, name = null, messagingConfigSid = null } = body;
      return answerCreated(
        await assignPhone(unit, { accountSid, number: parsed.value, name, messagingConfigSid }, now),
        showPhone,
      );
    },
  }),
  operatorOperation({
    id: "removeInventory",
    sdk: "numbers.remove",
    command: {
      name: "operator inventory remove",
      about: "Take a number out of the inventory, unless it serves an account.",
      arguments: { "<number>": "the number" },
      done: "removed",
      shows: [{ say: "{<number>} is out of the inventory." }],
    },
    summary: "Take a number out of the inventory",
    description: "409 while it serves an account.",
    route: "DELETE /Numbers/{number}",
    params: numberParams,
    answers: { 204: { description: "It is gone." } },
    refusals: ["not-found", "conflict"],
    furtherFaults: ({ params }) => ownNumberFaults({ number: params.number }),
    async handle({ params }, unit) {
      const parsed = await readStockNumber(unit.inventory, params.number);
      if (!parsed.ok) return refused(invalid({ number: [parsed.refusal.reason] }));
      const outcome = await unit.inventory.remove(parsed.value);
      if (outcome === "removed") return ok({ status: 204 });
      if (outcome === "unknown") return refused(problem("not-found"));
      const holder = await unit.phones.holderOf(parsed.value);
      return refused(problem("conflict", `${parsed.value} serves ${holder}, which must remove it first.`));
    },
  }),
]);
