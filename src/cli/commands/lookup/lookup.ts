// `tandem lookup`: numbers from the command line, or a whole CSV file.

import type { Command } from "commander";
import type { TandemClient } from "../../../../sdk/src/index.ts";
import { type AccountFlags, addAccountOptions, clientOf } from "../../account-options.ts";
import { type CsvFlags, retriesOption, runCsv } from "../../bulk/run-csv.ts";
import { EXIT, UsageError } from "../../exit-codes.ts";
import { isTerminal, print } from "../../output.ts";
import { ADDED_COLUMNS, BATCH_MAX, csvLookup } from "./csv-lookup.ts";
import { lookUpDetails } from "./look-up-details.ts";
import { lookUpFewNumbers } from "./look-up-few-numbers.ts";

interface LookupFlags extends AccountFlags, CsvFlags {
  readonly csv?: string;
  readonly details?: true;
}

const HELP = `
Numbers are written with their country code: +14154740200, 14154740200, "+1 (415) 474-0200".

A CSV file:
  Any delimiter of , ; tab |, quotes and line ends are understood; UTF-8. The column is the one called number, phone, mobile, …, or
  --column. Every row is copied as it is, in order, and gets the columns number, status, type, carrierName and error; a header is
  kept, and a file without one gets none. OUT appears when it is whole, in place of an older one. Interrupted by whatever, the same
  command goes on where it stopped (OUT.partial and OUT.partial.json hold the work); --restart begins anew. Rate limits are kept.
  With --out - nothing is kept: the rows are written when all are done.

JSON:
  One number gives an object, several give an array, in the order asked; a refused one is { "number", "error" }.

Exit status:
  0  everything was answered (a CSV file: every row is done; refused numbers are told in the error column)
  1  the server refused a number or the request, or could not be reached
  2  the command is not right
  130  interrupted

Examples:
  tandem lookup +14154740200
  tandem lookup --json +14154740200 +442079460123
  tandem lookup --details +14154740200
  tandem lookup --csv customers.csv --out customers-looked-up.csv --column Mobile
  cut -d, -f2 customers.csv | tandem lookup --csv - --out - | grep Wireless
`;

export function addLookupCommand(program: Command): void {
  const command = program
    .command("lookup")
    .summary("tell the carrier, line type and messaging status of numbers")
    .description("Tell the carrier, line type and messaging status of phone numbers.")
    .argument("[numbers...]", "numbers to look up")
    .option("--json", "print JSON instead of a table")
    .option("--details", "tell more: country, area, network, whether it was ported, source and confidence")
    .option("--csv <file>", "look up every row of a CSV file; - is standard input")
    .option("--out <file>", "where its rows go, with the answers; - is standard output")
    .option("--column <name>", "the column of the numbers: its name, or its position from 1")
    .option("--restart", "begin a CSV file anew instead of going on where the last run stopped")
    .addOption(retriesOption());
  addAccountOptions(command)
    .addHelpText("after", HELP)
    .action(async (numbers: readonly string[], flags: LookupFlags) => {
      process.exitCode = await lookup(numbers, flags);
    });
}

async function lookup(numbers: readonly string[], flags: LookupFlags): Promise<number> {
  checkFlags(numbers, flags);
  const client = clientOf(flags);
  if (flags.csv !== undefined && flags.out !== undefined) {
    return lookUpFile(client, flags.csv, flags.out, flags);
  }
  if (flags.details) return lookUpDetails(client, numbers, flags);
  return lookUpFewNumbers({
    client,
    numbers,
    asJson: flags.json === true,
    isTerminal: isTerminal(),
    write: print,
  });
}

function checkFlags(numbers: readonly string[], flags: LookupFlags): void {
  const isFile = flags.csv !== undefined || flags.out !== undefined;
  if (!isFile && numbers.length === 0) throw new UsageError("Give a number, or --csv FILE and --out FILE.");
  if (!isFile && (flags.column !== undefined || flags.restart)) {
    throw new UsageError("--column and --restart belong to --csv.");
  }
  if (!isFile) return;
  if (flags.details) throw new UsageError("--details is for numbers of the command line, not for --csv.");
  if (numbers.length > 0) throw new UsageError("Give numbers or --csv, not both.");
  if (flags.csv === undefined) throw new UsageError("--out belongs to --csv FILE, which is missing.");
  if (flags.out === undefined) throw new UsageError("--out FILE is missing: where the answers go.");
}

function lookUpFile(client: TandemClient, csv: string, out: string, flags: LookupFlags): Promise<number> {
  return runCsv({
    csv,
    out,
    addedColumns: ADDED_COLUMNS,
    batchMax: BATCH_MAX,
    subject: {},
    prepare: ({ layout }) => ({ begin: (_, caller) => csvLookup(client, caller, layout.column) }),
    exitWhenRefused: EXIT.fine,
    flags,
  });
}
