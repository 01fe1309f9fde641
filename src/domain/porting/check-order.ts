// Checks what the schema of a port order, or of an answer to an exception, cannot express: that numbers are valid and
// distinct, that the address is plausible, that the date is possible. Takes the order as far as it could be read, with
// the faults found in reading, and returns the order as it is stored, or every fault by the path of its field. What
// only the store knows (config, numbers already here) and the letters are checked elsewhere.

import type { Readable } from "../../base/readable.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import { tableOf } from "../../base/table.ts";
import { type FieldErrors, mergeErrors } from "../problems.ts";
import type { PortDetails, PortOrder, ServiceAddress, Subscriber } from "./port-order.ts";
import type { NumberReader, PortPins } from "./ports.ts";

export const PORT_PHONES_MAX = 100;
const REQUESTED_DAYS_MAX = 180;
const DAY_MS = 24 * 3_600_000;

/** The data of an order as the client sends it. Null counts as absent. */
export interface PortData {
  readonly messagingConfigSid: string;
  readonly phones: readonly { readonly number: string; readonly pin?: string | null | undefined }[];
  readonly losingCarrier?: string | null | undefined;
  readonly accountNumber: string;
  readonly billingTelephoneNumber?: string | null | undefined;
  readonly subscriber: Subscriber;
  readonly serviceAddress: Omit<ServiceAddress, "street2"> & { readonly street2?: string | null | undefined };
  /** A day, up to its end, or a time. */
  readonly requestedOn?: string | null | undefined;
  readonly customerReference?: string | null | undefined;
}

type PortLetterData = Omit<PortData, "messagingConfigSid">;

export interface ReadPort<Data> {
  readonly value: Readable<Data>;
  readonly errors: FieldErrors;
}

export interface CheckedPortOrder {
  readonly messagingConfigSid: string;
  readonly numbers: readonly string[];
  readonly pins: PortPins;
  readonly details: PortDetails;
}

/** The faults of an order, with what could be read of it, so that the checks can go on. */
export interface PortFaults {
  readonly errors: FieldErrors;
  readonly messagingConfigSid: string | null;
  /** In the order of `phones`; null where the number is missing or invalid. */
  readonly numbers: readonly (string | null)[];
}

export interface CheckDeps {
  readonly readNumber: NumberReader;
  /** The account's country. */
  readonly country: string | null;
  readonly now: Date;
}

export function checkPortOrder(
  deps: CheckDeps,
  { value, errors }: ReadPort<PortData>,
): Result<CheckedPortOrder, PortFaults> {
  const { numbers, details, faults } = check(deps, value, errors);
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

/** Checks the data of a letter of authorization, before there is an order. Refuses incomplete data with its faults. */
export function checkPortLetter(
  deps: CheckDeps,
  data: Readable<PortLetterData>,
): Result<Pick<CheckedPortOrder, "numbers" | "details">, FieldErrors> {
  const { numbers, details, faults } = check(deps, data, {});
  return faults ? refused(faults) : ok({ numbers: numbers as string[], details: whole(details) });
}

export interface PortAnswer {
  /** Only the details that change. */
  readonly details: Partial<PortDetails>;
  readonly pins: PortPins;
}

/** Checks an answer to an exception. Of `phones` only PINs can change. */
export function checkPortAnswer(
  deps: CheckDeps,
  order: PortOrder,
  { value, errors }: ReadPort<{ readonly [Name in keyof PortLetterData]?: PortLetterData[Name] | null | undefined }>,
): Result<PortAnswer, FieldErrors> {
  const { numbers, details, faults } = check(deps, value, errors);
  const own = new Set(order.numbers.map(({ number }) => number));
  const unknown = numbers.flatMap((number, at) =>
    number === null || own.has(number) ? [] : [[`phones[${at}].number`, ["This is not a number of the order."]]],
  );
  if (faults || unknown.length > 0) return refused(mergeErrors(faults ?? {}, Object.fromEntries(unknown)));
  const given = Object.fromEntries(Object.entries(details).filter(([, detail]) => detail !== null));
  return ok({ details: given, pins: pinsOf((value.phones ?? []) as PortData["phones"], numbers) });
}

type Given = Readable<{ readonly [Name in keyof PortLetterData]?: PortLetterData[Name] | null | undefined }>;
type Errors = Record<string, string[]>;

interface Checked {
  readonly numbers: readonly (string | null)[];
  /** Null where absent. Complete when there are no faults. */
  readonly details: { readonly [Name in keyof PortDetails]: Readable<PortDetails[Name]> | null };
  readonly faults: FieldErrors | undefined;
}

function check(deps: CheckDeps, given: Given, errors: FieldErrors): Checked {
  const found: Errors = {};
  const details = {
    losingCarrier: given.losingCarrier ?? null,
    accountNumber: given.accountNumber ?? null,
    billingTelephoneNumber: readNumber(deps, given.billingTelephoneNumber, "billingTelephoneNumber", found),
    subscriber: given.subscriber ?? null,
    serviceAddress: given.serviceAddress ? checkAddress(given.serviceAddress, found) : null,
    requestedOn: given.requestedOn ? checkDate(deps, given.requestedOn, found) : null,
    customerReference: given.customerReference ?? null,
  };
  // If the list itself has a fault, such as too many phones, its phones are not checked.
  const numbers = readNumbers(deps, (errors.phones ? undefined : given.phones) ?? [], found);
  const faults = mergeErrors(errors, found);
  return { numbers, details, faults: Object.keys(faults).length > 0 ? faults : undefined };
}

const whole = (details: Checked["details"]) => details as PortDetails;

function readNumbers(deps: CheckDeps, phones: NonNullable<Given["phones"]>, found: Errors): readonly (string | null)[] {
  const firstPlace = new Map<string, number>();
  return phones.map((phone, at) => {
    const path = `phones[${at}].number`;
    const number = readNumber(deps, phone?.number, path, found);
    const first = number === null ? undefined : firstPlace.get(number);
    if (first !== undefined) found[path] = [`This is the same number as phones[${first}].`];
    else if (number !== null) firstPlace.set(number, at);
    return number;
  });
}

/** Null when it is absent, or invalid, which is noted in `found`. */
function readNumber(deps: CheckDeps, text: string | null | undefined, path: string, found: Errors): string | null {
  if (text === null || text === undefined) return null;
  const number = deps.readNumber(text, deps.country);
  if (number.ok) return number.value.e164;
  found[path] = [number.refusal.reason];
  return null;
}

function pinsOf(phones: PortData["phones"], numbers: readonly (string | null)[]): PortPins {
  return new Map(phones.flatMap(({ pin }, at) => (pin ? [[numbers[at] ?? "", pin]] : [])));
}

function checkDate({ now }: CheckDeps, text: string, found: Errors): Date {
  const on = new Date(text);
  const untilMs = on.getTime() + (text.includes("T") ? 0 : DAY_MS - 1);
  if (untilMs < now.getTime()) found.requestedOn = ["This lies in the past."];
  if (on.getTime() > now.getTime() + REQUESTED_DAYS_MAX * DAY_MS) {
    found.requestedOn = [`This lies more than ${REQUESTED_DAYS_MAX} days ahead.`];
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

/** The countries of the North American plan that ports come from; elsewhere state and postal code are any text. */
const COUNTRY_RULES = tableOf<CountryRules>({
  US: { states: new Set(US_STATES.split(" ")), postalCode: /^\d{5}(?:-\d{4})?$/, example: "94105 or 94105-1234" },
  CA: { states: new Set(CA_PROVINCES.split(" ")), postalCode: /^[A-Z]\d[A-Z] ?\d[A-Z]\d$/, example: "K1A 0B1" },
});
const POST_BOX = /\bp(?:ost)?\.?\s*o(?:ffice)?\.?\s*box\b/i;

/** The place of the line, as in the losing carrier's records. */
function checkAddress(given: Readable<PortData["serviceAddress"]>, found: Errors): Readable<ServiceAddress> {
  const address = { ...given, street2: given.street2 ?? null };
  const { street = "", country = "" } = address;
  if (POST_BOX.test(street)) {
    found["serviceAddress.street"] = ["A post box is not where a line is: the street is expected."];
  }
  const rules = COUNTRY_RULES.get(country);
  if (!rules) return address;
  const state = address.state?.toUpperCase();
  const postalCode = address.postalCode?.toUpperCase();
  if (state !== undefined && !rules.states.has(state)) {
    found["serviceAddress.state"] = ["The two letters of a state or province are expected."];
  }
  if (postalCode !== undefined && !rules.postalCode.test(postalCode)) {
    found["serviceAddress.postalCode"] = [`A postal code such as ${rules.example} is expected.`];
  }
  return { ...address, state, postalCode };
}
