// `tandem import twilio`: imports the numbers and the opt-outs of a Twilio account from the exports of its console. May
// be repeated: what is here already stays unchanged.

import type { Command } from "commander";
import { type OperatorClient, TandemError } from "../../../../sdk/src/index.ts";
import {
  type AccountFlags,
  addAccountOptions,
  addOperatorOptions,
  clientOf,
  type OperatorCallFlags,
  operatorClientOf,
} from "../../account-options.ts";
import { refusalText } from "../../advice.ts";
import { askConcurrently } from "../../bulk/ask-concurrently.ts";
import { DELIMITERS, delimiterOf } from "../../bulk/csv-columns.ts";
import { CsvFault, readCsvRows, splitCells } from "../../bulk/csv-rows.ts";
import { RetryingCaller } from "../../bulk/retrying-caller.ts";
import { EXIT, UsageError } from "../../exit-codes.ts";
import { printJson, printTable, say } from "../../output.ts";
import { stopSignal } from "../../stop-signal.ts";
import { addScopeOptions, scopeOf } from "../optouts/scope.ts";
import {
  type LeftOut,
  type ListedNumber,
  type ListedOptOut,
  type ReadCsv,
  readNumbers,
  readOptOuts,
} from "./twilio-csv.ts";

const ROWS_MAX = 1_000_000;
const BATCH_MAX = 1_000;
const CONCURRENCY_MAX = 8;
const RETRIES_MAX = 5;
/** At most this many omitted rows are listed individually. */
const SHOWN_MAX = 20;

const HELP = `
Examples:
  tandem import twilio numbers numbers.csv --account AC… --dry-run
  tandem import twilio opt-outs opt-outs.csv --campaign CABC123
  tandem import twilio opt-outs message-log.csv

numbers.csv is the console's list of active numbers: a column Phone Number, and Friendly Name and Capabilities where there are any.
opt-outs are a list with a column To, Phone Number or Recipient (and From: the number that they do not want to hear from), or a log
of messages with From, To, Body and Direction: who wrote STOP last, or was refused with error 21610, has opted out. Opt-outs count
for the number in the column From, or for --from NUMBER or --campaign ID. The commands may be repeated.
Numbers without a plus are numbers of the account's country where they are valid there, and E.164 digits otherwise.
`;

export function addImportCommand(program: Command): void {
  const twilio = program
    .command("import")
    .summary("bring numbers and opt-outs of a Twilio account here")
    .description("Bring what other providers export.")
    .command("twilio")
    .description("Numbers and opt-outs of a Twilio account, from its console's CSV files.")
    .addHelpText("after", HELP);
  addNumbersCommand(twilio);
  addOptOutsCommand(twilio);
}

type Result = "added" | "was here already" | "would be added" | "refused";

interface Line {
  readonly number: string;
  readonly result: Result;
  readonly detail: string;
}

interface ImportFlags {
  readonly dryRun?: true;
  readonly json?: true;
}

async function readRows(file: string): Promise<readonly (readonly string[])[]> {
  const rows: (readonly string[])[] = [];
  let delimiter: string | undefined;
  try {
    for await (const batch of readCsvRows(file, { start: 0, delimiters: DELIMITERS.join("") })) {
      for (const { bytes } of batch) {
        if (bytes.length === 0) continue;
        const row = rows.length === 0 && bytes.subarray(0, 3).equals(MARK) ? bytes.subarray(3) : bytes;
        delimiter ??= delimiterOf(row);
        if (rows.push(splitCells(row, delimiter)) > ROWS_MAX + 1)
          throw new UsageError(`${ROWS_MAX} rows are the most.`);
      }
    }
  } catch (error) {
    if (error instanceof CsvFault) throw new UsageError(`${file}: ${error.message}`);
    const { code } = error as NodeJS.ErrnoException;
    if (code !== undefined) throw new UsageError(`${file} cannot be read (${code}).`);
    throw error;
  }
  if (rows.length === 0) throw new UsageError(`${file} is empty.`);
  return rows;
}

/** A byte order mark. */
const MARK = Buffer.from([0xef, 0xbb, 0xbf]);

function newCaller(): RetryingCaller {
  const onWait = (ms: number, why: string) => say(`Waiting ${Math.ceil(ms / 1000)} s ${why}.`);
  return new RetryingCaller({ sizeMax: CONCURRENCY_MAX, retriesMax: RETRIES_MAX, signal: stopSignal(), onWait });
}

function report(lines: readonly Line[], leftOut: readonly LeftOut[], { dryRun, json }: ImportFlags): number {
  const counts: Partial<Record<Result, number>> = {};
  for (const { result } of lines) counts[result] = (counts[result] ?? 0) + 1;
  if (json) printJson({ dryRun: dryRun === true, counts, items: lines, leftOut });
  else {
    printTable(
      ["Number", "Result", ""],
      lines.map(({ number, result, detail }) => [number, result, detail]),
    );
  }
  for (const { row, reason } of leftOut.slice(0, SHOWN_MAX)) say(`Row ${row} was left out: ${reason}`);
  if (leftOut.length > SHOWN_MAX) say(`${leftOut.length - SHOWN_MAX} more rows were left out.`);
  const summary = Object.entries(counts).map(([result, count]) => `${count} ${result}`);
  say(`${summary.join(", ") || "Nothing to import"}${leftOut.length > 0 ? `, ${leftOut.length} left out` : ""}.`);
  return leftOut.length > 0 || lines.some(({ result }) => result === "refused") ? EXIT.refused : EXIT.fine;
}

function refusal(number: string, error: unknown): Line {
  if (!(error instanceof TandemError) || error.status === 401 || error.status === 403) throw error;
  return { number, result: "refused", detail: refusalText(error).split("\n")[0] ?? "" };
}

interface NumberFlags extends OperatorCallFlags, ImportFlags {
  readonly account?: string;
}

function addNumbersCommand(twilio: Command): void {
  const command = twilio
    .command("numbers")
    .description("Put the numbers into the inventory (as the operator), and give them to an account.")
    .argument("<file>", "the console's list of active numbers")
    .option("--account <sid>", "give them to this account")
    .option("--dry-run", "say what would be done, and do nothing")
    .option("--json", "print JSON");
  addOperatorOptions(command).action(async (file: string, flags: NumberFlags) => {
    const { account } = flags;
    const country = account === undefined ? null : (await operatorClientOf(flags).accounts.get(account)).data.country;
    const { items, leftOut } = readNumbers(await readRows(file), country);
    process.exitCode = report(flags.dryRun ? items.map(wouldBe) : await importNumbers(items, flags), leftOut, flags);
  });
}

function wouldBe({ number, name, features }: ListedNumber): Line {
  return {
    number,
    result: "would be added",
    detail: [name ?? "", features?.join(", ") ?? ""].filter(Boolean).join("; "),
  };
}

async function importNumbers(items: readonly ListedNumber[], flags: NumberFlags): Promise<readonly Line[]> {
  const client = operatorClientOf(flags);
  const caller = newCaller();
  const lines = new Map<string, Line>();
  for (const batch of batchesOf(items))
    for (const line of await addToInventory(client, caller, batch)) lines.set(line.number, line);
  const { account } = flags;
  if (account !== undefined) {
    await askConcurrently({
      questions: items,
      concurrencyMax: CONCURRENCY_MAX,
      queueOf: ({ number }) => number,
      ask: async (item) => void lines.set(item.number, await give(client, caller, account, item)),
    });
  }
  return items.map(({ number }) => lines.get(number) as Line);
}

/** One request adds numbers that have the same features. */
function batchesOf(items: readonly ListedNumber[]): readonly (readonly ListedNumber[])[] {
  const open = new Map<string, ListedNumber[]>();
  const batches: ListedNumber[][] = [];
  for (const item of items) {
    const features = item.features?.join() ?? "all";
    let batch = open.get(features);
    if (!batch || batch.length === BATCH_MAX) {
      batch = [];
      open.set(features, batch);
      batches.push(batch);
    }
    batch.push(item);
  }
  return batches;
}

async function addToInventory(
  client: OperatorClient,
  caller: RetryingCaller,
  items: readonly ListedNumber[],
): Promise<readonly Line[]> {
  const features = items[0]?.features;
  const numbers = items.map(({ number }) => number);
  const { data } = await caller.call(() => client.numbers.add({ numbers, ...(features ? { features } : {}) }));
  const added = new Set(data.added);
  return numbers.map((number) => ({ number, result: added.has(number) ? "added" : "was here already", detail: "" }));
}

async function give(
  client: OperatorClient,
  caller: RetryingCaller,
  accountSid: string,
  { number, name }: ListedNumber,
): Promise<Line> {
  try {
    const { data } = await caller.call(() => client.numbers.assign(number, { accountSid, name }));
    return { number, result: "added", detail: data.status };
  } catch (error) {
    const isTaken = error instanceof TandemError && error.status === 409;
    if (isTaken && (await isNumberOf(client, caller, accountSid, number)))
      return { number, result: "was here already", detail: "It serves the account." };
    return refusal(number, error);
  }
}

async function isNumberOf(
  client: OperatorClient,
  caller: RetryingCaller,
  accountSid: string,
  number: string,
): Promise<boolean> {
  try {
    await caller.call(() => client.account(accountSid).phones.get(number));
    return true;
  } catch (error) {
    if (error instanceof TandemError && error.status === 404) return false;
    throw error;
  }
}

interface OptOutFlags extends AccountFlags, ImportFlags {}

function addOptOutsCommand(twilio: Command): void {
  const command = twilio
    .command("opt-outs")
    .description("Opt out who has opted out there.")
    .argument("<file>", "a list of opt-outs, or a log of messages");
  addScopeOptions(command).option("--dry-run", "say what would be done, and do nothing").option("--json", "print JSON");
  addAccountOptions(command).action(async (file: string, flags: OptOutFlags) => {
    const { country } = (await clientOf(flags).account.get()).data;
    const { items, leftOut } = scoped(readOptOuts(await readRows(file), country), flags);
    process.exitCode = report(await importOptOuts(items, flags), leftOut, flags);
  });
}

/** A scope on the command line applies to all rows; otherwise each row must have its own. */
function scoped({ items, leftOut }: ReadCsv<ListedOptOut>, flags: OptOutFlags): ReadCsv<ListedOptOut> {
  if (scopeOf(flags)) {
    const once = new Map(items.map((item) => [item.number, item]));
    return { items: [...once.values()], leftOut };
  }
  if (items.some(({ from }) => from === undefined)) {
    throw new UsageError(
      "The file does not say of whose messages people have opted out: give --from NUMBER or --campaign ID.",
    );
  }
  return { items, leftOut };
}

async function importOptOuts(items: readonly ListedOptOut[], flags: OptOutFlags): Promise<readonly Line[]> {
  const common = scopeOf(flags);
  const scopeFor = (from: string | undefined) =>
    common ?? { scopeType: "SenderPhoneNumber" as const, scope: from ?? "" };
  if (flags.dryRun)
    return items.map(({ number, from }) => ({ number, result: "would be added", detail: scopeFor(from).scope }));
  const client = clientOf(flags);
  const caller = newCaller();
  return askConcurrently({
    questions: items,
    concurrencyMax: CONCURRENCY_MAX,
    queueOf: ({ number }) => number,
    ask: async ({ number, from }): Promise<Line> => {
      const scope = scopeFor(from);
      try {
        const { status } = await caller.call(() => client.optOuts.create({ number, ...scope }));
        return { number, result: status === 201 ? "added" : "was here already", detail: scope.scope };
      } catch (error) {
        return refusal(number, error);
      }
    },
  });
}
