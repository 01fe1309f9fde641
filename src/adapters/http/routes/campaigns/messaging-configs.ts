// MessagingConfigs and their numbers.

import { z } from "zod";
import type { Ids } from "../../../../base/ids.ts";
import { type CommandDescription, members, type Part } from "../../../../base/plain-command.ts";
import type { Readable } from "../../../../base/readable.ts";
import { ok, type Result, refused } from "../../../../base/result.ts";
import {
  assignPhones,
  type ConfigChange,
  changeConfig,
  deleteConfig,
  EXPIRY_SECONDS,
  KEYWORD_LENGTH_MAX,
  KEYWORDS_MAX,
  type MessagingConfig,
  makeConfig,
  NAME_LENGTH_MAX,
  REPLY_LENGTH_MAX,
  readSendingTimes,
  sendingTimesFaults,
  WEEKDAYS,
} from "../../../../domain/campaigns/index.ts";
import { bareWord, usualKind } from "../../../../domain/messaging/index.ts";
import { invalid, type Problem, problem } from "../../../../domain/problems.ts";
import { accountOperation, type Outcome, tagged, type Untagged } from "../../core/operation.ts";
import { answerCreated, answerDone, answerFound, answerPage, answerWith } from "../../core/outcomes.ts";
import type { Unit } from "../../core/ports.ts";
import { idsFor } from "../../core/request-context.ts";
import { anyText, listOf, listQuery, pageRequestOf, sidParams, text, timestamp } from "../../core/schemas.ts";
import { readOwnNumber } from "../../reading/read-number.ts";
import { ownNumberText, PHONES, phoneSchema, showPhone } from "../numbers/phones.ts";
import { campaignId } from "./campaigns.ts";

export interface MessagingConfigRouteDeps {
  readonly ids: Ids;
}

const PHONES_MAX = 1000;

/** `configs add-numbers` and `remove-numbers`: each number succeeds or fails on its own. */
const CHANGE_NUMBERS = {
  arguments: { "<sid>": "the config", "<numbers...>": ["phones", "the numbers"] },
  shows: [
    {
      titles: ["Number", "Outcome"],
      rows: { success: ["{}", "done"], failed: ["{number}", "refused: {reason}"] },
    },
  ],
  failed: "failed",
} as const satisfies Partial<CommandDescription>;

const name = text(NAME_LENGTH_MAX).describe(
  "With a campaign's id anywhere in it, in capitals, that campaign is linked when it is imported.",
);
const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, "A time of day is written 09:00.");
const sendingTimes = z
  .strictObject({
    timeZone: text(64).describe("IANA, such as `America/New_York`."),
    days: z
      .array(z.enum(WEEKDAYS).meta({ id: "Weekday" }))
      .min(1)
      .max(7),
    from: timeOfDay.describe("As in `09:00`."),
    to: timeOfDay.describe("Exclusive. Not later than `from`: on the next day, `00:00` being midnight."),
  })
  .meta({ id: "SendingTimes" });
const defaultExpirySeconds = z
  .int()
  .min(EXPIRY_SECONDS.min)
  .max(EXPIRY_SECONDS.max)
  .describe("How long a message waits to be sent, unless it says so itself.");
const reply = anyText(REPLY_LENGTH_MAX, 1).regex(
  /^(?:[^\p{Cc}\p{Cs}]|\n)*$/u,
  "Control characters other than line feeds are not allowed, and no half of a surrogate pair.",
);
const keywords = z
  .array(text(KEYWORD_LENGTH_MAX))
  .max(KEYWORDS_MAX)
  .describe("Further ones, beside those that count everywhere. The whole message must be the keyword.");

const configSchema = z
  .strictObject({
    sid: z.string(),
    name: z.string(),
    tcrCampaignId: z.string().nullable(),
    sendingTimes: sendingTimes.nullable().describe("Null: at any time."),
    defaultExpirySeconds: z.int(),
    optOutReply: z.string().nullable().describe("Null: the usual words."),
    optInReply: z.string().nullable(),
    helpReply: z.string().nullable(),
    optOutKeywords: z.array(z.string()).describe("Beside the usual ones, in capitals and without punctuation."),
    optInKeywords: z.array(z.string()),
    helpKeywords: z.array(z.string()),
    createdOn: timestamp,
  })
  .meta({ id: "MessagingConfig" });

const order = z
  .strictObject({
    name,
    tcrCampaignId: campaignId.nullable().default(null),
    sendingTimes: sendingTimes.nullable().default(null),
    defaultExpirySeconds: defaultExpirySeconds.default(EXPIRY_SECONDS.default),
    optOutReply: reply.nullable().default(null),
    optInReply: reply.nullable().default(null),
    helpReply: reply.nullable().default(null),
    optOutKeywords: keywords.default([]),
    optInKeywords: keywords.default([]),
    helpKeywords: keywords.default([]),
  })
  .meta({ id: "MessagingConfigOrder" });

const replacement = order
  .extend({
    tcrCampaignId: campaignId
      .nullable()
      .optional()
      .describe("Links a campaign; null unlinks it; absent, the link stays."),
  })
  .meta({ id: "MessagingConfigReplacement" });

const configChange = z
  .strictObject({
    name: name.optional(),
    tcrCampaignId: campaignId.nullable().optional().describe("Links a campaign; null unlinks it."),
    sendingTimes: sendingTimes.nullable().optional(),
    defaultExpirySeconds: defaultExpirySeconds.optional(),
    optOutReply: reply.nullable().optional(),
    optInReply: reply.nullable().optional(),
    helpReply: reply.nullable().optional(),
    optOutKeywords: keywords.optional(),
    optInKeywords: keywords.optional(),
    helpKeywords: keywords.optional(),
  })
  .meta({ id: "MessagingConfigChange" });

const assigned = z
  .strictObject({
    success: z.array(z.string()),
    failed: z.array(z.strictObject({ number: z.string(), reason: z.string() })),
  })
  .meta({ id: "PhonesAssigned" });

function show({ accountSid: _, ...rest }: MessagingConfig): object {
  return rest;
}

const KEYWORD_FIELDS = [
  ["optOutKeywords", "optOut"],
  ["optInKeywords", "optIn"],
  ["helpKeywords", "help"],
] as const;
const MEANINGS = { optOut: "opts out", optIn: "opts in", help: "asks for help" } as const;

/** Normalises the sending times and the keywords. */
function settled<Given extends ConfigChange>(given: Given): Result<Given, Problem> {
  const faults = configFaults(given);
  if (Object.keys(faults).length > 0) return refused(invalid(faults));
  const times = given.sendingTimes && readSendingTimes(given.sendingTimes);
  const words = KEYWORD_FIELDS.map(([field]) => [field, given[field] && [...new Set(given[field].map(bareWord))]]);
  return ok({ ...given, ...Object.fromEntries(words), ...(times?.ok ? { sendingTimes: times.value } : {}) });
}

function configFaults(given: Readable<ConfigChange>): Readonly<Record<string, readonly string[]>> {
  const faults: Record<string, readonly string[]> = given.sendingTimes
    ? { ...sendingTimesFaults(given.sendingTimes) }
    : {};
  for (const [field, kind] of KEYWORD_FIELDS) {
    for (const [index, text] of given[field]?.entries() ?? []) {
      if (text === undefined) continue;
      const word = bareWord(text);
      const meaning = usualKind(word) ?? kind;
      if (word === "") faults[`${field}[${index}]`] = ["A keyword has letters or digits."];
      if (meaning !== kind) faults[`${field}[${index}]`] = [`${word} ${MEANINGS[meaning]} everywhere.`];
    }
  }
  return faults;
}

const CONFIG: readonly Part[] = [
  {
    fields: {
      ...members("sid, name, tcrCampaignId"),
      "Sending times": ["{sendingTimes|times}", "any"],
      ...members(
        "Expiry in seconds = defaultExpirySeconds, Opt-out reply = optOutReply, Opt-in reply = optInReply, Help reply = helpReply, Opt-out keywords = optOutKeywords, Opt-in keywords = optInKeywords, Help keywords = helpKeywords, createdOn",
      ),
    },
  },
];
const CONFIG_OPTIONS = {
  "--campaign <id>": ["tcrCampaignId", "link this campaign; none unlinks it"],
  "--sending-times <times>": [
    "sendingTimes",
    '"Mon-Fri 09:00-20:00 America/New_York", or any',
    { kind: "sendingTimes" },
  ],
  "--expiry <seconds>": ["defaultExpirySeconds", "how long a message waits to be sent"],
  "--opt-out-reply <text>": ["optOutReply", "the answer to STOP; none for the usual words"],
  "--opt-in-reply <text>": ["optInReply", "the answer to START"],
  "--help-reply <text>": ["helpReply", "the answer to HELP"],
  "--opt-out-keywords <words>": [
    "optOutKeywords",
    "further ones beside STOP and the like, with commas; none for none",
    { kind: "commaWords" },
  ],
  "--opt-in-keywords <words>": ["optInKeywords", "further ones beside START", { kind: "commaWords" }],
  "--help-keywords <words>": ["helpKeywords", "further ones beside HELP", { kind: "commaWords" }],
} as const satisfies CommandDescription["options"];

const change = async (
  accountSid: string,
  sid: string,
  given: ConfigChange,
  unit: Unit,
  now: Date,
): Promise<Outcome> => {
  const read = settled(given);
  if (!read.ok) return read;
  return answerWith(await changeConfig(unit, accountSid, sid, read.value, now), show);
};

export const messagingConfigOperations = tagged<MessagingConfigRouteDeps>("MessagingConfigs", [
  accountOperation({
    id: "createMessagingConfig",
    sdk: "messagingConfigs.create",
    command: {
      name: "configs create",
      about: "Make a MessagingConfig.",
      arguments: { "<name>": "with a campaign's id in it, in capitals, that campaign is linked when it is imported" },
      options: CONFIG_OPTIONS,
      shows: CONFIG,
    },
    summary: "Make a MessagingConfig",
    route: "POST /MessagingConfigs",
    body: order,
    answers: { 201: { description: "The config.", body: configSchema } },
    refusals: ["conflict"],
    furtherFaults: ({ body }) => configFaults(body),
    async handle({ account, body, now, request }, unit, { ids }) {
      const read = settled(body);
      if (!read.ok) return read;
      const config = {
        ...read.value,
        sid: idsFor(request, ids, "MC").sid("MC"),
        accountSid: account.sid,
        createdOn: now,
      };
      return answerCreated(await makeConfig(unit, config), show);
    },
  }),
  accountOperation({
    id: "listMessagingConfigs",
    sdk: "messagingConfigs.list",
    command: {
      name: "configs list",
      about: "List the MessagingConfigs.",
      shows: [
        {
          table: {
            ...members("sid, name, tcrCampaignId"),
            "Sending times": ["{sendingTimes|times}", "any"],
            Created: "{createdOn}",
          },
        },
      ],
    },
    summary: "List MessagingConfigs",
    route: "GET /MessagingConfigs",
    isSeenByOperators: true,
    query: listQuery({}),
    answers: { 200: { description: "A page of configs.", body: listOf("MessagingConfigList", configSchema) } },
    handle: async ({ account, query }, unit) =>
      answerPage(await unit.messagingConfigs.list(account.sid, pageRequestOf(query)), show),
  }),
  accountOperation({
    id: "getMessagingConfig",
    sdk: "messagingConfigs.get",
    command: {
      name: "configs show",
      about: "Show a MessagingConfig.",
      arguments: { "<sid>": "the config" },
      shows: CONFIG,
    },
    summary: "A MessagingConfig",
    route: "GET /MessagingConfigs/{sid}",
    isSeenByOperators: true,
    params: sidParams,
    answers: { 200: { description: "The config.", body: configSchema } },
    refusals: ["not-found"],
    handle: async ({ account, params }, unit) =>
      answerFound(await unit.messagingConfigs.find(account.sid, params.sid), show),
  }),
  accountOperation({
    id: "replaceMessagingConfig",
    sdk: "messagingConfigs.replace",
    command: "configs change {sid} [--name name]",
    summary: "Replace a MessagingConfig",
    description:
      "What is not given is as at the beginning, but for the link: `tcrCampaignId` changes only when it is named, and null unlinks.",
    route: "PUT /MessagingConfigs/{sid}",
    params: sidParams,
    body: replacement,
    answers: { 200: { description: "The config as it is now.", body: configSchema } },
    refusals: ["not-found", "conflict"],
    furtherFaults: ({ body }) => configFaults(body),
    handle: ({ account, params, body, now }, unit) => change(account.sid, params.sid, body, unit, now),
  }),
  accountOperation({
    id: "changeMessagingConfig",
    sdk: "messagingConfigs.change",
    command: {
      name: "configs change",
      about: "Change a MessagingConfig: only what is given.",
      arguments: { "<sid>": "the config" },
      options: { "--name <name>": ["name", "its name"], ...CONFIG_OPTIONS },
      needs: "Say what to change; --help shows what can be.",
      shows: CONFIG,
    },
    summary: "Change a MessagingConfig",
    description:
      "Only the members given are changed. `tcrCampaignId` links a campaign and null unlinks it; its numbers follow. 409 when the campaign is linked to another config.",
    route: "PATCH /MessagingConfigs/{sid}",
    params: sidParams,
    body: configChange,
    answers: { 200: { description: "The config as it is now.", body: configSchema } },
    refusals: ["not-found", "conflict"],
    furtherFaults: ({ body }) => configFaults(body),
    handle: ({ account, params, body, now }, unit) => change(account.sid, params.sid, body, unit, now),
  }),
  accountOperation({
    id: "deleteMessagingConfig",
    sdk: "messagingConfigs.remove",
    command: {
      name: "configs delete",
      about: "Delete a MessagingConfig that no numbers belong to.",
      arguments: { "<sid>": "the config" },
      done: "deleted",
      shows: [{ say: "{<sid>} is deleted." }],
    },
    summary: "Delete a MessagingConfig",
    description: "409 while numbers belong to it. Its campaign can be linked to another one afterwards.",
    route: "DELETE /MessagingConfigs/{sid}",
    params: sidParams,
    answers: { 204: { description: "It is gone." } },
    refusals: ["not-found", "conflict"],
    handle: async ({ account, params }, unit) => answerDone(await deleteConfig(unit, account.sid, params.sid)),
  }),
  accountOperation({
    id: "listMessagingConfigPhones",
    sdk: "messagingConfigs.phones",
    command: {
      name: "configs numbers",
      about: "List the numbers of a MessagingConfig.",
      arguments: { "<sid>": "the config" },
      shows: PHONES,
    },
    summary: "The numbers of a MessagingConfig",
    route: "GET /MessagingConfigs/{sid}/phones",
    isSeenByOperators: true,
    params: sidParams,
    query: listQuery({}),
    answers: { 200: { description: "A page of numbers.", body: listOf("MessagingConfigPhoneList", phoneSchema) } },
    refusals: ["not-found"],
    async handle({ account, params, query }, unit) {
      const config = await unit.messagingConfigs.find(account.sid, params.sid);
      if (!config) return refused(problem("not-found"));
      const filter = { messagingConfigSid: config.sid };
      return answerPage(await unit.phones.list(account.sid, pageRequestOf(query), filter), showPhone);
    },
  }),
  phonesOperation({
    id: "addMessagingConfigPhones",
    sdk: "messagingConfigs.addPhones(sid, phones)",
    command: { name: "configs add-numbers", about: "Add numbers to a MessagingConfig.", ...CHANGE_NUMBERS },
    change: "add",
    summary: "Add numbers to a MessagingConfig",
    description: "Each by itself: those that fail say why. A number that belongs to another config is moved here.",
  }),
  phonesOperation({
    id: "deleteMessagingConfigPhones",
    sdk: "messagingConfigs.deletePhones(sid, phones)",
    command: { name: "configs remove-numbers", about: "Take numbers out of a MessagingConfig.", ...CHANGE_NUMBERS },
    change: "delete",
    summary: "Take numbers out of a MessagingConfig",
    description: "Each by itself: those that fail say why. The numbers stay yours.",
  }),
]);

interface PhonesChange {
  readonly id: string;
  readonly sdk: string;
  readonly command: CommandDescription;
  readonly change: "add" | "delete";
  readonly summary: string;
  readonly description: string;
}

function phonesOperation({
  id,
  sdk,
  command,
  change,
  summary,
  description,
}: PhonesChange): Untagged<MessagingConfigRouteDeps> {
  return accountOperation({
    id,
    sdk,
    command,
    summary,
    description,
    route: `PATCH /MessagingConfigs/{sid}/${change}Phones`,
    params: sidParams,
    body: z
      .strictObject({ phones: z.array(ownNumberText).min(1).max(PHONES_MAX) })
      .meta({ id: change === "add" ? "PhonesToAdd" : "PhonesToDelete" }),
    answers: { 200: { description: "What became of each.", body: assigned } },
    refusals: ["not-found"],
    async handle({ account, params, body, now }, unit) {
      const numbers = new Set<string>();
      const unread: { readonly number: string; readonly reason: string }[] = [];
      for (const given of body.phones) {
        const parsed = await readOwnNumber(unit.phones, account.sid, given, account.country);
        if (parsed.ok) numbers.add(parsed.value);
        else unread.push({ number: given.toWellFormed(), reason: parsed.refusal.reason });
      }
      const phones = { accountSid: account.sid, sid: params.sid, numbers: [...numbers], change };
      const outcome = await assignPhones(unit, phones, now);
      if (!outcome.ok) return outcome;
      const { success, failed } = outcome.value;
      return ok({ status: 200, body: { success, failed: [...failed, ...unread] } });
    },
  });
}
