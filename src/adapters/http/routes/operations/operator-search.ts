// Finding without knowing the account, for operators: one question over numbers, sids, request ids and names, and whose
// a number is. What is found says which account it is of, and nothing of what was said or written.

import { z } from "zod";
import { numbersMeant } from "../../../../../rules/numbers/spellings.ts";
import { type Columns, members } from "../../../../base/plain-command.ts";
import { ok } from "../../../../base/result.ts";
import { ACCOUNT_STATUSES } from "../../../../domain/accounts/index.ts";
import { MESSAGE_STATUSES } from "../../../../domain/messaging/index.ts";
import { isShortCode } from "../../../../domain/numbers/index.ts";
import { RECORD_KINDS } from "../../../../domain/search.ts";
import { CALL_DIRECTIONS, CALL_STATUSES, END_REASONS } from "../../../../domain/voice/index.ts";
import { operatorOperation, tagged } from "../../core/operation.ts";
import type { Unit } from "../../core/ports.ts";
import { text, timestamp } from "../../core/schemas.ts";
import { phoneSchema } from "../numbers/phones.ts";
import { ownedRequestSchema } from "../requests/requests.ts";

export interface SearchDeps {
  /** The countries of all accounts: a number without a plus may be one of any of them. */
  readonly countries: () => Iterable<string>;
}

const owner = { accountSid: z.string(), accountName: z.string() };
const { number, name, status, statusReason, features, createdOn, updatedOn } = phoneSchema.shape;
const ownedPhone = z
  .strictObject({ number, ...owner, name, status, statusReason, features, createdOn, updatedOn })
  .meta({ id: "OwnedPhone" });

const parties = { from: z.string(), to: z.string(), createdOn: timestamp };
const direction = z.enum(CALL_DIRECTIONS);
const foundMessage = z
  .strictObject({
    sid: z.string(),
    ...owner,
    direction,
    ...parties,
    status: z.enum(MESSAGE_STATUSES).nullable().describe("Null for a received one."),
  })
  .meta({ id: "FoundMessage" });
const foundCall = z
  .strictObject({
    sid: z.string(),
    ...owner,
    direction,
    ...parties,
    status: z.enum(CALL_STATUSES),
    endReason: z.enum(END_REASONS).nullable(),
  })
  .meta({ id: "FoundCall" });
const foundAccount = z
  .strictObject({ sid: z.string(), name: z.string(), status: z.enum(ACCOUNT_STATUSES) })
  .meta({ id: "FoundAccount" });
const foundRecord = z
  .strictObject({ kind: z.enum(RECORD_KINDS), sid: z.string(), ...owner, createdOn: timestamp })
  .meta({ id: "FoundRecord" });

const resultSchema = z
  .strictObject({
    numbers: z.array(z.string()).describe("The numbers that the text may mean, the likeliest first."),
    phones: z.array(ownedPhone).describe("The accounts that have such a number, or had it."),
    accounts: z.array(foundAccount).describe("With such words in their names."),
    messages: z.array(foundMessage).describe("Sent to such a number, or received from it."),
    calls: z.array(foundCall).describe("From such a number, or to it."),
    records: z.array(foundRecord).describe("With such a sid, or made by a request with such an id."),
    refused: z.array(ownedRequestSchema).describe("Refused requests with such an id, of the last 7 days."),
  })
  .meta({ id: "SearchResult" });

/** A number as people write it, in E.164 and as a short code. */
function meant(text: string, countries: Iterable<string>): readonly string[] {
  const code = text.trim();
  return [...(isShortCode(code) ? [code] : []), ...numbersMeant(text, countries)];
}

/** Whatever callers may use as a request id, and sids. */
const ID = /^[A-Za-z0-9._-]{1,128}$/;

async function byId({ madeByRequests, refusedRequests, search }: Unit, id: string) {
  if (!ID.test(id)) return { records: [], refused: [] };
  const made = await madeByRequests.find(id);
  return { records: [...made, ...(await search.records(id))], refused: await refusedRequests.find(id) };
}

async function byNumber({ search }: Unit, numbers: readonly string[]) {
  if (numbers.length === 0) return { phones: [], messages: [], calls: [] };
  return {
    phones: await search.phones(numbers),
    messages: await search.messages(numbers),
    calls: await search.calls(numbers),
  };
}

/** Adds the names of the accounts. */
async function withNames<Item extends { readonly accountSid: string }>({ search }: Unit, items: readonly Item[]) {
  const names = await search.names(items.map(({ accountSid }) => accountSid));
  return items.map((item) => ({ ...item, accountName: names.get(item.accountSid) ?? "" }));
}

const shows = (columns: Columns, of: string) => ({ table: columns, of: `${of}?` });
const PHONES = members("number, Account = accountName, accountSid, status, Since = createdOn");

export const searchOperations = tagged<SearchDeps>("Operator", [
  operatorOperation({
    id: "search",
    sdk: "search.find(query)",
    command: {
      name: "operator search",
      about:
        "Find what a caller can name, over all accounts: a number in any spelling, a sid, a request id, or an account by its name.",
      summary: "find a number, a sid, a request id or a name over all accounts",
      arguments: { "<text>": ["Query", "a number, a sid, a request id, or words of an account's name"] },
      shows: [
        shows(PHONES, "phones"),
        shows(members("Account = name, sid, status"), "accounts"),
        shows(members("Message = sid, Account = accountName, createdOn, from, to, status"), "messages"),
        shows(members("Call = sid, Account = accountName, createdOn, from, to, status, End = endReason"), "calls"),
        shows(members("Record = kind, sid, Account = accountName, createdOn"), "records"),
        shows(members("Refused = createdOn, accountSid, operation, status, code, requestId"), "refused"),
      ],
    },
    summary: "Find a number, a sid, a request id or an account's name",
    description:
      "Over all accounts, the newest first, at most 20 of a kind. A number may be spelled in any way: without a plus it is read in the countries of the accounts. Entered in the audit log.",
    route: "GET /Search",
    query: z.strictObject({ Query: text(200) }),
    answers: { 200: { description: "What was found, by kind.", body: resultSchema } },
    audit: ({ query }) => ({ subject: null, details: query }),
    async handle({ query: { Query } }, unit, { countries }: SearchDeps) {
      const numbers = meant(Query, countries());
      const accounts = await unit.search.accounts(Query);
      const { phones, messages, calls } = await byNumber(unit, numbers);
      const { records, refused } = await byId(unit, Query.trim());
      const body = {
        numbers,
        phones: await withNames(unit, phones),
        accounts,
        messages: await withNames(unit, messages),
        calls: await withNames(unit, calls),
        records: await withNames(unit, records),
        refused,
      };
      return ok({ status: 200, body });
    },
  }),
  operatorOperation({
    id: "findPhone",
    sdk: "phones.find(query)",
    command: {
      name: "operator numbers find",
      about: "Show whose a number is, and whose it was.",
      arguments: { "<number>": ["Number", "in any spelling"] },
      shows: [{ table: PHONES, empty: "No account has it, or had it." }],
    },
    summary: "Whose a number is",
    description:
      "The account that has it, and those that had it before (`Removed`), the newest first. A number may be spelled in any way: without a plus it is read in the countries of the accounts. Entered in the audit log.",
    route: "GET /Phones",
    query: z.strictObject({ Number: text(64) }),
    answers: {
      200: {
        description: "The accounts, at most 20; none where nobody has it, or had it.",
        body: z.strictObject({ items: z.array(ownedPhone) }).meta({ id: "OwnedPhones" }),
      },
    },
    audit: ({ query }) => ({ subject: null, details: query }),
    async handle({ query }, unit, { countries }: SearchDeps) {
      const found = await unit.search.phones(meant(query.Number, countries()));
      return ok({ status: 200, body: { items: await withNames(unit, found) } });
    },
  }),
]);
