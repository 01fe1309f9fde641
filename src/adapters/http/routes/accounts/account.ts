// The caller's own account: its rights, its tokens, the secret that signs its callbacks, feature requests.

import { z } from "zod";
import type { Ids } from "../../../../base/ids.ts";
import { type CommandDescription, members, type Part } from "../../../../base/plain-command.ts";
import { ok } from "../../../../base/result.ts";
import {
  ACCOUNT_STATUSES,
  type Account,
  addToken,
  FEATURE_REQUEST_STATUSES,
  FEATURES,
  limitsOf,
  promoteToken,
  removeToken,
  requestFeature,
  signingToken,
  type TokenMaker,
  type TokenRights,
  type TokenSlot,
  WEIGHT_MAX,
} from "../../../../domain/accounts/index.ts";
import { rotateCallbackSecret } from "../../../../domain/webhooks/index.ts";
import { accountOperation, tagged } from "../../core/operation.ts";
import { answerCreated, answerDone, answerWith } from "../../core/outcomes.ts";
import { shownBy, timestamp } from "../../core/schemas.ts";

export interface AccountRouteDeps {
  readonly ids: Ids;
  readonly tokens: TokenMaker;
  readonly upstreamCnpId: string | null;
  readonly sipSourceAddresses: readonly string[];
  readonly supportContact: string;
  readonly oldestSecretOn: (accountSid: string) => Promise<Date | null>;
  readonly newSecret: () => string;
}

const limitSchema = z
  .strictObject({
    requests: z.int().min(1).max(1_000_000_000),
    windowSeconds: z.int().min(1).max(86_400),
  })
  .meta({ id: "Limit" });

const weightSchema = z
  .strictObject({ ...limitSchema.shape, requests: z.int().min(1).max(WEIGHT_MAX) })
  .meta({ id: "Weight" });

/** Limits by class: all of them, or only those that are changed. */
export const limitsSchema = z
  .strictObject({
    lookup: limitSchema,
    lookupBatch: limitSchema,
    send: limitSchema,
    sendToRecipient: limitSchema.describe("Messages to one and the same recipient."),
    read: limitSchema,
    session: limitSchema.describe("Reads by people who have signed in by a page; they do not count as `read`."),
    write: limitSchema,
    call: limitSchema.describe("Calls that the account places."),
    concurrentCalls: limitSchema.describe("`requests` is how many calls may be under way; its window is not used."),
    webhooks: limitSchema.describe("`requests` is how many webhooks the account may have; its window is not used."),
    weight: weightSchema.describe(
      "`requests` is its weight: where accounts take turns at a link or at webhook workers, it gets so many times the share of an account of weight 1; its window is not used.",
    ),
  })
  .meta({ id: "Limits" });

export const featureSchema = z.enum(FEATURES).meta({ id: "Feature" });

const rights = {
  signs: z
    .boolean()
    .describe(
      "A signing token: `X-Twilio-Signature` of what the account gets in Twilio's shape is keyed by it. It is stored encrypted, besides its digest.",
    ),
  toolWrites: z.boolean().describe("Whether tools of language models may write with it; without it they only read."),
};

/** False unless given. */
export const tokenOrder = z
  .strictObject({ signs: rights.signs.optional(), toolWrites: rights.toolWrites.optional() })
  .meta({ id: "TokenOrder" });

export function rightsOf(order: z.output<typeof tokenOrder> | undefined): TokenRights {
  return { signs: order?.signs ?? false, toolWrites: order?.toolWrites ?? false };
}

export const tokenPlace = z.int().min(1).max(2);

const tokenFacts = { n: tokenPlace.describe("Its place, to delete it by."), createdOn: timestamp, ...rights };
const tokenSchema = z
  .strictObject({
    ...tokenFacts,
    lastUsedOn: timestamp.nullable().describe("To the minute, noted a moment later; null: never, as far as is known."),
  })
  .meta({ id: "AccountToken" });

export const shownTokenSchema = z
  .strictObject({ ...tokenFacts, token: z.string().describe("Shown here and never again.") })
  .meta({ id: "NewToken" });

export const featureRequestSchema = z
  .strictObject({
    sid: z.string(),
    accountSid: z.string(),
    feature: featureSchema,
    status: z.enum(FEATURE_REQUEST_STATUSES).meta({ id: "FeatureRequestStatus" }),
    createdOn: timestamp,
    decidedOn: timestamp.nullable(),
  })
  .meta({ id: "FeatureRequest" });

const callbackSecretSchema = z
  .strictObject({
    secret: z.string().describe("Shown here and never again."),
    createdOn: timestamp,
  })
  .meta({ id: "AccountWebhookSecret" });

export const accountCountry = z
  .string()
  .nullable()
  .describe(
    "Two letters. Numbers without a plus are read in this country where they are valid there, and as E.164 digits otherwise. Null: there is neither a setting nor a number.",
  );

const ownAccountSchema = z
  .strictObject({
    sid: z.string(),
    name: z.string(),
    status: z.enum(ACCOUNT_STATUSES).meta({ id: "AccountStatus" }),
    suspendedReason: z.string().nullable().describe("Why it is suspended, where the operator has said so."),
    features: z.array(featureSchema),
    limits: limitsSchema,
    country: accountCountry,
    defaultCallerId: z.string().nullable(),
    upstreamCnpId: z.string().nullable().describe("The CNP to name in the campaign registry's migrateCnp."),
    sipSourceAddresses: z.array(z.string()).describe("Let SIP in from these."),
    supportContact: z.string(),
    webhookSecretCreatedOn: timestamp
      .nullable()
      .describe("Since when the oldest secret signs that an enabled webhook or the account itself has."),
    tokens: z.array(tokenSchema),
    signingToken: tokenPlace
      .nullable()
      .describe(
        "The token that signs `X-Twilio-Signature`. Null: the account has no signing token, and its own secret signs.",
      ),
    createdOn: timestamp,
  })
  .meta({ id: "OwnAccount" });

/** The token alone on standard output, so that it can be piped. */
export const NEW_TOKEN: readonly Part[] = [
  { print: "{token}" },
  { say: "This is token {n}, shown this once: keep it." },
];

export const TOKEN_OPTIONS: NonNullable<CommandDescription["options"]> = {
  "--signs": ["signs", "the token signs what comes in Twilio's shape; it is stored encrypted"],
  "--tool-writes": ["toolWrites", "tools of language models may write with the token"],
};

const show = shownBy(ownAccountSchema);

const showOwn = async (deps: AccountRouteDeps, account: Account, tokens: readonly TokenSlot[]) =>
  show({
    ...deps,
    ...account,
    limits: limitsOf(account),
    webhookSecretCreatedOn: await deps.oldestSecretOn(account.sid),
    tokens: tokens.map(({ isPromoted: _, ...token }) => token),
    signingToken: signingToken(tokens.filter(({ signs }) => signs))?.n ?? null,
  });

export const accountOperations = tagged<AccountRouteDeps>("Account", [
  accountOperation({
    id: "getAccount",
    sdk: "account.get",
    command: {
      name: "account show",
      about: "Show the account: features, limits, and what others have to know of it.",
      isDefault: true,
      shows: [
        {
          fields: {
            ...members("sid, name"),
            Status: ["{status}: {suspendedReason}", "{status}"],
            ...members(
              "features, Caller id = defaultCallerId, Our CNP at the registry = upstreamCnpId, SIP comes from = sipSourceAddresses, Support = supportContact, Secrets since = webhookSecretCreatedOn, createdOn, country",
            ),
            Tokens: "{tokens|rights}",
            "Twilio's shape": ["signed with token {signingToken}", "signed with the account's secret"],
            "Limit *": "limits",
          },
        },
      ],
    },
    summary: "Your account",
    route: "GET /Account",
    servesSuspended: true,
    answers: { 200: { description: "The account.", body: ownAccountSchema } },
    handle: async ({ account }, { accounts }, deps) =>
      ok({ status: 200, body: await showOwn(deps, account, await accounts.tokens(account.sid)) }),
  }),
  accountOperation({
    id: "createToken",
    sdk: "account.createToken",
    command: {
      name: "account tokens create",
      about: "Make a second token, shown this once. Spread it, then delete the first.",
      options: TOKEN_OPTIONS,
      shows: NEW_TOKEN,
    },
    summary: "Make a second token",
    description:
      "So that tokens can be rotated: make the second, spread it, delete the first. 409 when there are two already. Of two signing tokens the older signs until it is deleted or the other is promoted.",
    route: "POST /Account/tokens",
    body: tokenOrder.optional(),
    answers: { 201: { description: "The token, shown once.", body: shownTokenSchema } },
    refusals: ["conflict"],
    handle: async ({ account, body, now }, unit, { tokens }) =>
      answerCreated(await addToken({ accounts: unit.accounts, tokens, now }, account.sid, rightsOf(body))),
  }),
  accountOperation({
    id: "promoteToken",
    sdk: "account.promoteToken",
    command: {
      name: "account tokens promote",
      about: "Let a signing token sign from now on, and not the older one.",
      arguments: { "<place>": ["n", "1 or 2"] },
      done: "promoted",
      shows: [{ say: "Token {<place>} signs." }],
    },
    summary: "Let a token sign",
    description:
      "From now on this signing token signs, and not the older one. Receivers have to know both before. 409 when it is no signing token.",
    route: "POST /Account/tokens/{n}/promote",
    params: z.strictObject({ n: tokenPlace }),
    answers: { 204: { description: "It signs." } },
    refusals: ["not-found", "conflict"],
    handle: async ({ account, params }, unit) =>
      answerDone(await promoteToken({ accounts: unit.accounts }, account.sid, params.n)),
  }),
  accountOperation({
    id: "deleteToken",
    sdk: "account.deleteToken",
    command: {
      name: "account tokens delete",
      about: "Delete a token. What uses it is refused from then on.",
      arguments: { "<place>": ["n", "1 or 2"] },
      done: "deleted",
      shows: [{ say: "Token {<place>} is deleted." }],
    },
    summary: "Delete a token",
    description: "409 when it is the only one. A signing token signs nothing from then on.",
    route: "DELETE /Account/tokens/{n}",
    params: z.strictObject({ n: tokenPlace }),
    answers: { 204: { description: "It no longer signs anybody in." } },
    refusals: ["not-found", "conflict"],
    handle: async ({ account, params }, unit) =>
      answerDone(await removeToken({ accounts: unit.accounts }, account.sid, params.n)),
  }),
  accountOperation({
    id: "rotateAccountWebhookSecret",
    sdk: "account.rotateWebhookSecret",
    command: {
      name: "account rotate-secret",
      about:
        "Make a new secret for callbacks that messages bring along, shown this once. For 24 hours the old one signs, too.",
      shows: [{ print: "Signing secret, shown this once: {secret}" }],
    },
    summary: "Make a new secret for callbacks",
    description:
      "It signs what goes to the callback URLs of messages. Every replaced one signs too for 24 hours: a delivery carries all their signatures. A sixth within that time is refused with 409. In Twilio's shape the newest signs at once, and only where the account has no signing token.",
    route: "POST /Account/webhookSecret",
    answers: { 200: { description: "The secret, shown once.", body: callbackSecretSchema } },
    refusals: ["conflict"],
    async handle({ account, now }, unit, { newSecret }) {
      const secret = newSecret();
      return answerWith(await rotateCallbackSecret(unit.callbackSecrets, account.sid, secret, now), () => ({
        secret,
        createdOn: now,
      }));
    },
  }),
  accountOperation({
    id: "requestFeature",
    sdk: "account.requestFeature(feature)",
    command: {
      name: "account request-feature",
      about: "Ask the operator to switch a feature on.",
      arguments: { "<feature>": ["feature"] },
      shows: [{ say: "{sid}: {<feature>} was asked for, and is {status}." }],
    },
    summary: "Ask for a feature",
    description: "Lands in the operator's queue. Asking again while it is open answers the same request.",
    route: "POST /Account/featureRequests",
    body: z.strictObject({ feature: featureSchema }).meta({ id: "FeatureRequestOrder" }),
    answers: { 201: { description: "The request.", body: featureRequestSchema } },
    refusals: ["conflict"],
    handle: async ({ account, body, now }, unit, { ids }) =>
      answerCreated(await requestFeature({ ...unit, ids, now }, account, body.feature)),
  }),
]);
