// An account finds what it has: by a number, a sid, a request id, a name or words of texts. Operators have a search of
// their own, which does not look into texts.

import { z } from "zod";
import { numbersMeant } from "../../../../../rules/numbers/spellings.ts";
import { type Columns, members } from "../../../../base/plain-command.ts";
import { ok } from "../../../../base/result.ts";
import type { Account } from "../../../../domain/accounts/index.ts";
import { MESSAGE_STATUSES } from "../../../../domain/messaging/index.ts";
import { isShortCode } from "../../../../domain/numbers/index.ts";
import { type FoundText, RECORD_KINDS } from "../../../../domain/search.ts";
import { termsOf } from "../../../../domain/text-words.ts";
import { CALL_DIRECTIONS, CALL_STATUSES, END_REASONS } from "../../../../domain/voice/index.ts";
import { SINCE_UNTIL } from "../../core/command-parts.ts";
import { accountOperation, tagged } from "../../core/operation.ts";
import type { Unit } from "../../core/ports.ts";
import { dateOf, listQuery, pageRequestOf, searchIdOf, shownBy, text, timestamp } from "../../core/schemas.ts";
import { phoneSchema } from "../numbers/phones.ts";
import { requestSchema } from "../requests/requests.ts";

/** Of each kind but texts. */
const FOUND_MAX = 20;
/** Of texts; a search reads as much for one as for all. */
const PAGE_MAX = 100;
const DAYS = 30;
const DAY_MS = 24 * 3_600_000;

const direction = z.enum(CALL_DIRECTIONS);
const parties = { from: z.string(), to: z.string(), createdOn: timestamp };
const textSchema = z
  .strictObject({
    sid: z.string(),
    direction,
    ...parties,
    status: z.enum(MESSAGE_STATUSES).nullable().describe("Null for a received one."),
    text: z.string(),
  })
  .meta({ id: "FoundText" });
const callSchema = z
  .strictObject({
    sid: z.string(),
    direction,
    ...parties,
    status: z.enum(CALL_STATUSES),
    endReason: z.enum(END_REASONS).nullable(),
  })
  .meta({ id: "FoundOwnCall" });
const { number, name, status: phoneStatus } = phoneSchema.shape;
const foundPhone = z
  .strictObject({ number, name, status: phoneStatus, createdOn: timestamp })
  .meta({ id: "FoundPhone" });
const configSchema = z.strictObject({ sid: z.string(), name: z.string() }).meta({ id: "FoundConfig" });
const recordSchema = z
  .strictObject({ kind: z.enum(RECORD_KINDS), sid: z.string(), createdOn: timestamp })
  .meta({ id: "FoundOwnRecord" });

const resultSchema = z
  .strictObject({
    numbers: z.array(z.string()).describe("The numbers that the query may mean, the likeliest first."),
    phones: z.array(foundPhone).describe("The account's, by number or by words of their names."),
    configs: z.array(configSchema).describe("MessagingConfigs with such words in their names."),
    messages: z.array(textSchema).describe("Sent to such a number, or received from it."),
    calls: z.array(callSchema).describe("From such a number, or to it."),
    records: z.array(recordSchema).describe("With such a sid, or made by a request with such an id."),
    refused: z.array(requestSchema).describe("Refused requests with such an id, of the last 7 days."),
    texts: z.array(textSchema).describe("Messages sent and received with all words of the query, the newest first."),
    textsFrom: timestamp.describe("All texts since then were searched, or since the page before."),
    searchId: z
      .string()
      .optional()
      .describe(
        "Ask with it for older texts; absent when all were searched. A page may have few or none before that: one search reads so much and no more.",
      ),
  })
  .meta({ id: "AccountSearchResult" });

const showText = shownBy(textSchema);
const showPhone = shownBy(foundPhone);
const showCall = shownBy(callSchema);
const showRecord = shownBy(recordSchema);
const showRequest = shownBy(requestSchema);

interface Question {
  readonly account: Account;
  readonly query: string;
}

const NEWEST = { size: FOUND_MAX, direction: "Descending" } as const;
const byTime = (one: { readonly createdOn: Date }, other: { readonly createdOn: Date }) =>
  other.createdOn.getTime() - one.createdOn.getTime();

async function messagesWith({ outboundMessages, inboundMessages }: Unit, accountSid: string, number: string) {
  const sent = await outboundMessages.list(accountSid, NEWEST, { to: number });
  const received = await inboundMessages.list(accountSid, NEWEST, { from: number });
  return [
    ...sent.items.map((message): FoundText => ({ ...message, direction: "Outbound" })),
    ...received.items.map((message): FoundText => ({ ...message, direction: "Inbound", status: null })),
  ];
}

async function byNumber(unit: Unit, { account, query }: Question) {
  const code = query.trim();
  const numbers = [
    ...(isShortCode(code) ? [code] : []),
    ...numbersMeant(query, account.country ? [account.country] : []),
  ];
  const phones = [];
  const messages = [];
  const calls = [];
  for (const number of numbers) {
    phones.push((await unit.phones.find(account.sid, number)) ?? []);
    messages.push(...(await messagesWith(unit, account.sid, number)));
    calls.push(...(await unit.calls.list(account.sid, NEWEST, { from: number })).items);
    calls.push(
      ...(await unit.calls.list(account.sid, NEWEST, { to: number })).items.filter(({ from }) => from !== number),
    );
  }
  return {
    numbers,
    phones: phones.flat(),
    messages: messages.sort(byTime).slice(0, FOUND_MAX).map(showText),
    calls: calls.sort(byTime).slice(0, FOUND_MAX).map(showCall),
  };
}

/** Whatever callers may use as a request id, and sids. */
const ID = /^[A-Za-z0-9._-]{1,128}$/;

async function byId({ madeByRequests, refusedRequests, search, inboundMessages }: Unit, { account, query }: Question) {
  const id = query.trim();
  if (!ID.test(id)) return { records: [], refused: [] };
  const received = await inboundMessages.find(account.sid, id);
  const records = [
    ...(await madeByRequests.find(id, account.sid)),
    ...(received ? [{ ...received, kind: "InboundMessage" }] : []),
    ...(id.startsWith("IM") ? [] : await search.records(id)).filter(({ accountSid }) => accountSid === account.sid),
  ];
  const refused = await refusedRequests.find(id, account.sid);
  return {
    records: records.slice(0, FOUND_MAX).map(showRecord),
    refused: refused.slice(0, FOUND_MAX).map(showRequest),
  };
}

async function firstPage(unit: Unit, question: Question) {
  const { account, query } = question;
  const { phones, ...found } = await byNumber(unit, question);
  const named = await unit.search.named(account.sid, query);
  const others = named.phones.filter(({ number: own }) => phones.every((phone) => phone.number !== own));
  return {
    ...found,
    phones: [...phones, ...others].map(showPhone),
    configs: named.configs,
    ...(await byId(unit, question)),
  };
}

/** What a `searchId` says is where the texts of the next page begin; any other text is the end. */
const placeOf = (after: string | undefined) => (after === undefined || PLACE.test(after) ? after : "");
const PLACE = /^[0-9a-f]{12,33}$/;
const timeOf = (place: string) => new Date(Number.parseInt(place.slice(0, 12), 16));

const LATER_PAGE = { numbers: [], phones: [], configs: [], messages: [], calls: [], records: [], refused: [] };

const shows = (columns: Columns, of: string) => ({ table: columns, of: `${of}?` });
const { SearchId } = listQuery({}).shape;
const moment = z.iso.datetime({ offset: true }).optional();

export const accountSearchOperations = tagged("Account", [
  accountOperation({
    id: "searchAccount",
    sdk: "search.find(query)",
    command: {
      name: "search",
      about: "Find a number in any spelling, a sid, a request id, a name, or texts by their words.",
      summary: "find a number, an id, a name or words of texts",
      example: "tandem search bread --since 90d",
      arguments: { "<text>": ["Query", "a number, a sid, a request id, a name, or words of texts"] },
      options: SINCE_UNTIL,
      shows: [
        shows(members("number, name, status, Since = createdOn"), "phones"),
        shows(members("MessagingConfig = sid, name"), "configs"),
        shows({ ...members("Message = sid, createdOn, from, to, status"), Text: "{text|short}" }, "messages"),
        shows(members("Call = sid, createdOn, from, to, status, End = endReason"), "calls"),
        shows(members("Record = kind, sid, createdOn"), "records"),
        shows(members("Refused = createdOn, operation, status, code, requestId"), "refused"),
        shows({ ...members("Text of = sid, createdOn, from, to"), Text: "{text|short}" }, "texts"),
      ],
    },
    summary: "Find a number, an id, a name or words of texts",
    description: `The newest first, at most ${FOUND_MAX} of a kind and pages of texts. A number may be spelled in any way: without a plus it is read in the account's country. Texts are found by all words of the query, in any order, without case and accents; the last one may be the beginning of a word. In scripts without blanks between words, any part is found. Of a text of more than 4,000 characters, the beginning is searched. A text is found as soon as it was sent or received. Without times, texts of the last ${DAYS} days are searched.`,
    route: "GET /Search",
    query: z.strictObject({
      Query: text(200),
      CreatedOnFrom: moment.describe(`Of texts; ${DAYS} days ago by default.`),
      CreatedOnTo: moment.describe("Of texts."),
      PageSize: z.int().min(1).max(PAGE_MAX).default(20).describe("Of texts."),
      SearchId: SearchId.describe("The `searchId` of the page before: then only texts are searched."),
    }),
    answers: { 200: { description: "What was found, by kind.", body: resultSchema } },
    async handle({ account, query: given, now }, unit) {
      const to = dateOf(given.CreatedOnTo);
      const from = dateOf(given.CreatedOnFrom) ?? new Date((to ?? now).getTime() - DAYS * DAY_MS);
      const { after, size } = pageRequestOf({ ...given, OrderByDirection: "Descending" });
      const terms = termsOf(given.Query);
      const found = after === undefined ? await firstPage(unit, { account, query: given.Query }) : LATER_PAGE;
      const { texts, next } =
        terms.length === 0
          ? { texts: [], next: undefined }
          : await unit.texts.find(account.sid, { terms, from, to, after: placeOf(after), size });
      const body = {
        ...found,
        texts: texts.map(showText),
        textsFrom: next === undefined ? from : timeOf(next),
        ...(next !== undefined && { searchId: searchIdOf(next) }),
      };
      return ok({ status: 200, body });
    },
  }),
]);
