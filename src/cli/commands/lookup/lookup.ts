// `tandem lookup`: numbers from the command line, or a whole CSV file.

import { realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { type Command, InvalidArgumentError, Option } from "commander";
import type { TandemClient } from "../../../../sdk/src/index.ts";
import { type AccountFlags, addAccountOptions, clientOf } from "../../account-options.ts";
import { EXIT, UsageError } from "../../exit-codes.ts";
import { isTerminal, print, say } from "../../output.ts";
import { count, showProgress } from "../../progress.ts";
import { stopSignal } from "../../stop-signal.ts";
import { CsvJournal, type Standing } from "./csv-journal.ts";
import { lookUpCsv, outputPreamble } from "./csv-lookup.ts";
import { CsvFault } from "./csv-rows.ts";
import { type CsvSurvey, surveyCsv } from "./csv-survey.ts";
import { lookUpFewNumbers } from "./few-numbers.ts";

const RETRIES_MAX = 8;

interface LookupFlags extends AccountFlags {
  readonly csv?: string;
  readonly out?: string;
  readonly column?: string;
  readonly restart?: true;
  readonly retries: number;
}

const HELP = `
Numbers are written with their country code: +14154740200, 14154740200, "+1 (415) 474-0200".

A CSV file:
  Any delimiter of , ; tab |, quotes and line ends are understood; UTF-8. The column is the one called number, phone, mobile, …, or
  --column. Every row is copied as it is, in order, and gets the columns number, status, type, carrierName and error; a header is
  kept, and a file without one gets none. OUT appears when it is whole, in place of an older one. Interrupted by whatever, the same
  command goes on where it stopped (OUT.partial and OUT.partial.json hold the work); --restart begins anew. Rate limits are kept.

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
  tandem lookup --csv customers.csv --out customers-looked-up.csv --column Mobile
`;

export function addLookupCommand(program: Command): void {
  const command = program
    .command("lookup")
    .summary("tell the carrier, line type and messaging status of numbers")
    .description("Tell the carrier, line type and messaging status of phone numbers.")
    .argument("[numbers...]", "numbers to look up")
    .option("--json", "print JSON instead of a table")
    .option("--csv <file>", "look up every row of a CSV file")
    .option("--out <file>", "where its rows go, with the answers")
    .option("--column <name>", "the column of the numbers: its name, or its position from 1")
    .option("--restart", "begin a CSV file anew instead of going on where the last run stopped")
    .addOption(
      new Option("--retries <n>", "tries in a row after a fault of server or network, for a CSV file")
        .default(RETRIES_MAX)
        .argParser(wholeNumber),
    );
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
  if (numbers.length > 0) throw new UsageError("Give numbers or --csv, not both.");
  if (flags.csv === undefined) throw new UsageError("--out belongs to --csv FILE, which is missing.");
  if (flags.out === undefined) throw new UsageError("--out FILE is missing: where the answers go.");
}

async function lookUpFile(client: TandemClient, csv: string, outPath: string, flags: LookupFlags): Promise<number> {
  const out = checkFiles(csv, outPath);
  const survey = await surveyOf(csv, flags.column);
  const { column, hasHeader } = survey.layout;
  const opened = await CsvJournal.open({
    out,
    subject: { digest: survey.digest, column, hasHeader },
    rowsStart: survey.rowsStart,
    preamble: outputPreamble(survey),
    restart: flags.restart === true,
  });
  if (opened.kind === "finished") return tellDone(outPath, opened.standing, flags);
  const { journal } = opened;
  const { rowsDone } = journal.standing;
  if (rowsDone > 0) say(`Going on after ${count(rowsDone)} rows that are done.`);
  const progress = showProgress({
    write: (text) => process.stderr.write(text),
    isTerminal: process.stderr.isTTY === true,
    columns: () => process.stderr.columns,
    total: survey.rowCount,
    done: rowsDone,
    unit: "rows",
    nowMs: () => performance.now(),
  });
  const stop = stopSignal();
  try {
    const { retries: retriesMax } = flags;
    await lookUpCsv({ input: csv, survey, journal, client, progress, retriesMax, signal: stop });
    progress.end();
    if (journal.standing.rowsDone !== survey.rowCount) throw new Error(`${csv} was changed while it was being read.`);
    await journal.finish();
    return tellDone(outPath, journal.standing, flags);
  } catch (error) {
    progress.end();
    await journal.close();
    return tellStopped(error, journal.standing, survey, stop.aborted);
  }
}

/** Absolute path of the output. */
function checkFiles(csv: string, outPath: string): string {
  const input = statOrNothing(csv);
  if (!input) throw new UsageError(`${csv} cannot be read.`);
  if (!input.isFile())
    throw new UsageError(`${csv} is no file: a lookup that can be resumed reads its input more than once.`);
  const directory = statOrNothing(dirname(resolve(outPath)));
  if (!directory?.isDirectory()) throw new UsageError(`${dirname(resolve(outPath))} is no directory.`);
  const out = join(realpathSync(dirname(resolve(outPath))), basename(outPath));
  if (statOrNothing(out)?.isDirectory()) throw new UsageError(`${outPath} is a directory.`);
  for (const path of [out, `${out}.partial`, `${out}.partial.json`, `${out}.lock`]) {
    const found = statOrNothing(path);
    if (found?.dev === input.dev && found.ino === input.ino) {
      throw new UsageError(`${csv} cannot be input and output at once.`);
    }
  }
  return out;
}

function statOrNothing(path: string) {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

async function surveyOf(csv: string, column: string | undefined): Promise<CsvSurvey> {
  try {
    return await surveyCsv(csv, column);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (error instanceof CsvFault) throw new UsageError(`${csv}: ${error.message}`);
    if (code !== undefined) throw new UsageError(`${csv} cannot be read (${code}).`);
    throw error;
  }
}

function tellDone(out: string, { rowsDone, rowsRefused }: Standing, { json }: LookupFlags): number {
  if (json) process.stdout.write(`${JSON.stringify({ out, rows: rowsDone, refused: rowsRefused })}\n`);
  const refused = rowsRefused === 0 ? "" : `; ${count(rowsRefused)} were refused, as their error column says`;
  say(`${out}: ${count(rowsDone)} rows${refused}.`);
  return EXIT.fine;
}

function tellStopped(error: unknown, { rowsDone }: Standing, { rowCount }: CsvSurvey, isInterrupted: boolean): number {
  if (!isInterrupted) say(`Stopped: ${(error as Error).message}`);
  say(`${count(rowsDone)} of ${count(rowCount)} rows are done and kept. The same command goes on from there.`);
  return isInterrupted ? EXIT.interrupted : EXIT.refused;
}

function wholeNumber(text: string): number {
  if (!/^\d{1,4}$/.test(text)) throw new InvalidArgumentError("A whole number is wanted.");
  return Number(text);
}
