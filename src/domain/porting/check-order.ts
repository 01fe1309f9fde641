// Is this a port order, or an answer to an exception? Any value in; the order as we keep it, or every fault by the path of its field, out.
// What only the store knows (config, numbers already here) and the letters themselves are looked at elsewhere.

import { isSid } from "../../base/ids.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import type { FieldErrors } from "../problems.ts";
import type { PortAnswer } from "./answer-exception.ts";
import { readServiceAddress } from "./check-address.ts";
import { Faults, Fields, type TextRule } from "./fields.ts";
import { type PortDetails, type PortOrder, SUBSCRIBER_TYPES, type Subscriber } from "./port-order.ts";
import type { NumberReader, PortPins } from "./ports.ts";

export const PORT_PHONES_MAX = 100;
const REQUESTED_DAYS_MAX = 180;
const DAY_MS = 24 * 3_600_000;

export interface PortRequest {
  readonly messagingConfigSid: string;
  readonly numbers: readonly string[];
  readonly pins: PortPins;
  readonly details: PortDetails;
}

/** Of an order with faults: what could be read of it all the same, so that it can be looked at further. */
export interface PortFaults {
  readonly errors: FieldErrors;
  readonly messagingConfigSid: string | null;
  /** By place; null where there is none. */
  readonly numbers: readonly (string | null)[];
}

export interface CheckDeps {
  readonly readNumber: NumberReader;
  readonly now: Date;
}

const NAME: TextRule = { lengthMax: 128 };
const ACCOUNT_NUMBER: TextRule = {
  lengthMax: 64,
  pattern: /^[\x20-\x7e]+$/,
  says: "Only ASCII characters are allowed.",
};
const REFERENCE: TextRule = { lengthMax: 128 };
/** As long as the longest transfer PIN, and some. Never shown in a fault. */
const PIN: TextRule = {
  lengthMax: 32,
  pattern: /^[\x21-\x7e]{4,}$/,
  says: "4 to 32 letters, digits or signs are allowed, without spaces.",
};

const DETAIL_NAMES = [
  "losingCarrier",
  "accountNumber",
  "billingTelephoneNumber",
  "subscriber",
  "serviceAddress",
  "requestedOn",
  "customerReference",
] as const;
type DetailName = (typeof DETAIL_NAMES)[number];

export function checkPortOrder(deps: CheckDeps, data: unknown): Result<PortRequest, PortFaults> {
  const faults = new Faults();
  const fields = new Fields(data, "", ["messagingConfigSid", "phones", ...DETAIL_NAMES], faults);
  const messagingConfigSid = fields.text("messagingConfigSid", { lengthMax: 64 });
  const isConfig = isSid("MC", messagingConfigSid);
  if (fields.has("messagingConfigSid") && !isConfig) {
    fields.fault("messagingConfigSid", "This is not the sid of a MessagingConfig (MC and 32 hex digits).");
  }
  const phones = fields.required("phones") ? readPhones(deps, fields, faults) : [];
  const details = readDetails(deps, fields);
  const numbers = phones.map(({ number }) => number);
  if (faults.isEmpty) return ok({ messagingConfigSid, numbers, pins: pinsOf(phones), details });
  return refused({
    errors: faults.toErrors(),
    messagingConfigSid: isConfig ? messagingConfigSid : null,
    numbers: numbers.map((number) => (number === "" ? null : number)),
  });
}

/** What a letter of authorization says, before there is an order. */
export function checkPortLetter(
  deps: CheckDeps,
  data: unknown,
): Result<Pick<PortRequest, "numbers" | "details">, FieldErrors> {
  const faults = new Faults();
  const fields = new Fields(data, "", ["messagingConfigSid", "phones", ...DETAIL_NAMES], faults);
  const phones = fields.required("phones") ? readPhones(deps, fields, faults) : [];
  const details = readDetails(deps, fields);
  return faults.isEmpty ? ok({ numbers: phones.map(({ number }) => number), details }) : refused(faults.toErrors());
}

/** Of `phones` only PINs can change. */
export function checkPortAnswer(deps: CheckDeps, order: PortOrder, data: unknown): Result<PortAnswer, FieldErrors> {
  const faults = new Faults();
  const fields = new Fields(data, "", ["phones", ...DETAIL_NAMES], faults);
  const phones = fields.has("phones") ? readPhones(deps, fields, faults) : [];
  const own = new Set(order.numbers.map(({ number }) => number));
  for (const [at, { number }] of phones.entries()) {
    if (number !== "" && !own.has(number)) faults.add(`phones[${at}].number`, "This is not a number of the order.");
  }
  const given = DETAIL_NAMES.filter((name) => fields.has(name));
  const readers = detailReaders(deps, fields);
  const details = Object.fromEntries(given.map((name) => [name, readers[name]()]));
  return faults.isEmpty ? ok({ details, pins: pinsOf(phones) }) : refused(faults.toErrors());
}

interface PhoneEntry {
  readonly number: string;
  readonly pin: string | null;
}

function readPhones(deps: CheckDeps, fields: Fields, faults: Faults): readonly PhoneEntry[] {
  const given = fields.raw("phones");
  if (!Array.isArray(given) || given.length < 1 || given.length > PORT_PHONES_MAX) {
    fields.fault("phones", `A list of 1 to ${PORT_PHONES_MAX} phones is expected.`);
    return [];
  }
  const firstPlace = new Map<string, number>();
  return given.map((item: unknown, at) => {
    const phone = new Fields(item, `phones[${at}]`, ["number", "pin"], faults);
    const number = phone.required("number") ? readNumber(deps, phone, "number") : "";
    const first = firstPlace.get(number);
    if (first !== undefined) phone.fault("number", `This is the same number as phones[${first}].`);
    else if (number !== "") firstPlace.set(number, at);
    return { number, pin: phone.optionalText("pin", PIN) };
  });
}

function pinsOf(phones: readonly PhoneEntry[]): PortPins {
  return new Map(phones.flatMap(({ number, pin }) => (pin === null ? [] : [[number, pin]])));
}

/** Empty where it is none, which has been told then. */
function readNumber({ readNumber: read }: CheckDeps, fields: Fields, name: string): string {
  const given = fields.raw(name);
  const number = typeof given === "string" ? read(given) : refused({ reason: "Text is expected." });
  if (number.ok) return number.value.e164;
  fields.fault(name, number.refusal.reason);
  return "";
}

function readDetails(deps: CheckDeps, fields: Fields): PortDetails {
  const readers = detailReaders(deps, fields);
  return {
    losingCarrier: readers.losingCarrier(),
    accountNumber: readers.accountNumber(),
    billingTelephoneNumber: readers.billingTelephoneNumber(),
    subscriber: readers.subscriber(),
    serviceAddress: readers.serviceAddress(),
    requestedOn: readers.requestedOn(),
    customerReference: readers.customerReference(),
  };
}

type DetailReaders = { readonly [Name in DetailName]: () => PortDetails[Name] };

function detailReaders(deps: CheckDeps, fields: Fields): DetailReaders {
  return {
    losingCarrier: () => fields.optionalText("losingCarrier", NAME),
    accountNumber: () => fields.text("accountNumber", ACCOUNT_NUMBER),
    billingTelephoneNumber: () =>
      fields.has("billingTelephoneNumber") ? readNumber(deps, fields, "billingTelephoneNumber") : null,
    subscriber: () => readSubscriber(fields),
    serviceAddress: () => readServiceAddress(fields),
    requestedOn: () => readRequestedOn(deps, fields),
    customerReference: () => fields.optionalText("customerReference", REFERENCE),
  };
}

function readSubscriber(fields: Fields): Subscriber {
  const subscriber = fields.object("subscriber", ["type", "name", "authorizedPerson"]);
  return {
    type: subscriber.oneOf("type", SUBSCRIBER_TYPES),
    name: subscriber.text("name", NAME),
    authorizedPerson: subscriber.text("authorizedPerson", NAME),
  };
}

const DATE = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/i;

/** A day, which is meant whole, or a moment. */
function readRequestedOn({ now }: CheckDeps, fields: Fields): Date | null {
  if (!fields.has("requestedOn")) return null;
  const given = fields.raw("requestedOn");
  const parts = typeof given === "string" ? DATE.exec(given) : null;
  const on = parts && isDay(parts[1] ?? "") ? new Date(parts[0].toUpperCase()) : undefined;
  if (!parts || !on || Number.isNaN(on.getTime())) {
    fields.fault("requestedOn", "A date such as 2026-01-31 or 2026-01-31T15:00:00Z is expected.");
    return null;
  }
  const untilMs = on.getTime() + (parts[2] === undefined ? DAY_MS - 1 : 0);
  if (untilMs < now.getTime()) fields.fault("requestedOn", "This lies in the past.");
  if (on.getTime() > now.getTime() + REQUESTED_DAYS_MAX * DAY_MS) {
    fields.fault("requestedOn", `This lies more than ${REQUESTED_DAYS_MAX} days ahead.`);
  }
  return on;
}

/** Date would take the 30th of February for the 2nd of March. */
function isDay(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}
