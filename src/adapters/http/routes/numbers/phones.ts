// The account's numbers: lists those available, takes, changes and gives back a number.

import { z } from "zod";
import { type CommandDescription, members, type Part } from "../../../../base/plain-command.ts";
import { ok, type Result, refused } from "../../../../base/result.ts";
import type { Account } from "../../../../domain/accounts/index.ts";
import {
  changePhone,
  NUMBER_FEATURES,
  PHONE_STATUSES,
  type Phone,
  removePhone,
  takePhone,
} from "../../../../domain/numbers/index.ts";
import { invalid, type Problem, problem } from "../../../../domain/problems.ts";
import { accountOperation, tagged } from "../../core/operation.ts";
import { answerCreated, answerDone, answerPage, answerWith } from "../../core/outcomes.ts";
import type { Unit } from "../../core/ports.ts";
import { anyText, listOf, listQuery, pageRequestOf, text, timestamp } from "../../core/schemas.ts";
import { ownNumberFaults, readOwnNumber, readStockNumber } from "../../reading/read-number.ts";

export const configSid = z
  .string()
  .trim()
  .regex(/^MC[0-9a-f]{32}$/, "This is no sid of a MessagingConfig.");
export const numberText = anyText(256).describe("`+15551234567`.");
export const ownNumberText = anyText(256).describe("`+15551234567`, or a short code.");
const features = z.array(z.enum(NUMBER_FEATURES).meta({ id: "NumberFeature" }));
export const phoneName = text(64).nullable().describe("For people.");
export const phoneParams = z.strictObject({
  phone: anyText(256).describe("`+15551234567`, `%2B15551234567` or the digits alone; a short code of yours as it is."),
});

export const phoneSchema = z
  .strictObject({
    number: z.string().describe("`+15551234567`, or the digits of a short code."),
    name: z.string().nullable(),
    status: z.enum(PHONE_STATUSES).meta({ id: "PhoneStatus" }),
    statusReason: z.string().nullable().describe("Why it is not `Active`."),
    messagingConfigSid: z.string().nullable(),
    portOrderSid: z.string().nullable(),
    features,
    createdOn: timestamp,
    updatedOn: timestamp,
  })
  .meta({ id: "Phone" });

export function showPhone({ accountSid: _, voice: __, ...rest }: Phone): object {
  return rest;
}

/** Reads the number of a path and calls `work` with it. */
export async function withPhone<Value>(
  { phones }: Pick<Unit, "phones">,
  { sid }: Pick<Account, "sid">,
  given: string,
  work: (number: string) => Promise<Result<Value, Problem>>,
): Promise<Result<Value, Problem>> {
  const parsed = await readOwnNumber(phones, sid, given);
  return parsed.ok ? work(parsed.value) : refused(invalid({ phone: [parsed.refusal.reason] }));
}

/** For an operation whose path or body has a `phone`. */
export const phoneFaults = ({ phone }: { readonly phone?: string | undefined }, country?: string | null) =>
  ownNumberFaults({ phone }, country);

export const PHONES: readonly Part[] = [
  {
    table: {
      ...members("number, name, status, Reason = statusReason, messagingConfigSid"),
      Features: ["{features}", ""],
    },
  },
];
export const PHONE: readonly Part[] = [
  {
    fields: {
      ...members("number, name, status, Reason = statusReason, messagingConfigSid, Port order = portOrderSid"),
      Features: ["{features}", ""],
      ...members("createdOn, updatedOn"),
    },
  },
];
export const PHONE_OPTIONS = {
  "--name <name>": ["name", "for people; none takes it away"],
  "--config <sid>": ["messagingConfigSid", "the MessagingConfig it belongs to; none takes it out"],
} as const satisfies CommandDescription["options"];

export const phoneOperations = tagged("Phones", [
  accountOperation({
    id: "listPhones",
    sdk: "phones.list",
    command: {
      name: "numbers list",
      about: "List the numbers of the account; removed ones only when --status asks for them.",
      options: {
        "--status <status>": ["Status"],
        "--config <sid>": ["MessagingConfigSid", "that belong to this MessagingConfig"],
      },
      shows: PHONES,
    },
    summary: "List your numbers",
    description: "Those that were removed are shown only when `Status` asks for them.",
    route: "GET /Phones",
    isSeenByOperators: true,
    query: listQuery({ Status: z.enum(PHONE_STATUSES).optional(), MessagingConfigSid: configSid.optional() }),
    answers: { 200: { description: "A page of numbers.", body: listOf("PhoneList", phoneSchema) } },
    async handle({ account, query }, unit) {
      const filter = { status: query.Status, messagingConfigSid: query.MessagingConfigSid };
      return answerPage(await unit.phones.list(account.sid, pageRequestOf(query), filter), showPhone);
    },
  }),
  accountOperation({
    id: "listAvailablePhones",
    sdk: "phones.available",
    command: {
      name: "numbers available",
      about: "List numbers that can be had.",
      options: {
        "--area-code <digits>": ["AreaCode", "the three digits after +1", { kind: "text" }],
        "--contains <digits>": ["Contains", "with these digits somewhere", { kind: "text" }],
        "--quantity <n>": ["Quantity", "1 to 100; 10 unless told"],
      },
      shows: [{ table: { Number: "{number}", Features: ["{features}", ""] }, empty: "There are none like that." }],
    },
    summary: "Numbers that can be had",
    route: "GET /Phones/Available",
    query: z.strictObject({
      AreaCode: z
        .string()
        .regex(/^[2-9]\d{2}$/, "An area code is the three digits after +1.")
        .optional()
        .describe("The three digits after +1."),
      Contains: z
        .string()
        .regex(/^\d{1,15}$/, "1 to 15 digits are allowed.")
        .optional()
        .describe("Digits that stand somewhere in it."),
      Quantity: z.int().min(1).max(100).default(10),
    }),
    answers: {
      200: {
        description: "Some of them.",
        body: listOf(
          "AvailablePhoneList",
          z.strictObject({ number: z.string(), features }).meta({ id: "AvailablePhone" }),
        ),
      },
    },
    async handle({ query }, unit) {
      const filter = { areaCode: query.AreaCode, contains: query.Contains, quantity: query.Quantity };
      const numbers = await unit.inventory.available(filter);
      return ok({ status: 200, body: { items: numbers.map(({ number, features }) => ({ number, features })) } });
    },
  }),
  accountOperation({
    id: "createPhone",
    sdk: "phones.create",
    command: {
      name: "numbers buy",
      about: "Take a number that can be had.",
      arguments: { "<number>": ["phone", "one that tandem numbers available shows"] },
      options: PHONE_OPTIONS,
      shows: PHONE,
    },
    summary: "Take a number",
    description: "One of those that `GET /v1/Phones/Available` shows. 409 when it serves an account already.",
    route: "POST /Phones",
    body: z
      .strictObject({
        phone: ownNumberText,
        name: phoneName.optional(),
        messagingConfigSid: configSid.nullable().optional(),
      })
      .meta({ id: "PhoneOrder" }),
    answers: { 201: { description: "The number is yours.", body: phoneSchema } },
    refusals: ["conflict"],
    furtherFaults: ({ body, country }) => phoneFaults(body, country),
    handle: async ({ account, body, now }, unit) => {
      const links = { name: body.name ?? null, messagingConfigSid: body.messagingConfigSid ?? null };
      const read = await readStockNumber(unit.inventory, body.phone, account.country);
      if (!read.ok) return refused(invalid({ phone: [read.refusal.reason] }));
      return answerCreated(
        await takePhone(unit, { accountSid: account.sid, number: read.value, ...links }, now),
        showPhone,
      );
    },
  }),
  accountOperation({
    id: "getPhone",
    sdk: "phones.get",
    command: {
      name: "numbers show",
      about: "Show a number, and what it waits for if it is not active.",
      arguments: { "<number>": ["phone", "the number"] },
      shows: PHONE,
    },
    summary: "A number",
    description: "Also one that was removed, until you take it again.",
    route: "GET /Phones/{phone}",
    isSeenByOperators: true,
    params: phoneParams,
    answers: { 200: { description: "The number.", body: phoneSchema } },
    refusals: ["not-found"],
    furtherFaults: ({ params }) => phoneFaults(params),
    async handle({ account, params }, unit) {
      const phone = await withPhone(unit, account, params.phone, async (number) => {
        const found = await unit.phones.find(account.sid, number);
        return found ? ok(found) : refused(problem("not-found"));
      });
      return answerWith(phone, showPhone);
    },
  }),
  accountOperation({
    id: "changePhone",
    sdk: "phones.change",
    command: {
      name: "numbers configure",
      about: "Change what a number is called or belongs to.",
      arguments: { "<number>": ["phone", "the number"] },
      options: PHONE_OPTIONS,
      needs: "Say what to change: --name or --config.",
      shows: PHONE,
    },
    summary: "Change a number",
    description: "Only the members given are changed. Its status follows: see `statusReason`.",
    route: "PATCH /Phones/{phone}",
    params: phoneParams,
    body: z
      .strictObject({ name: phoneName.optional(), messagingConfigSid: configSid.nullable().optional() })
      .meta({ id: "PhoneChange" }),
    answers: { 200: { description: "The number as it is now.", body: phoneSchema } },
    refusals: ["not-found"],
    furtherFaults: ({ params }) => phoneFaults(params),
    handle: async ({ account, params, body, now }, unit) =>
      answerWith(
        await withPhone(unit, account, params.phone, (number) => changePhone(unit, account.sid, number, body, now)),
        showPhone,
      ),
  }),
  accountOperation({
    id: "deletePhone",
    sdk: "phones.remove",
    command: "numbers release {phone}",
    summary: "Give a number back",
    description: "Others may take it from then on. A number that is being ported in goes with its port order: 409.",
    route: "DELETE /Phones/{phone}",
    params: phoneParams,
    answers: { 204: { description: "It no longer serves you." } },
    refusals: ["not-found", "conflict"],
    furtherFaults: ({ params }) => phoneFaults(params),
    handle: async ({ account, params, now }, unit) =>
      answerDone(await withPhone(unit, account, params.phone, (number) => removePhone(unit, account.sid, number, now))),
  }),
]);
