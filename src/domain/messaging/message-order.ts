// Reads what somebody wants sent, out of a form or JSON. Total: whatever is given, the answer is an order or every fault of it; and the
// same at any time, so that a request that is repeated later is known as the same.
// Names are matched without regard to case; values may be text (form) or typed (JSON).

import type { RefusalCode, SendFault } from "./error-codes.ts";
import { PRIORITIES, type Priority } from "./message.ts";

export interface MessageOrder {
  readonly from: string;
  readonly recipients: readonly string[];
  readonly text: string;
  readonly mediaUrls: readonly string[];
  readonly priority: Priority;
  readonly expiresOn: Date | null;
  readonly sendAt: Date | null;
  readonly callbackUrl: string | null;
  readonly conversationMetadata: string | null;
  readonly holdUntilActive: boolean;
  readonly dryRun: boolean;
  readonly smartEncoding: boolean;
}

export interface ReadOrder {
  readonly order: MessageOrder;
  readonly faults: readonly SendFault[];
}

export const TEXT_CODE_POINTS_MAX = 1600;
export const MEDIA_MAX = 10;
const URL_LENGTH_MAX = 2048;
const METADATA_LENGTH_MAX = 512;
export const RECIPIENTS_MAX = 20;
const NAMES_REPORTED_MAX = 20;

const FIELDS = [
  "From",
  "To",
  "Recipients",
  "Text",
  "MediaUrls",
  "Priority",
  "ExpiresOn",
  "SendAt",
  "CallbackUrlOverride",
  "ConversationMetadata",
  "HoldUntilActive",
  "DryRun",
  "SmartEncoding",
] as const;
type Field = (typeof FIELDS)[number];

const NAMES = new Map<string, Field>(FIELDS.map((field) => [field.toLowerCase(), field]));
for (const [alias, field] of [
  ["statuscallback", "CallbackUrlOverride"],
  ["mediaurls[]", "MediaUrls"],
  ["recipients[]", "Recipients"],
] as const)
  NAMES.set(alias, field);

/** What those who come from elsewhere write. */
const CALLED_HERE = new Map([
  ["body", "`Body` is called `Text` here."],
  ["mediaurl", "`MediaUrl` is called `MediaUrls` here."],
  [
    "messagingservicesid",
    "There is no `MessagingServiceSid` here: `From` is a number, and its MessagingConfig belongs to it.",
  ],
  ["validityperiod", "`ValidityPeriod` is called `ExpiresOn` here, and is a date."],
  ["statuscallbackmethod", "Status callbacks are always posted."],
]);

export function readMessageOrder(raw: unknown): ReadOrder {
  const faults: SendFault[] = [];
  const given = fieldsOf(raw, faults);
  const text = textOf(given, "Text", faults) ?? "";
  const recipients = readRecipients(given, faults);
  const mediaUrls = readList(given.get("MediaUrls"), "MediaUrls", 2006, faults);
  readText(text, given, mediaUrls.length > 0, faults);
  readMedia(mediaUrls, faults);
  if (recipients.length > 1 && mediaUrls.length === 0) {
    addFault(faults, 2006, "MediaUrls", "A group message goes as MMS: give at least one of MediaUrls.");
  }
  const order: MessageOrder = {
    from: (textOf(given, "From", faults) ?? "").trim(),
    recipients,
    text,
    mediaUrls,
    priority: readPriority(given, faults),
    expiresOn: readDate(given, "ExpiresOn", faults),
    sendAt: readDate(given, "SendAt", faults),
    callbackUrl: readCallback(given, faults),
    conversationMetadata: readMetadata(given, faults),
    holdUntilActive: readFlag(given, "HoldUntilActive", faults),
    dryRun: readFlag(given, "DryRun", faults),
    smartEncoding: readFlag(given, "SmartEncoding", faults),
  };
  if (order.from === "") addFault(faults, 1, "From", "This is required: one of your numbers, such as +15551234567.");
  return { order, faults };
}

type Given = ReadonlyMap<Field, unknown>;

export function addFault(faults: SendFault[], code: RefusalCode, field: string, message: string): void {
  faults.push({ code, field, message });
}

const addOther = (faults: SendFault[], field: string, message: string) =>
  addFault(faults, 2_147_483_647, field, message);

function fieldsOf(raw: unknown, faults: SendFault[]): Given {
  const given = new Map<Field, unknown>();
  if (raw === null || raw === undefined) return given;
  if (typeof raw !== "object" || Array.isArray(raw)) {
    addOther(faults, "$", "A form or a JSON object is wanted.");
    return given;
  }
  let unknown = 0;
  for (const name in raw) {
    if (!Object.hasOwn(raw, name)) continue;
    const field = NAMES.get(name.toLowerCase());
    if (field === undefined) {
      if (++unknown > NAMES_REPORTED_MAX) continue;
      const advice = CALLED_HERE.get(name.toLowerCase()) ?? `This is not known here. Known are: ${FIELDS.join(", ")}.`;
      addOther(faults, name.slice(0, 64).toWellFormed(), advice);
      continue;
    }
    const value = (raw as Record<string, unknown>)[name];
    if (value === null || value === undefined) continue;
    if (given.has(field)) addOther(faults, field, "This is given more than once.");
    else given.set(field, value);
  }
  return given;
}

/** A single text; a form's repeated field is a fault here. */
function textOf(given: Given, field: Field, faults: SendFault[]): string | undefined {
  const value = given.get(field);
  if (value === undefined || typeof value === "string") return value;
  addOther(faults, field, Array.isArray(value) ? "This is given more than once." : "Text is wanted.");
  return undefined;
}

function readRecipients(given: Given, faults: SendFault[]): readonly string[] {
  const to = textOf(given, "To", faults);
  const several = given.has("Recipients") ? readList(given.get("Recipients"), "Recipients", 1001, faults) : [];
  if (to !== undefined && given.has("Recipients")) {
    addFault(faults, 1001, "Recipients", "Give To or Recipients, not both.");
    return [to.trim()];
  }
  if (to !== undefined) return [to.trim()];
  if (!given.has("Recipients")) {
    addFault(faults, 1001, "To", "This is required: a phone number such as +15551234567.");
    return [];
  }
  if (several.length < 2 || several.length > RECIPIENTS_MAX) {
    addFault(faults, 1001, "Recipients", `2 to ${RECIPIENTS_MAX} are allowed; one alone is To.`);
  }
  return several.slice(0, RECIPIENTS_MAX);
}

/** Nothing that a list here is made of holds one. */
const UNSTORABLE = /[\p{Cc}\p{Cs}]/u;
/** A comma may be part of a URL: the next one begins where another scheme does. */
const BETWEEN = {
  MediaUrls: /\s*,\s*(?=["']?[a-z][a-z0-9+.-]*:\/\/)/i,
  Recipients: /\s*,\s*/,
};

/** `[a,b]`, a JSON array, a repeated field, or one alone. */
function readList(
  value: unknown,
  field: keyof typeof BETWEEN,
  code: RefusalCode,
  faults: SendFault[],
): readonly string[] {
  if (value === undefined) return [];
  const items: string[] = [];
  for (const entry of Array.isArray(value) ? value : [value]) {
    if (typeof entry !== "string" || UNSTORABLE.test(entry))
      addFault(faults, code, field, "A list of texts is wanted.");
    else items.push(...splitList(entry, BETWEEN[field]));
  }
  return items;
}

function splitList(text: string, between: RegExp): readonly string[] {
  const trimmed = text.trim();
  if (trimmed === "") return [];
  if (!trimmed.startsWith("[") || !trimmed.endsWith("]")) return [trimmed];
  const json = jsonList(trimmed);
  if (json) return json;
  const inside = trimmed.slice(1, -1).trim();
  if (inside === "") return [];
  return inside.split(between).map((item) => item.trim().replace(/^(["'])(.*)\1$/, "$2"));
}

function jsonList(text: string): readonly string[] | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) && parsed.every((item) => typeof item === "string") ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function readText(text: string, given: Given, hasMedia: boolean, faults: SendFault[]): void {
  if (text === "") {
    if (!hasMedia)
      addFault(
        faults,
        2001,
        "Text",
        given.has("MediaUrls")
          ? "MediaUrls is empty: give Text, or media."
          : "This is required, unless there are MediaUrls.",
      );
    return;
  }
  if (text.length > TEXT_CODE_POINTS_MAX && codePoints(text) > TEXT_CODE_POINTS_MAX) {
    addFault(faults, 2002, "Text", `${TEXT_CODE_POINTS_MAX} characters are allowed; these are ${codePoints(text)}.`);
  }
  if (!text.isWellFormed())
    addOther(faults, "Text", "This is not well-formed Unicode: it holds half of a surrogate pair.");
  if (text.includes("\u0000")) addOther(faults, "Text", "NUL characters cannot be sent.");
}

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

function readMedia(urls: readonly string[], faults: SendFault[]): void {
  if (urls.length > MEDIA_MAX)
    addFault(faults, 2006, "MediaUrls", `${MEDIA_MAX} are allowed; these are ${urls.length}.`);
  for (const [index, url] of urls.slice(0, MEDIA_MAX).entries()) {
    if (url.length > URL_LENGTH_MAX) {
      addFault(faults, 2006, `MediaUrls[${index}]`, `A URL may have ${URL_LENGTH_MAX} characters.`);
    }
  }
}

const ISO_DATE = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})$/;

function readDate(given: Given, field: "SendAt" | "ExpiresOn", faults: SendFault[]): Date | null {
  const text = textOf(given, field, faults)?.trim().toUpperCase();
  if (text === undefined || text === "") return null;
  const day = ISO_DATE.exec(text)?.[1];
  const date = day !== undefined && isDay(day) ? new Date(text) : undefined;
  if (date && !Number.isNaN(date.getTime())) return date;
  addFault(faults, 2005, field, "A date is written 2026-01-31T12:00:00Z.");
  return null;
}

/** JavaScript would read the 31st of February as a day in March. */
function isDay(text: string): boolean {
  const midnight = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(text);
}

function readPriority(given: Given, faults: SendFault[]): Priority {
  const text = textOf(given, "Priority", faults);
  if (text === undefined) return "Normal";
  const wanted = text.trim().toLowerCase();
  const found = PRIORITIES.find((priority) => priority.toLowerCase() === wanted);
  if (!found) addFault(faults, 3007, "Priority", `One of these is allowed: ${PRIORITIES.join(", ")}.`);
  return found ?? "Normal";
}

function readCallback(given: Given, faults: SendFault[]): string | null {
  const url = textOf(given, "CallbackUrlOverride", faults)?.trim();
  if (url === undefined || url === "") return null;
  if (url.length <= URL_LENGTH_MAX && !UNSTORABLE.test(url)) return url;
  addFault(faults, 2003, "CallbackUrlOverride", `A URL of up to ${URL_LENGTH_MAX} characters is wanted.`);
  return null;
}

function readMetadata(given: Given, faults: SendFault[]): string | null {
  const text = textOf(given, "ConversationMetadata", faults);
  if (text === undefined || text === "") return null;
  if (text.length > METADATA_LENGTH_MAX || !text.isWellFormed() || text.includes("\u0000")) {
    addOther(faults, "ConversationMetadata", `Well-formed text of up to ${METADATA_LENGTH_MAX} characters is allowed.`);
    return null;
  }
  return text;
}

function readFlag(given: Given, field: "HoldUntilActive" | "DryRun" | "SmartEncoding", faults: SendFault[]): boolean {
  const value = given.get(field);
  if (value === undefined || typeof value === "boolean") return value ?? false;
  const text = typeof value === "string" ? value.trim().toLowerCase() : "";
  if (text === "true" || text === "1") return true;
  if (text !== "false" && text !== "0") addOther(faults, field, "true or false is wanted.");
  return false;
}
