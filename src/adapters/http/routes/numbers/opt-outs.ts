// The opt-outs of an account.

import { z } from "zod";
import { type CommandDescription, members, type Part } from "../../../../base/plain-command.ts";
import type { Readable } from "../../../../base/readable.ts";
import { ok, type Result, refused } from "../../../../base/result.ts";
import type { Account } from "../../../../domain/accounts/index.ts";
import { CAMPAIGN_ID } from "../../../../domain/campaigns/index.ts";
import {
  findServing,
  isShortCode,
  type OptOutScope,
  optIn,
  optOut,
  SCOPE_TYPES,
  type ScopeType,
} from "../../../../domain/numbers/index.ts";
import { type FieldErrors, invalid, type Problem, problem } from "../../../../domain/problems.ts";
import { accountOperation, tagged } from "../../core/operation.ts";
import { answerPage } from "../../core/outcomes.ts";
import type { Unit } from "../../core/ports.ts";
import { listOf, listQuery, pageRequestOf, text, timestamp } from "../../core/schemas.ts";
import { numberFaults, readE164, readOwnNumber } from "../../reading/read-number.ts";
import { numberText } from "./phones.ts";

const scopeType = z
  .enum(SCOPE_TYPES)
  .meta({ id: "ScopeType", description: "Of messages from one of your numbers, or of a campaign's." });
const scopeText = text(64).describe("The sender's number, or the campaign's id.");

const optOutSchema = z
  .strictObject({
    number: z.string().describe("Who opted out."),
    scopeType,
    scope: z.string(),
    keyword: z.string().nullable().describe("What they wrote; null when it was entered here."),
    createdOn: timestamp,
  })
  .meta({ id: "OptOut" });

const SCOPE_OPTIONS = {
  "--from <number>": ["scope", "of messages from this number of yours", { with: { scopeType: "SenderPhoneNumber" } }],
  "--campaign <id>": [
    "scope",
    "of messages of this campaign",
    { with: { scopeType: "TcrCampaign" }, conflicts: "from" },
  ],
} as const satisfies CommandDescription["options"];
const NEEDS_SCOPE = "Say of whose messages: --from NUMBER, or --campaign ID.";
const OPT_OUTS: readonly Part[] = [
  { table: members("number, Scope = scopeType, Of = scope, keyword, Since = createdOn") },
];

const NOT_YOURS: Readonly<Record<ScopeType, string>> = {
  SenderPhoneNumber: "This is not one of your numbers: see GET /v1/Phones.",
  TcrCampaign: "This is not one of your campaigns: see GET /v1/TcrCampaigns.",
};

interface OptOutNames {
  readonly number: string;
  readonly scopeType: ScopeType;
  readonly scope: string;
}

interface Names {
  readonly number: string;
  readonly scope: string;
}

const IN_BODY: Names = { number: "number", scope: "scope" };
const IN_QUERY: Names = { number: "Number", scope: "Scope" };

const readScope = (type: ScopeType, given: string, country: string | null): Result<OptOutScope, string> => {
  if (type === "TcrCampaign") {
    const scope = given.toUpperCase();
    return CAMPAIGN_ID.test(scope)
      ? ok({ scopeType: type, scope })
      : refused("This is no campaign id of the registry.");
  }
  const code = given.trim();
  if (isShortCode(code)) return ok({ scopeType: type, scope: code });
  const parsed = readE164(given, country);
  return parsed.ok ? ok({ scopeType: type, scope: parsed.value }) : refused(parsed.refusal.reason);
};
/** `names` are the names of the fields in the request; a scope that is not `isOwn` is refused. */
const readOptOut = async (
  own: OwnNumbers,
  given: OptOutNames,
  names: Names,
  isOwn: (scope: OptOutScope) => Promise<boolean> = async () => true,
): Promise<Result<{ readonly number: string; readonly scope: OptOutScope }, Problem>> => {
  const number = readE164(given.number, own.country);
  const read = readScope(given.scopeType, await own.numberOr(given.scope), own.country);
  const scope = read.ok && !(await isOwn(read.value)) ? refused(NOT_YOURS[given.scopeType]) : read;
  if (number.ok && scope.ok) return ok({ number: number.value, scope: scope.value });
  const ofScope = scope.ok ? {} : { [names.scope]: [scope.refusal] };
  return refused(invalid({ ...numberFaults({ [names.number]: given.number }, own.country), ...ofScope }));
};
const faultsOf = (given: Readable<OptOutNames>, names: Names, country: string | null): FieldErrors => {
  const { scopeType: type, scope: text } = given;
  const scope = type === undefined || text === undefined ? undefined : readScope(type, text, country);
  return {
    ...numberFaults({ [names.number]: given.number }, country),
    ...(scope && !scope.ok ? { [names.scope]: [scope.refusal] } : {}),
  };
};

export const optOutOperations = tagged("OptOuts", [
  accountOperation({
    id: "listOptOuts",
    sdk: "optOuts.list",
    command: {
      name: "optouts list",
      about: "List opt-outs, the newest first.",
      options: { "--number <number>": ["Number", "of this number"], ...SCOPE_OPTIONS },
      isLimited: true,
      shows: OPT_OUTS,
    },
    summary: "List opt-outs",
    route: "GET /OptOuts",
    isSeenByOperators: true,
    query: listQuery({
      Number: numberText.optional(),
      ScopeType: scopeType.optional(),
      Scope: scopeText.optional(),
    }),
    answers: { 200: { description: "A page of opt-outs.", body: listOf("OptOutList", optOutSchema) } },
    furtherFaults: ({ query, country }) => numberFaults({ Number: query.Number }, country),
    async handle({ account, query }, unit) {
      const number = query.Number === undefined ? undefined : readE164(query.Number, account.country);
      if (number && !number.ok) return refused(invalid({ Number: [number.refusal.reason] }));
      const { numberOr } = ownNumbers(unit, account);
      const scope = query.Scope === undefined ? undefined : scopeFilter(await numberOr(query.Scope), account.country);
      const filter = { number: number?.value, scopeType: query.ScopeType, scope };
      return answerPage(await unit.optOuts.list(account.sid, pageRequestOf(query), filter));
    },
  }),
  accountOperation({
    id: "createOptOut",
    sdk: "optOuts.create",
    command: {
      name: "optouts add",
      about: "Opt a number out.",
      arguments: { "<number>": "who does not want to hear from you" },
      options: SCOPE_OPTIONS,
      needs: NEEDS_SCOPE,
      shows: OPT_OUTS,
      unchanged: "It had opted out already.",
    },
    summary: "Opt a number out",
    description: "200 when it has opted out already. The scope is one of your numbers or campaigns.",
    route: "POST /OptOuts",
    body: z.strictObject({ number: numberText, scopeType, scope: scopeText }).meta({ id: "OptOutOrder" }),
    answers: {
      200: { description: "It was there already.", body: optOutSchema },
      201: { description: "It is there now.", body: optOutSchema },
    },
    furtherFaults: ({ body, country }) => faultsOf(body, IN_BODY, country),
    async handle({ account, body, now }, unit) {
      const isOwn = async ({ scopeType: type, scope }: OptOutScope) =>
        type === "TcrCampaign"
          ? (await unit.campaigns.find(account.sid, scope)) !== undefined
          : (await findServing(unit.phones, account.sid, scope)).ok;
      const read = await readOptOut(ownNumbers(unit, account), body, IN_BODY, isOwn);
      if (!read.ok) return read;
      const { number, scope } = read.value;
      const order = { accountSid: account.sid, number, scopes: [scope], keyword: null };
      const added = await optOut(unit, order, now);
      const entry = await unit.optOuts.find(account.sid, number, scope);
      if (!entry) throw new Error("an opt-out was not stored");
      return ok({ status: added > 0 ? 201 : 200, body: entry });
    },
  }),
  accountOperation({
    id: "deleteOptOut",
    sdk: "optOuts.remove(query)",
    command: {
      name: "optouts remove",
      about: "Opt a number in again. Only if the person asked for it: they may write START themselves.",
      arguments: { "<number>": "who wants to hear from you again" },
      options: SCOPE_OPTIONS,
      needs: NEEDS_SCOPE,
      done: "removed",
      shows: [{ say: "{<number>} has opted in again." }],
    },
    summary: "Opt a number in again",
    description: "Only if the person asked for it: they may write START themselves.",
    route: "DELETE /OptOuts",
    query: z.strictObject({ Number: numberText, ScopeType: scopeType, Scope: scopeText }),
    answers: { 204: { description: "It is gone." } },
    refusals: ["not-found"],
    furtherFaults: ({ query, country }) =>
      faultsOf({ number: query.Number, scopeType: query.ScopeType, scope: query.Scope }, IN_QUERY, country),
    async handle({ account, query, now }, unit) {
      const given = { number: query.Number, scopeType: query.ScopeType, scope: query.Scope };
      const read = await readOptOut(ownNumbers(unit, account), given, IN_QUERY);
      if (!read.ok) return read;
      const { number, scope } = read.value;
      const order = { accountSid: account.sid, number, scopes: [scope], keyword: null };
      if ((await optIn(unit, order, now)) > 0) return ok({ status: 204 });
      return refused(problem("not-found", `${number} has not opted out of ${scope.scope}.`));
    },
  }),
]);

interface OwnNumbers {
  /** The number that the account means by a text that may be a short code; any other text unchanged. */
  numberOr(text: string): Promise<string>;
  readonly country: string | null;
}

function ownNumbers({ phones }: Pick<Unit, "phones">, { sid, country }: Account): OwnNumbers {
  return {
    country,
    async numberOr(text) {
      const read = isShortCode(text.trim()) ? await readOwnNumber(phones, sid, text, country) : undefined;
      return read?.ok ? read.value : text;
    },
  };
}

/** A number in E.164, a short code, or a campaign's id; any other text matches nothing. */
function scopeFilter(given: string, country: string | null): string {
  if (isShortCode(given)) return given;
  const parsed = readE164(given, country);
  return parsed.ok ? parsed.value : given.toUpperCase();
}
