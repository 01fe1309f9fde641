// Reads a port order from a JSON file, from options, or from both; options override the file. Its numbers are given in
// one place; if they are given in two, both lists must be the same.

import { basename } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { type PortAnswer, type PortFile, type PortPhone, SUBSCRIBER_TYPES } from "../../../../sdk/src/index.ts";
import { collect, given, oneOf } from "../../arguments.ts";
import { UsageError } from "../../exit-codes.ts";
import { readWhole } from "../../whole-files.ts";

export interface OrderFlags {
  readonly data?: string;
  readonly config?: string;
  readonly pin?: readonly PortPhone[];
  readonly accountNumber?: string;
  readonly carrier?: string;
  readonly billingNumber?: string;
  readonly type?: (typeof SUBSCRIBER_TYPES)[number];
  readonly name?: string;
  readonly person?: string;
  readonly street?: string;
  readonly street2?: string;
  readonly city?: string;
  readonly state?: string;
  readonly postalCode?: string;
  readonly country?: string;
  readonly requestedOn?: string;
  readonly reference?: string;
  readonly file?: readonly string[];
}

export const ORDER_HELP = `
The order:
  --data names a JSON file with what the losing carrier compares with its records, as POST /v1/Phones/port-in takes it:
    { "accountNumber": "A-123", "subscriber": { "type": "Business", "name": "Shop Inc.", "authorizedPerson": "Ann Smith" },
      "serviceAddress": { "street": "1 Main St", "city": "Denver", "state": "CO", "postalCode": "80202", "country": "US" },
      "phones": [{ "number": "+13035550123", "pin": "1234" }] }
  Options say the same and go before the file. Numbers are given in the file or on the command line; in both, they must
  be the same. tandem port-in check NUMBER tells what its carrier will look at.
`;

export function addOrderOptions(command: Command): Command {
  return command
    .option("--data <file>", "JSON file with the order, or a part of it; - is standard input")
    .option("--pin <number=pin>", "the transfer PIN of a number; several times", collectPin)
    .option("--account-number <text>", "the account at the losing carrier")
    .option("--carrier <name>", "the losing carrier")
    .option("--billing-number <number>", "the billing telephone number")
    .option("--type <type>", SUBSCRIBER_TYPES.join(", "), oneOf(SUBSCRIBER_TYPES))
    .option("--name <text>", "the subscriber, as on the losing carrier's record")
    .option("--person <text>", "who may sign for the subscriber")
    .option("--street <text>", "where the line is: no post box")
    .option("--street2 <text>", "suite, floor")
    .option("--city <text>", "where the line is")
    .option("--state <text>", "two letters in the US")
    .option("--postal-code <text>", "of that place")
    .option("--country <code>", "two letters; US unless told")
    .option("--requested-on <day>", "not before: 2026-01-31")
    .option("--reference <text>", "your own");
}

export function addFileOption(command: Command): Command {
  return command.option(
    "--file <file>",
    "a signed letter of authorization: PDF, JPEG, PNG or TIFF, - is standard input; several times",
    collect,
  );
}

function collectPin(text: string, before: readonly PortPhone[] = []): readonly PortPhone[] {
  const [, number, pin] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  if (number === undefined || pin === undefined) throw new InvalidArgumentError("NUMBER=PIN is wanted.");
  return [...before, { number, pin }];
}

/** Only the given values: the server reports what is missing. */
export function orderOf<Order extends PortAnswer>(numbers: readonly string[], flags: OrderFlags): Order {
  const data = flags.data === undefined ? {} : readJson(flags.data);
  const phones = phonesOf(numbers, flags.pin ?? [], Array.isArray(data.phones) ? (data.phones as PortPhone[]) : []);
  const subscriber = given({ type: flags.type, name: flags.name, authorizedPerson: flags.person });
  const address = given({
    street: flags.street,
    street2: flags.street2,
    city: flags.city,
    state: flags.state,
    postalCode: flags.postalCode,
    country: flags.country,
  });
  const details = given({
    messagingConfigSid: flags.config,
    accountNumber: flags.accountNumber,
    losingCarrier: flags.carrier,
    billingTelephoneNumber: flags.billingNumber,
    requestedOn: flags.requestedOn,
    customerReference: flags.reference,
  });
  return {
    ...data,
    ...details,
    ...merged("subscriber", { type: "Business" }, data.subscriber, subscriber),
    ...merged("serviceAddress", { country: "US" }, data.serviceAddress, address),
    ...(phones.length === 0 ? {} : { phones }),
  } as unknown as Order;
}

function phonesOf(
  numbers: readonly string[],
  pins: readonly PortPhone[],
  known: readonly PortPhone[],
): readonly PortPhone[] {
  const phones = new Map<string, PortPhone>(known.map((phone) => [digitsOf(phone?.number), phone]));
  if (phones.size === 0) for (const number of numbers) phones.set(digitsOf(number), { number });
  const named = new Set(numbers.map(digitsOf));
  if (named.size > 0 && (named.size !== phones.size || [...named].some((digits) => !phones.has(digits)))) {
    throw new UsageError(
      "The command line and --data name different numbers: give them in one of them, or the same in both.",
    );
  }
  const isOpen = phones.size === 0;
  for (const { number, pin } of pins) {
    const phone = phones.get(digitsOf(number));
    if (!phone && !isOpen) throw new UsageError(`--pin is for ${number}, which is not among the numbers of the order.`);
    phones.set(digitsOf(number), { number, ...phone, ...given({ pin }) });
  }
  return [...phones.values()];
}

/** Punctuation does not matter when numbers are compared. */
function digitsOf(number: unknown): string {
  return String(number).replace(/[^\da-z]/gi, "");
}

/** Defaults apply only if an option of the object was given and the file does not contain the object. */
function merged(name: string, defaults: object, known: unknown, options: object): object {
  if (Object.keys(options).length === 0) return known === undefined ? {} : { [name]: known };
  return { [name]: { ...(known === undefined ? defaults : {}), ...(known as object), ...options } };
}

function readJson(path: string): Readonly<Record<string, unknown>> {
  const text = readWhole(path).toString("utf8");
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Reported below.
  }
  throw new UsageError(`${path} is not a JSON object.`);
}

export function filesOf({ file = [] }: Pick<OrderFlags, "file">): readonly PortFile[] {
  return file.map((path) => ({ name: path === "-" ? "letter" : basename(path), bytes: readWhole(path) }));
}
