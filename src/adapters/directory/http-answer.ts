// Reads the JSON answer of a lookup service into the domain's words. Throws on an answer of the wrong shape (a carrier
// that is a list, a routing number that is not a number): that is a fault of the provider, never a finding.

import type { LiveFinding, MessagingStatus, PhoneType } from "../../domain/lookup/index.ts";
import { toRoutingNumber } from "../../domain/lookup/portability-uri.ts";
import { type JsonPath, valueAt } from "./json-path.ts";

/** Where the answer holds each value; a value without a path is not read. */
export interface AnswerPaths {
  readonly found?: JsonPath;
  readonly carrierName?: JsonPath;
  readonly type?: JsonPath;
  readonly status?: JsonPath;
  readonly routingNumber?: JsonPath;
}

export interface AnswerWords {
  /** Keys as `wordKey` writes them. */
  readonly types: ReadonlyMap<string, PhoneType>;
  readonly statuses: ReadonlyMap<string, MessagingStatus>;
}

const CARRIER_NAME_LENGTH_MAX = 200;

/** The words of Twilio, Telnyx, Bandwidth and Vonage. For other words the numbering table decides the type. */
export const TYPE_WORDS: Readonly<Record<string, PhoneType>> = {
  mobile: "Wireless",
  wireless: "Wireless",
  cellular: "Wireless",
  landline: "Landline",
  "fixed line": "Landline",
  fixed: "Landline",
  voip: "VoIP",
  fixedVoip: "VoIP",
  nonFixedVoip: "VoIP",
  "voip-fixed": "VoIP",
  virtual: "VoIP",
  "fixed line or mobile": "Unknown",
  landline_premium: "Unknown",
  landline_tollfree: "Unknown",
  personal: "Unknown",
  "personal number": "Unknown",
  tollFree: "Unknown",
  premium: "Unknown",
  "premium rate": "Unknown",
  sharedCost: "Unknown",
  uan: "Unknown",
  voicemail: "Unknown",
  pager: "Unknown",
  unknown: "Unknown",
};

export const STATUS_WORDS: Readonly<Record<string, MessagingStatus>> = {
  active: "Active",
  enabled: "Active",
  yes: "Active",
  true: "Active",
  inactive: "Inactive",
  disabled: "Inactive",
  no: "Inactive",
  false: "Inactive",
};

/** Ignores case, spaces, dashes and underscores: `nonFixedVoip` and `non-fixed VoIP` are the same word. */
export function wordKey(word: string): string {
  return word.toLowerCase().replace(/[\s_-]+/g, "");
}

export function readAnswer(number: string, answer: unknown, paths: AnswerPaths, words: AnswerWords): LiveFinding {
  if (paths.found && !isYes(valueAt(answer, paths.found))) return { kind: "notFound" };
  const carrierName = textAt(answer, paths.carrierName);
  if (carrierName !== undefined && !isCarrierName(carrierName)) throw new Error("carrier name is not a name");
  const routing = textAt(answer, paths.routingNumber);
  const routingNumber = routing === undefined ? undefined : toRoutingNumber(number, routing);
  if (routing !== undefined && routingNumber === undefined) throw new Error("routing number is not a number");
  const type = wordAt(answer, paths.type, words.types);
  const status = wordAt(answer, paths.status, words.statuses);

  const facts = {
    ...(carrierName === undefined ? {} : { carrierName }),
    ...(type === undefined ? {} : { type }),
    ...(status === undefined ? {} : { status }),
    ...(routingNumber === undefined ? {} : { routingNumber }),
  };
  // An answer without values is a finding only when the service reports that it knows the number.
  if (!paths.found && Object.keys(facts).length === 0) return { kind: "notFound" };
  return { kind: "found", ...facts };
}

function isYes(value: unknown): boolean {
  if (typeof value === "string") return !["", "0", "n", "no", "false"].includes(value.trim().toLowerCase());
  return value !== undefined && value !== null && value !== false && value !== 0;
}

function isCarrierName(text: string): boolean {
  return text.length <= CARRIER_NAME_LENGTH_MAX && !/\p{C}/u.test(text);
}

function wordAt<Word>(answer: unknown, path: JsonPath | undefined, words: ReadonlyMap<string, Word>): Word | undefined {
  const text = textAt(answer, path);
  return text === undefined ? undefined : words.get(wordKey(text));
}

/** Services leave out what they do not know, or send null or an empty text. */
function textAt(answer: unknown, path: JsonPath | undefined): string | undefined {
  const value = path && valueAt(answer, path);
  if (value === undefined || value === null) return undefined;
  if (typeof value === "boolean" || typeof value === "number") return String(value);
  if (typeof value !== "string") throw new Error(`${path?.join(".")} is not a text`);
  return value.trim() === "" ? undefined : value.trim();
}
