// The order of a message: its schema, the spellings of forms and of other providers' clients, and the conversion to the
// domain's order. Any input gives an order and all its faults. Reading is pure, so that a repeated request is
// recognised.

import { z } from "zod";
import type { Readable } from "../../../../base/readable.ts";
import {
  CALLBACK_STATUSES,
  MEDIA_MAX,
  PRIORITIES,
  RECIPIENTS_MAX,
  type ReadOrder,
  type RefusalCode,
  type SendFault,
  TEXT_CODE_POINTS_MAX,
} from "../../../../domain/messaging/index.ts";
import { PAYLOAD_SHAPES } from "../../../../domain/webhooks/index.ts";
import { codePoints, moment, plainText, text, words } from "../../core/schemas.ts";
import { readCallbackUrl } from "../../reading/callback-url.ts";
import { type Fault, readWithFaults, type Spelling } from "../../reading/read-input.ts";

const URL_LENGTH_MAX = 2048;
const METADATA_LENGTH_MAX = 512;
const NUMBER_LENGTH_MAX = 256;

export const prioritySchema = z.enum(PRIORITIES).meta({ id: "Priority" });
const SENDER_REQUIRED = "This is required: one of your numbers, such as +15551234567.";
const when = moment("A date is written 2026-01-31T12:00:00Z.");
const sayUnsendable = (value: string) =>
  value.isWellFormed()
    ? "NUL characters cannot be sent."
    : "This is not well-formed Unicode: it holds half of a surrogate pair.";

const callbackUrl = text(URL_LENGTH_MAX, 0).trim().nullish();

/** One recipient, or several; text or media; and one callback. */
const COMBINATIONS = {
  oneOf: [
    { title: "One recipient", required: ["To"], properties: { To: { type: "string" } } },
    { title: "Several recipients", required: ["Recipients"], properties: { Recipients: { type: "array", items: {} } } },
  ],
  not: {
    anyOf: [
      {
        required: ["To", "Recipients"],
        properties: { To: { type: "string" }, Recipients: { type: "array", items: {} } },
      },
      {
        required: ["CallbackUrlOverride", "StatusCallback"],
        properties: {
          CallbackUrlOverride: { type: "string", pattern: "\\S" },
          StatusCallback: { type: "string", pattern: "\\S" },
        },
      },
    ],
  },
  anyOf: [
    { required: ["Text"], properties: { Text: { type: "string", minLength: 1 } } },
    { required: ["MediaUrls"], properties: { MediaUrls: { type: "array", minItems: 1, items: {} } } },
  ],
};

export const messageOrderSchema = z
  .strictObject({
    From: z
      .string({ error: ({ input }) => (input === undefined ? SENDER_REQUIRED : undefined) })
      .check(codePoints(0, NUMBER_LENGTH_MAX))
      .regex(/\S/, SENDER_REQUIRED)
      .trim()
      .describe("One of your numbers, such as +15551234567, or a short code of yours."),
    To: z.string().trim().check(codePoints(0, NUMBER_LENGTH_MAX)).nullish().describe("The recipient's number."),
    Recipients: z
      .array(words(NUMBER_LENGTH_MAX))
      .min(2, `2 to ${RECIPIENTS_MAX} are allowed; one alone is To.`)
      .max(RECIPIENTS_MAX, `2 to ${RECIPIENTS_MAX} are allowed; one alone is To.`)
      .nullish()
      .describe(`Instead of To, 2 to ${RECIPIENTS_MAX}: a group MMS, with or without media.`),
    Text: z
      .string()
      .check(plainText(sayUnsendable))
      .check(
        codePoints(
          0,
          TEXT_CODE_POINTS_MAX,
          (count) => `${TEXT_CODE_POINTS_MAX} characters are allowed; these are ${count}.`,
        ),
      )
      .nullish()
      .describe("Required, unless there are MediaUrls."),
    MediaUrls: z
      .array(words(URL_LENGTH_MAX))
      .max(MEDIA_MAX)
      .nullish()
      .describe("In a form as `[a,b]`, `a,b`, as a JSON array, or repeated. Makes it an MMS."),
    Priority: prioritySchema.nullish(),
    ExpiresOn: when.nullish().describe("Not sent later than this. By default the config's expiry."),
    SendAt: when.nullish().describe("Not sent earlier than this; not in the past, and 35 days ahead at most."),
    CallbackUrlOverride: callbackUrl.describe(
      "Status changes go here instead of to subscriptions, signed with the account's secret. `#shape=B`, `#statuses=final` or `#shape=B&statuses=final` at its end say the same as `CallbackShape` and `CallbackStatuses`, and are not sent.",
    ),
    StatusCallback: callbackUrl.describe("Another name of `CallbackUrlOverride`; give one of the two."),
    CallbackShape: z
      .enum(PAYLOAD_SHAPES)
      .meta({ id: "PayloadShape" })
      .nullish()
      .describe("The payload shape of what is sent to the callback URL; A by default."),
    CallbackStatuses: z
      .enum(CALLBACK_STATUSES)
      .nullish()
      .describe("`Final`: the callback URL is told how the message ended, and not that a carrier took it."),
    ConversationMetadata: z
      .string()
      .check(codePoints(0, METADATA_LENGTH_MAX))
      .check(plainText(sayUnsendable))
      .nullish()
      .describe("Given back with replies."),
    HoldUntilActive: z.boolean().nullish().describe("Accepted while the number is not active, sent when it is."),
    DryRun: z
      .boolean()
      .nullish()
      .describe(
        "With `true` nothing is sent, and the answer is that of the operation `dryRunMessage`, which clients with types should ask instead: this one is documented for what is sent.",
      )
      .meta({ enum: [false] }),
    SmartEncoding: z.boolean().nullish().describe("Replaces typographic characters where that spares segments."),
  })
  .check(({ value, issues }) => {
    const tell = (path: string, message: string) => issues.push({ code: "custom", input: null, path: [path], message });
    // A member that could not be read is undefined, and its fault is already reported.
    const has = (name: keyof typeof value) => name in value && value[name] !== null && value[name] !== "";
    const hasOne = "To" in value && value.To !== null;
    if (hasOne && has("Recipients")) tell("Recipients", "Give To or Recipients, not both.");
    if (has("CallbackUrlOverride") && has("StatusCallback"))
      tell("CallbackUrlOverride", "This is given more than once.");
    const named = readCallbackUrl(value.CallbackUrlOverride || value.StatusCallback || "");
    if (named.shape && has("CallbackShape"))
      tell("CallbackShape", "The callback URL names a shape behind `#` already.");
    if (named.statuses && has("CallbackStatuses"))
      tell("CallbackStatuses", "The callback URL names statuses behind `#` already.");
    if (!hasOne && !has("Recipients")) tell("To", "This is required: a phone number such as +15551234567.");
    if (value.MediaUrls && value.MediaUrls.length > 0) return;
    if (!has("Text")) {
      const isEmpty = has("MediaUrls");
      tell(
        "Text",
        isEmpty ? "MediaUrls is empty: give Text, or media." : "This is required, unless there are MediaUrls.",
      );
    }
  })
  .meta({ id: "MessageOrder", ...COMBINATIONS });

const SPELLING: Spelling = {
  aliases: new Map([
    ["mediaurls[]", "MediaUrls"],
    ["recipients[]", "Recipients"],
  ]),
  // The names of other providers' APIs.
  hints: new Map([
    ["body", "`Body` is called `Text` here."],
    ["mediaurl", "`MediaUrl` is called `MediaUrls` here."],
    [
      "messagingservicesid",
      "There is no `MessagingServiceSid` here: `From` is a number, and its MessagingConfig belongs to it.",
    ],
    ["validityperiod", "`ValidityPeriod` is called `ExpiresOn` here, and is a date."],
    ["statuscallbackmethod", "Status callbacks are always posted."],
  ]),
  blankIsAbsent: new Set(["ExpiresOn", "SendAt", "CallbackUrlOverride", "StatusCallback"]),
};

type Member = keyof typeof messageOrderSchema.shape;

/** The code of a member that cannot be read at all. */
const CODES_OF_TYPE: Readonly<Partial<Record<Member, RefusalCode>>> = {
  From: 1,
  To: 1001,
  Recipients: 1001,
  Text: 2001,
  MediaUrls: 2006,
};
/** The code of a member that breaks a rule. */
const CODES_OF_RULE: Readonly<Partial<Record<Member, RefusalCode>>> = {
  From: 1,
  To: 1001,
  Recipients: 1001,
  MediaUrls: 2006,
  Priority: 3007,
  ExpiresOn: 2005,
  SendAt: 2005,
  CallbackUrlOverride: 2003,
  StatusCallback: 2003,
};
/** The code for faults that have no other code. */
export const UNREADABLE = 2_147_483_647;

export function readMessageOrder(schema: typeof messageOrderSchema, raw: unknown): ReadOrder {
  const { value, faults } = readWithFaults(schema, raw ?? {}, "text", SPELLING);
  if (faults.length === 0) return { order: orderOf(value), faults: NO_FAULTS };
  const sendFaults = faults.map(sendFaultOf);
  // The segments of a text that is too long are counted, too.
  const text = faults.find(({ path }) => path === "Text")?.given;
  if (value) return { order: orderOf(typeof text === "string" ? { ...value, Text: text } : value), faults: sendFaults };
  const nothing = readMessageOrder(schema, {});
  return { ...nothing, faults: [...sendFaults, ...nothing.faults] };
}

const NO_FAULTS: readonly SendFault[] = [];

function orderOf(given: Readable<z.output<typeof messageOrderSchema>>): ReadOrder["order"] {
  const { To, Recipients } = given;
  const url = given.CallbackUrlOverride ?? given.StatusCallback;
  const callback = url ? readCallbackUrl(url) : undefined;
  return {
    from: given.From ?? "",
    recipients: typeof To === "string" ? [To] : (Recipients ?? NOTHING),
    text: given.Text ?? "",
    mediaUrls: given.MediaUrls ?? NOTHING,
    priority: given.Priority ?? "Normal",
    expiresOn: dateOf(given.ExpiresOn),
    sendAt: dateOf(given.SendAt),
    callbackUrl: callback?.url ?? null,
    callbackShape: callback ? (callback.shape ?? given.CallbackShape ?? null) : null,
    callbackStatuses: callback ? (callback.statuses ?? given.CallbackStatuses ?? null) : null,
    conversationMetadata: given.ConversationMetadata || null,
    holdUntilActive: given.HoldUntilActive ?? false,
    dryRun: given.DryRun ?? false,
    smartEncoding: given.SmartEncoding ?? false,
  };
}

const NOTHING: readonly string[] = [];

function dateOf(text: string | null | undefined): Date | null {
  return typeof text === "string" ? new Date(text) : null;
}

function sendFaultOf({ path, kind, message }: Fault): SendFault {
  const member = path.replace(/[.[].*$/s, "") as Member;
  return { code: codeOf(member, kind), field: path, message };
}

function codeOf(member: Member, kind: Fault["kind"]): RefusalCode {
  if (kind === "unknown" || kind === "twice") return UNREADABLE;
  if (kind === "invalid_type") return CODES_OF_TYPE[member] ?? UNREADABLE;
  if (member === "Text" && kind === "too_big") return 2002;
  if (member === "Text" && kind === "custom") return 2001;
  return CODES_OF_RULE[member] ?? UNREADABLE;
}
