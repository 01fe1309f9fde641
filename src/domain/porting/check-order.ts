// Judges of a port order, or of an answer to an exception, what its schema cannot say: whether numbers are numbers and differ, whether
// its address can be one, whether its date can be kept. Takes an order as far as it could be read, with the faults found in reading, and
// answers the order as we keep it, or every fault by the path of its field.
// What only the store knows (config, numbers already here) and the letters themselves are looked at elsewhere.

import type { Readable } from "../../base/readable.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import { type FieldErrors, mergeErrors } from "../problems.ts";
import type { PortAnswer } from "./answer-exception.ts";
import type { PortDetails, PortOrder, ServiceAddress, Subscriber } from "./port-order.ts";
import type { NumberReader, PortPins } from "./ports.ts";

export const PORT_PHONES_MAX = 100;
const REQUESTED_DAYS_MAX = 180;
const DAY_MS = 24 * 3_600_000;

/** An order as it is written. Null counts as not given. */
export interface PortData {
  readonly messagingConfigSid: string;
  readonly phones: readonly { readonly number: string; readonly pin?: string | null | undefined }[];
  readonly losingCarrier?: string | null | undefined;
  readonly accountNumber: string;
  readonly billingTelephoneNumber?: string | null | undefined;
  readonly subscriber: Subscriber;
  readonly serviceAddress: Omit<ServiceAddress, "street2"> & { readonly street2?: string | null | undefined };
  /** A day, which is meant whole, or a moment. */
  readonly requestedOn?: string | null | undefined;
  readonly customerReference?: string | null | undefined;
}

type PortLetterData = Omit<PortData, "messagingConfigSid">;

export interface ReadPort<Data> {
  readonly value: Readable<Data>;
  readonly errors: FieldErrors;
}

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

export function checkPortOrder(
  deps: CheckDeps,
  { value, errors }: ReadPort<PortData>,
): Result<PortRequest, PortFaults> {
  const { numbers, details, faults } = judge(deps, value, errors);
  const messagingConfigSid = value.messagingConfigSid ?? null;
  if (faults) return refused({ errors: faults, messagingConfigSid, numbers });
  const pins = pinsOf((value as PortData).phones, numbers);
  return ok({
    messagingConfigSid: messagingConfigSid as string,
    numbers: numbers as string[],
    pins,
    details: whole(details),
  });
}

/** What a letter of authorization says, before there is an order. */
export function checkPortLetter(
  deps: CheckDeps,
  data: PortLetterData,
): Result<Pick<PortRequest, "numbers" | "details">, FieldErrors> {
  const { numbers, details, faults } = judge(deps, data, {});
  return faults ? refused(faults) : ok({ numbers: numbers as string[], details: whole(details) });
}

/** Of `phones` only PINs can change. */
export function checkPortAnswer(
  deps: CheckDeps,
  order: PortOrder,
  { value, errors }: ReadPort<{ readonly [Name in keyof PortLetterData]?: PortLetterData[Name] | null | undefined }>,
): Result<PortAnswer, FieldErrors> {
  const { numbers, details, faults } = judge(deps, value, errors);
  const own = new Set(order.numbers.map(({ number }) => number));
  const strangers = numbers.flatMap((number, at) =>
    number === null || own.has(number) ? [] : [[`phones[${at}].number`, ["This is not a number of the order."]]],
  );
  if (faults || strangers.length > 0) return refused(mergeErrors(faults ?? {}, Object.fromEntries(strangers)));
  const given = Object.fromEntries(Object.entries(details).filter(([, detail]) => detail !== null));
  return ok({ details: given, pins: pinsOf((value.phones ?? []) as PortData["phones"], numbers) });
}

type Given = Readable<{ readonly [Name in keyof PortLetterData]?: PortLetterData[Name] | null | undefined }>;
type Told = Record<string, string[]>;

interface Judged {
  readonly numbers: readonly (string | null)[];
  /** Null where none is given. Whole, if there are no faults. */
  readonly details: { readonly [Name in keyof PortDetails]: Readable<PortDetails[Name]> | null };
  readonly faults: FieldErrors | undefined;
}

function judge(deps: CheckDeps, given: Given, errors: FieldErrors): Judged {
  const told: Told = {};
  const details = {
    losingCarrier: given.losingCarrier ?? null,
    accountNumber: given.accountNumber ?? null,
    billingTelephoneNumber: readNumber(deps, given.billingTelephoneNumber, "billingTelephoneNumber", told),
    subscriber: given.subscriber ?? null,
    serviceAddress: given.serviceAddress ? judgeAddress(given.serviceAddress, told) : null,
    requestedOn: given.requestedOn ? judgeDate(deps, given.requestedOn, told) : null,
    customerReference: given.customerReference ?? null,
  };
  const numbers = readNumbers(deps, given.phones ?? [], told);
  const faults = mergeErrors(errors, told);
  return { numbers, details, faults: Object.keys(faults).length > 0 ? faults : undefined };
}

const whole = (details: Judged["details"]) => details as PortDetails;

function readNumbers(deps: CheckDeps, phones: NonNullable<Given["phones"]>, told: Told): readonly (string | null)[] {
  const firstPlace = new Map<string, number>();
  return phones.map((phone, at) => {
    const path = `phones[${at}].number`;
    const number = readNumber(deps, phone?.number, path, told);
    const first = number === null ? undefined : firstPlace.get(number);
    if (first !== undefined) told[path] = [`This is the same number as phones[${first}].`];
    else if (number !== null) firstPlace.set(number, at);
    return number;
  });
}

/** Null where it is none, which has been told then. */
function readNumber(deps: CheckDeps, text: string | null | undefined, path: string, told: Told): string | null {
  if (text === null || text === undefined) return null;
  const number = deps.readNumber(text);
  if (number.ok) return number.value.e164;
  told[path] = [number.refusal.reason];
  return null;
}

function pinsOf(phones: PortData["phones"], numbers: readonly (string | null)[]): PortPins {
  return new Map(phones.flatMap(({ pin }, at) => (pin ? [[numbers[at] ?? "", pin]] : [])));
}

function judgeDate({ now }: CheckDeps, text: string, told: Told): Date {
  const on = new Date(text);
  const untilMs = on.getTime() + (text.includes("T") ? 0 : DAY_MS - 1);
  if (untilMs < now.getTime()) told.requestedOn = ["This lies in the past."];
  if (on.getTime() > now.getTime() + REQUESTED_DAYS_MAX * DAY_MS) {
    told.requestedOn = [`This lies more than ${REQUESTED_DAYS_MAX} days ahead.`];
  }
  return on;
}

const US_STATES =
  "AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY AS GU MP PR VI AA AE AP";
const CA_PROVINCES = "AB BC MB NB NL NS NT NU ON PE QC SK YT";

interface CountryRules {
  readonly states: ReadonlySet<string>;
  readonly postalCode: RegExp;
  readonly example: string;
}

/** Of the countries of the North American plan that ports come from; elsewhere state and postal code are text. */
const COUNTRY_RULES: Readonly<Record<string, CountryRules>> = {
  US: { states: new Set(US_STATES.split(" ")), postalCode: /^\d{5}(?:-\d{4})?$/, example: "94105 or 94105-1234" },
  CA: { states: new Set(CA_PROVINCES.split(" ")), postalCode: /^[A-Z]\d[A-Z] ?\d[A-Z]\d$/, example: "K1A 0B1" },
};
const POST_BOX = /\bp(?:ost)?\.?\s*o(?:ffice)?\.?\s*box\b/i;

/** Where the line is, as the losing carrier has it. */
function judgeAddress(given: Readable<PortData["serviceAddress"]>, told: Told): Readable<ServiceAddress> {
  const address = { ...given, street2: given.street2 ?? null };
  const { street = "", country = "" } = address;
  if (POST_BOX.test(street)) {
    told["serviceAddress.street"] = ["A post box is not where a line is: the street is expected."];
  }
  const rules = Object.hasOwn(COUNTRY_RULES, country) ? COUNTRY_RULES[country] : undefined;
  if (!rules) return address;
  const state = address.state?.toUpperCase();
  const postalCode = address.postalCode?.toUpperCase();
  if (state !== undefined && !rules.states.has(state)) {
    told["serviceAddress.state"] = ["The two letters of a state or province are expected."];
  }
  if (postalCode !== undefined && !rules.postalCode.test(postalCode)) {
    told["serviceAddress.postalCode"] = [`A postal code such as ${rules.example} is expected.`];
  }
  return { ...address, state, postalCode };
}
