// The operator's side of accounts: create, change, suspend; tokens, features, limits; the queue of feature requests.

import { z } from "zod";
import type { Ids } from "../../../../base/ids.ts";
import { members, type Part } from "../../../../base/plain-command.ts";
import { ok, refused } from "../../../../base/result.ts";
import {
  ACCOUNT_STATUSES,
  type Account,
  addToken,
  changeSuspension,
  createAccount,
  decideFeatureRequest,
  FEATURE_REQUEST_STATUSES,
  type Limits,
  limitsOf,
  promoteToken,
  RETENTION_DAYS_MAX,
  removeToken,
  type TokenMaker,
} from "../../../../domain/accounts/index.ts";
import { callingCodeOf } from "../../../../domain/lookup/index.ts";
import { type FieldErrors, invalid, problem } from "../../../../domain/problems.ts";
import { operatorOperation, tagged } from "../../core/operation.ts";
import { answerCreated, answerDone, answerFound, answerPage, answerWith } from "../../core/outcomes.ts";
import { listOf, listQuery, pageRequestOf, sidParams, text, timestamp, words } from "../../core/schemas.ts";
import {
  accountCountry,
  featureRequestSchema,
  featureSchema,
  limitsSchema,
  NEW_TOKEN,
  rightsOf,
  shownTokenSchema,
  TOKEN_OPTIONS,
  tokenOrder,
  tokenPlace,
} from "./account.ts";

export interface OperatorAccountDeps {
  readonly ids: Ids;
  readonly tokens: TokenMaker;
}

const isoLetters = z.string().regex(/^[A-Za-z]{2}$/, "A country is its two ISO letters.");
const countries = z.array(isoLetters).max(250);

/** The schema checks letters, the numbering plans know the countries. */
function countryFaults({ country }: { readonly country?: string | null | undefined }): FieldErrors {
  const isKnown = typeof country !== "string" || callingCodeOf(country.toUpperCase()) !== undefined;
  return isKnown ? {} : { country: [`There is no country ${country}.`] };
}

const e164 = z.string().regex(/^\+[1-9]\d{6,14}$/, "A number is written +15551234567.");
const limitChanges = z.strictObject(
  Object.fromEntries(Object.entries(limitsSchema.shape).map(([name, schema]) => [name, schema.optional()])) as {
    [Name in keyof Limits]: z.ZodOptional<(typeof limitsSchema.shape)[Name]>;
  },
);

const days = (kept: string) => z.int().min(1).max(RETENTION_DAYS_MAX).nullable().describe(`For how many days ${kept}`);
const retention = {
  messageDays: days("messages are kept that have left, failed or were received. Null: for ever."),
  callDays: days(
    "calls are kept, with their recordings, and conferences. Null: for ever, or what `TANDEM_CALL_DAYS` says.",
  ),
  eventDays: days(
    "events, deliveries, attempts and requests are kept, where that is less than for all accounts (`TANDEM_RECORD_DAYS`; requests seven days). Null: as for all.",
  ),
};

const accountSchema = z
  .strictObject({
    sid: z.string(),
    name: z.string(),
    status: z.enum(ACCOUNT_STATUSES),
    suspendedReason: z.string().nullable().describe("Shown in the account's refusals."),
    features: z.array(featureSchema),
    limits: limitsSchema,
    allowedCountries: z.array(z.string()).nullable().describe("Null: the countries of its own numbers."),
    country: accountCountry,
    defaultCallerId: z.string().nullable(),
    handlesKeywords: z.boolean().describe("Whether STOP, START and HELP are answered for it."),
    ...retention,
    createdOn: timestamp,
  })
  .meta({ id: "Account" });

function showAccount(account: Account): object {
  const { limitChanges: _, ...rest } = account;
  return { ...rest, limits: limitsOf(account) };
}

const changeable = {
  name: text(64).describe("For people."),
  features: z.array(featureSchema).max(16).describe("Those that are switched on."),
  limits: limitChanges.describe("Only the classes to change."),
  allowedCountries: countries.nullable(),
  country: isoLetters
    .nullable()
    .describe("In which its numbers without a plus are read. Null: that of its oldest number."),
};

const accountOrder = z
  .strictObject({
    name: changeable.name,
    features: changeable.features.optional(),
    limits: changeable.limits.optional(),
    allowedCountries: changeable.allowedCountries.optional(),
    country: changeable.country.optional(),
    token: tokenOrder.optional().describe("What its first token is for."),
  })
  .meta({ id: "AccountOrder" });

const accountChange = z
  .strictObject({
    name: changeable.name.optional(),
    status: z.enum(ACCOUNT_STATUSES).optional(),
    suspendedReason: words(256)
      .nullable()
      .optional()
      .describe("Of a suspension: the account's refusals show it. Goes when the account is resumed."),
    features: changeable.features.optional(),
    limits: changeable.limits.optional(),
    allowedCountries: changeable.allowedCountries.optional(),
    country: changeable.country.optional(),
    defaultCallerId: e164.nullable().optional(),
    handlesKeywords: z.boolean().optional(),
    messageDays: retention.messageDays.optional(),
    callDays: retention.callDays.optional(),
    eventDays: retention.eventDays.optional(),
  })
  .meta({ id: "AccountChange" });

const withoutGaps = (
  limits: { readonly [Name in keyof Limits]?: Limits[Name] | undefined } | undefined,
): Partial<Limits> => Object.fromEntries(Object.entries(limits ?? {}).filter(([, limit]) => limit !== undefined));
const upperCase = (list: readonly string[] | null | undefined) =>
  list === undefined || list === null ? list : list.map((country) => country.toUpperCase());

const ACCOUNT: readonly Part[] = [
  {
    fields: {
      ...members("sid, name"),
      Status: ["{status}: {suspendedReason}", "{status}"],
      Features: "{features}",
      Countries: ["{allowedCountries}", "{allowedCountries?}", "those of its numbers"],
      Country: "{country}",
      "Caller id": "{defaultCallerId}",
      Keywords: ["{handlesKeywords?STOP, START and HELP are answered for it}", "it answers itself"],
      "Messages kept": ["{messageDays} days", "for ever"],
      "Calls kept": ["{callDays} days", "like all accounts'"],
      "Events kept": ["{eventDays} days", "like all accounts'"],
      Created: "{createdOn}",
      "Limit *": "limits",
    },
  },
];
const LIMITS: readonly Part[] = [{ fields: { "Limit *": "limits" } }];
const COUNTRIES: readonly Part[] = [
  { fields: { Countries: ["{allowedCountries}", "{allowedCountries?none}", "those of its own numbers"] } },
];
const RETENTION: readonly Part[] = [
  {
    fields: {
      Messages: ["{messageDays} days", "for ever"],
      Calls: ["{callDays} days", "like all accounts'"],
      Events: ["{eventDays} days", "like all accounts'"],
    },
  },
];
const FEATURE_REQUESTS: readonly Part[] = [
  {
    table: members("sid, accountSid, feature, status, Asked for = createdOn, decidedOn"),
  },
];

export const operatorAccountOperations = tagged<OperatorAccountDeps>("Operator: accounts", [
  operatorOperation({
    id: "listAccounts",
    sdk: "accounts.list",
    command: {
      name: "operator accounts list",
      about: "List the accounts.",
      shows: [
        {
          table: members("sid, name, status, features, createdOn"),
        },
      ],
    },
    summary: "List accounts",
    route: "GET /Accounts",
    query: listQuery({}),
    answers: { 200: { description: "A page of accounts.", body: listOf("AccountList", accountSchema) } },
    handle: async ({ query }, unit) => answerPage(await unit.accounts.list(pageRequestOf(query)), showAccount),
  }),
  operatorOperation({
    id: "createAccount",
    sdk: "accounts.create",
    command: "operator accounts create {name}",
    summary: "Make an account",
    route: "POST /Accounts",
    body: accountOrder,
    answers: {
      201: {
        description: "The account and its first token, shown once.",
        body: z.strictObject({ ...accountSchema.shape, token: z.string() }).meta({ id: "NewAccount" }),
      },
    },
    furtherFaults: ({ body }) => countryFaults(body),
    async handle({ body, now }, unit, { tokens, ids }) {
      const faults = countryFaults(body);
      if (faults.country) return refused(invalid(faults));
      const { account, token } = await createAccount(
        { accounts: unit.accounts, tokens, ids, now },
        {
          name: body.name,
          features: [...new Set(body.features ?? [])],
          limitChanges: withoutGaps(body.limits),
          allowedCountries: upperCase(body.allowedCountries) ?? null,
          country: body.country?.toUpperCase() ?? null,
        },
        rightsOf(body.token),
      );
      return ok({ status: 201, body: { ...showAccount(account), token } });
    },
  }),
  operatorOperation({
    id: "getAccountBySid",
    sdk: "accounts.get",
    command: [
      {
        name: "operator accounts show",
        about: "Show an account: status, features, limits, countries.",
        arguments: { "<sid>": "the account" },
        shows: ACCOUNT,
      },
      {
        name: "operator limits show",
        about: "Show the limits of an account.",
        arguments: { "<sid>": "the account" },
        only: "limits",
        shows: LIMITS,
      },
      {
        name: "operator countries show",
        about: "Show the countries of an account.",
        arguments: { "<sid>": "the account" },
        only: "allowedCountries",
        shows: COUNTRIES,
      },
      {
        name: "operator retention show",
        about: "Show for how long records of an account are kept.",
        arguments: { "<sid>": "the account" },
        shows: RETENTION,
      },
    ],
    summary: "An account",
    route: "GET /Accounts/{sid}",
    params: sidParams,
    answers: { 200: { description: "The account.", body: accountSchema } },
    refusals: ["not-found"],
    handle: async ({ params }, unit) => answerFound(await unit.accounts.find(params.sid), showAccount),
  }),
  operatorOperation({
    id: "changeAccount",
    sdk: "accounts.change",
    command: [
      {
        name: "operator accounts change",
        about: "Change an account: only what is given.",
        arguments: { "<sid>": "the account" },
        options: {
          "--name <name>": ["name", "for people"],
          "--country <letters>": ["country", "numbers without a plus are read in it; none: that of its oldest number"],
          "--caller-id <number>": ["defaultCallerId", "what its calls show unless told; none takes it away"],
          "--keywords <answer>": ["handlesKeywords", "yes or no: answer STOP, START and HELP for it"],
        },
        needs:
          "Say what to change: --name, --country, --caller-id or --keywords. There are tandem operator features, limits, countries and retention, too.",
        shows: ACCOUNT,
      },
      {
        name: "operator accounts suspend",
        about: "Suspend an account: its requests are refused until it is resumed.",
        arguments: { "<sid>": "the account" },
        options: { "--reason <text>": ["suspendedReason", "shown in its refusals", { kind: "text" }] },
        sets: { status: "Suspended" },
        shows: ACCOUNT,
      },
      {
        name: "operator accounts resume",
        about: "Resume an account that was suspended.",
        arguments: { "<sid>": "the account" },
        sets: { status: "Active" },
        shows: ACCOUNT,
      },
      {
        name: "operator limits set",
        about: "Set limits of an account; others stay as they are.",
        arguments: {
          "<sid>": "the account",
          "<limit...>": [
            "limits",
            `CLASS=REQUESTS/SECONDS; a class is one of ${Object.keys(limitsSchema.shape).join(", ")}`,
            { kind: "limits" },
          ],
        },
        only: "limits",
        shows: LIMITS,
      },
      {
        name: "operator countries set",
        about: "Set the countries of an account.",
        arguments: {
          "<sid>": "the account",
          "<countries...>": ["allowedCountries", "US CA GB, or own: those of its own numbers", { kind: "countries" }],
        },
        only: "allowedCountries",
        shows: COUNTRIES,
      },
      {
        name: "operator retention set",
        about: "Set for how many days records of an account are kept. What is older is deleted for good.",
        arguments: { "<sid>": "the account" },
        options: {
          "--messages <days>": ["messageDays", "those that have left, failed or were received; none: for ever"],
          "--calls <days>": ["callDays", "with their recordings; none: like all accounts'"],
          "--events <days>": ["eventDays", "with deliveries and requests; none: like all accounts'"],
        },
        needs: "Say what is kept for how long: --messages, --calls or --events.",
        shows: RETENTION,
      },
    ],
    summary: "Change, suspend or resume an account",
    description:
      "Only the members given are changed. Where `messageDays`, `callDays` or `eventDays` is set, what is older is deleted for good, from the next moments on. A suspended account may look at itself and nothing else. 409 for a `suspendedReason` of one that is not.",
    route: "PATCH /Accounts/{sid}",
    params: sidParams,
    body: accountChange,
    answers: { 200: { description: "The account as it is now.", body: accountSchema } },
    refusals: ["not-found", "conflict"],
    furtherFaults: ({ body }) => countryFaults(body),
    async handle({ params, body }, unit) {
      const faults = countryFaults(body);
      if (faults.country) return refused(invalid(faults));
      const before = await unit.accounts.findLocked(params.sid);
      if (!before) return refused(problem("not-found"));
      const { limits, ...rest } = body;
      const suspension = changeSuspension(before, rest);
      if (!suspension.ok) return suspension;
      const change = {
        ...rest,
        ...suspension.value,
        features: rest.features && [...new Set(rest.features)],
        allowedCountries: upperCase(rest.allowedCountries),
        country: rest.country?.toUpperCase() ?? rest.country,
        limitChanges: limits && { ...before.limitChanges, ...withoutGaps(limits) },
      };
      await unit.accounts.change(params.sid, change);
      if (change.status === "Suspended") await unit.sessions.endAllOf({ kind: "account", account: before });
      return answerFound(await unit.accounts.find(params.sid), showAccount);
    },
  }),
  operatorOperation({
    id: "createAccountToken",
    sdk: "accounts.createToken",
    command: {
      name: "operator accounts tokens create",
      about: "Make a second token for an account, shown this once.",
      arguments: { "<sid>": "the account" },
      options: TOKEN_OPTIONS,
      shows: NEW_TOKEN,
    },
    summary: "Make a second token for an account",
    route: "POST /Accounts/{sid}/tokens",
    params: sidParams,
    body: tokenOrder.optional(),
    answers: { 201: { description: "The token, shown once.", body: shownTokenSchema } },
    refusals: ["not-found", "conflict"],
    handle: async ({ params, body, now }, unit, { tokens }) =>
      answerCreated(await addToken({ accounts: unit.accounts, tokens, now }, params.sid, rightsOf(body))),
  }),
  operatorOperation({
    id: "promoteAccountToken",
    sdk: "accounts.promoteToken",
    command: {
      name: "operator accounts tokens promote",
      about: "Let a signing token of an account sign from now on, and not the older one.",
      arguments: { "<sid>": "the account", "<place>": ["n", "1 or 2"] },
      done: "promoted",
      shows: [{ say: "Token {<place>} of {<sid>} signs." }],
    },
    summary: "Let an account's token sign",
    description: "409 when it is no signing token.",
    route: "POST /Accounts/{sid}/tokens/{n}/promote",
    params: z.strictObject({ ...sidParams.shape, n: tokenPlace }),
    answers: { 204: { description: "It signs." } },
    refusals: ["not-found", "conflict"],
    handle: async ({ params }, unit) =>
      answerDone(await promoteToken({ accounts: unit.accounts }, params.sid, params.n)),
  }),
  operatorOperation({
    id: "deleteAccountToken",
    sdk: "accounts.deleteToken",
    command: {
      name: "operator accounts tokens delete",
      about: "Delete a token of an account. What uses it is refused from then on.",
      arguments: { "<sid>": "the account", "<place>": ["n", "1 or 2"] },
      done: "deleted",
      shows: [{ say: "Token {<place>} of {<sid>} is deleted." }],
    },
    summary: "Delete an account's token",
    route: "DELETE /Accounts/{sid}/tokens/{n}",
    params: z.strictObject({ ...sidParams.shape, n: tokenPlace }),
    answers: { 204: { description: "It no longer signs anybody in." } },
    refusals: ["not-found", "conflict"],
    handle: async ({ params }, unit) =>
      answerDone(await removeToken({ accounts: unit.accounts }, params.sid, params.n)),
  }),
  operatorOperation({
    id: "listFeatureRequests",
    sdk: "featureRequests.list",
    command: {
      name: "operator features requests",
      about: "List what accounts have asked for.",
      options: { "--status <status>": ["Status"] },
      shows: FEATURE_REQUESTS,
    },
    summary: "List feature requests",
    route: "GET /FeatureRequests",
    query: listQuery({ Status: z.enum(FEATURE_REQUEST_STATUSES).optional() }),
    answers: {
      200: { description: "A page of requests.", body: listOf("FeatureRequestList", featureRequestSchema) },
    },
    handle: async ({ query }, unit) => answerPage(await unit.featureRequests.list(pageRequestOf(query), query.Status)),
  }),
  operatorOperation({
    id: "decideFeatureRequest",
    sdk: "featureRequests.decide(sid, status)",
    command: [
      {
        name: "operator features grant",
        about: "Grant a request: the feature is switched on.",
        arguments: { "<sid>": "the request" },
        sets: { status: "Granted" },
        shows: FEATURE_REQUESTS,
      },
      {
        name: "operator features decline",
        about: "Decline a request.",
        arguments: { "<sid>": "the request" },
        sets: { status: "Declined" },
        shows: FEATURE_REQUESTS,
      },
    ],
    summary: "Grant or decline a feature request",
    description: "Granting switches the feature on.",
    route: "PATCH /FeatureRequests/{sid}",
    params: sidParams,
    body: z.strictObject({ status: z.enum(["Granted", "Declined"]) }).meta({ id: "FeatureDecision" }),
    answers: { 200: { description: "The request as it is now.", body: featureRequestSchema } },
    refusals: ["not-found", "conflict"],
    handle: async ({ params, body, now }, unit) =>
      answerWith(await decideFeatureRequest({ ...unit, now }, params.sid, body.status)),
  }),
]);
