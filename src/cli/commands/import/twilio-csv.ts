// Reads the CSV exports of Twilio's console and command line: a list of numbers, a list of people who opted out, or a
// log of messages, in which the last keyword of each person to each number counts. Columns are found by their names,
// with or without spaces, underscores and capitals. Any rows give a list, and the omitted rows with the reason.

import { parseNumber } from "../../../../rules/numbers/parse-number.ts";
import { UsageError } from "../../exit-codes.ts";

export type Feature = "SMS" | "MMS" | "VOICE";

export interface ListedNumber {
  readonly number: string;
  readonly name: string | null;
  /** Undefined when the file does not contain them. */
  readonly features: readonly Feature[] | undefined;
}

export interface ListedOptOut {
  /** The person who opted out. */
  readonly number: string;
  /** Our number; undefined when the file does not contain it. */
  readonly from: string | undefined;
}

export interface LeftOut {
  /** From 1, not counting the header. */
  readonly row: number;
  readonly reason: string;
}

export interface ReadCsv<Item> {
  readonly items: readonly Item[];
  readonly leftOut: readonly LeftOut[];
}

type Rows = readonly (readonly string[])[];

/** The account's country, in which a number without a plus is read first; null if it has none. */
type Country = string | null;

/** Without the apostrophe that keeps spreadsheets from calculating with a number. */
function numberOf(cell: string, country: Country): string | undefined {
  const parsed = parseNumber(cell.trim().replace(/^'/, "").replaceAll(/\s/g, " "), country);
  return parsed.ok ? parsed.value.e164 : undefined;
}

class Columns {
  readonly #names: readonly string[];
  constructor(header: readonly string[]) {
    this.#names = header.map((cell) => cell.toLowerCase().replaceAll(/[^a-z0-9]/g, ""));
  }

  /** The first of these columns that exists. */
  find(...wanted: readonly string[]): number | undefined {
    const places = wanted.map((name) => this.#names.indexOf(name)).filter((place) => place !== -1);
    return places[0];
  }

  need(what: string, ...wanted: readonly string[]): number {
    const place = this.find(...wanted);
    if (place === undefined) throw new UsageError(`There is no column with ${what}: one of ${wanted.join(", ")}.`);
    return place;
  }
}

const at = (row: readonly string[], column: number | undefined) => (column === undefined ? "" : (row[column] ?? ""));

export function readNumbers([header = [], ...rows]: Rows, country: Country): ReadCsv<ListedNumber> {
  const columns = new Columns(header);
  const number = columns.need("the numbers", "phonenumber", "number");
  const name = columns.find("friendlyname", "name");
  const capabilities = columns.find("capabilities");
  const single = (["SMS", "MMS", "VOICE"] as const).map(
    (feature) => [feature, columns.find(feature.toLowerCase(), `capabilities${feature.toLowerCase()}`)] as const,
  );
  const leftOut: LeftOut[] = [];
  const items = new Map<string, ListedNumber>();
  for (const [index, row] of rows.entries()) {
    const read = numberOf(at(row, number), country);
    const label = at(row, name).trim().slice(0, NAME_MAX);
    const leave = (reason: string) => leftOut.push({ row: index + 1, reason });
    if (read === undefined) leave(`${JSON.stringify(at(row, number).slice(0, 40))} is no number such as +14155550100.`);
    else if (items.has(read)) leave(`${read} is listed twice.`);
    else {
      const features = featuresOf(at(row, capabilities), single, row);
      // Twilio uses the number as its name by default.
      items.set(read, { number: read, name: label === "" || isDigits(label) ? null : label, features });
    }
  }
  return { items: [...items.values()], leftOut };
}

const NAME_MAX = 64;
const isDigits = (text: string) => /^[\d\s()+.-]+$/.test(text);

/** `Voice, SMS`, `{"voice":true,"sms":false}`, or a column for each. */
function featuresOf(
  capabilities: string,
  single: readonly (readonly [Feature, number | undefined])[],
  row: readonly string[],
): readonly Feature[] | undefined {
  const isListed = capabilities.trim() !== "";
  if (!isListed && single.every(([, column]) => column === undefined)) return undefined;
  return single
    .filter(([feature, column]) => {
      if (!isListed) return /^(true|yes|y|1|x)$/i.test(at(row, column).trim());
      const found = new RegExp(`\\b${feature}\\b["']?\\s*:?\\s*(false|no|0)?`, "i").exec(capabilities);
      return found !== null && found[1] === undefined;
    })
    .map(([feature]) => feature);
}

/** A list of people, or a log of messages (which has texts and directions). */
export function readOptOuts([header = [], ...rows]: Rows, country: Country): ReadCsv<ListedOptOut> {
  const columns = new Columns(header);
  const isLog = columns.find("body") !== undefined && columns.find("direction") !== undefined;
  if (isLog) return readLog(columns, rows, country);
  const number = columns.need("the people", "phonenumber", "number", "optedoutnumber", "recipient", "to");
  const from = columns.find("from", "sender", "fromnumber", "twilionumber", "messagingservicenumber");
  const leftOut: LeftOut[] = [];
  const items = new Map<string, ListedOptOut>();
  for (const [index, row] of rows.entries()) {
    const read = numberOf(at(row, number), country);
    const sender = numberOf(at(row, from), country);
    if (read === undefined)
      leftOut.push({ row: index + 1, reason: `${JSON.stringify(at(row, number).slice(0, 40))} is no number.` });
    else items.set(`${read} ${sender}`, { number: read, from: sender });
  }
  return { items: [...items.values()], leftOut };
}

const STOP = new Set(["STOP", "STOPALL", "UNSUBSCRIBE", "CANCEL", "END", "QUIT", "REVOKE", "OPTOUT"]);
const START = new Set(["START", "YES", "UNSTOP"]);
/** Twilio's error code when the recipient has opted out. */
const OPTED_OUT = "21610";

interface Word extends ListedOptOut {
  readonly isOut: boolean;
  readonly atMs: number;
}

/** Without dates the newest row is assumed to come first, as in the export. */
function readLog(columns: Columns, rows: Rows, country: Country): ReadCsv<ListedOptOut> {
  const leftOut: LeftOut[] = [];
  const last = new Map<string, Word>();
  const places = {
    from: columns.need("the senders", "from"),
    to: columns.need("the recipients", "to"),
    body: columns.find("body"),
    direction: columns.find("direction"),
    error: columns.find("errorcode"),
    date: columns.find("datesent", "sentdate", "datecreated", "date"),
  };
  for (const [index, row] of rows.entries()) {
    const isInbound = /^inbound/i.test(at(row, places.direction).trim());
    const [theirs, ours] = isInbound ? [places.from, places.to] : [places.to, places.from];
    const word = at(row, places.body)
      .trim()
      .toUpperCase()
      .replaceAll(/[\s.!]/g, "");
    const isOut = isInbound ? STOP.has(word) : at(row, places.error).trim() === OPTED_OUT;
    if (!isOut && !(isInbound && START.has(word))) continue;
    const number = numberOf(at(row, theirs), country);
    const from = numberOf(at(row, ours), country);
    if (number === undefined || from === undefined) {
      leftOut.push({ row: index + 1, reason: "It opts out, but its numbers cannot be read." });
      continue;
    }
    const dateMs = Date.parse(at(row, places.date));
    const atMs = Number.isNaN(dateMs) ? -index : dateMs;
    const known = last.get(`${number} ${from}`);
    if (!known || known.atMs < atMs) last.set(`${number} ${from}`, { number, from, isOut, atMs });
  }
  const items = [...last.values()].filter(({ isOut }) => isOut).map(({ number, from }) => ({ number, from }));
  return { items, leftOut };
}
