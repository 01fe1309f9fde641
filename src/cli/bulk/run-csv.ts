// Runs a command on a whole CSV file: checks the files before any request, resumes the last run, shows progress, and
// reports the result.

import { realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { InvalidArgumentError, Option } from "commander";
import { TandemError } from "../../../sdk/src/index.ts";
import { refusalText } from "../advice.ts";
import { EXIT, UsageError } from "../exit-codes.ts";
import { say } from "../output.ts";
import { count, STDERR, showProgress } from "../progress.ts";
import { refusalOf } from "../refusal.ts";
import { stopSignal } from "../stop-signal.ts";
import type { ColumnChoice } from "./csv-columns.ts";
import { type Checkpoint, CsvJournal, type JournalOrder, type JournalSubject } from "./csv-journal.ts";
import { CsvFault } from "./csv-rows.ts";
import { type CsvSurvey, surveyCsv } from "./csv-survey.ts";
import { type CsvWork, outputPreamble, processCsv } from "./process-csv.ts";
import { RetryingCaller } from "./retrying-caller.ts";
import { type CsvFiles, STANDARD_STREAM, withFiles } from "./standard-streams.ts";

const RETRIES_MAX = 8;

export interface CsvFlags {
  readonly out?: string;
  readonly column?: string;
  readonly restart?: true;
  readonly json?: true;
  readonly retries: number;
}

export interface CsvRunOrder<Question> {
  /** `-` is standard input or output. */
  readonly csv: string;
  readonly out: string;
  /** Default: `--column`. */
  readonly column?: ColumnChoice;
  readonly addedColumns: readonly string[];
  readonly batchMax: number;
  /** Default: as `--restart` says. */
  readonly again?: JournalOrder["again"];
  /** What must be equal, in addition to the input, for a run to be resumed. */
  readonly subject: JournalSubject;
  /** Checks the command line against the file and throws before anything is written or requested. */
  readonly prepare: (survey: CsvSurvey) => CsvBeginning<Question>;
  /** The exit code when every row is done and some were refused. */
  readonly exitWhenRefused: number;
  readonly flags: CsvFlags;
}

export interface CsvBeginning<Question> {
  /** Throws when no row can succeed. */
  readonly check?: (caller: RetryingCaller) => Promise<void>;
  readonly begin: (journal: CsvJournal, caller: RetryingCaller) => CsvWork<Question>;
}

export function retriesOption(): Option {
  return new Option("--retries <n>", "tries in a row after a fault of server or network, for a CSV file")
    .default(RETRIES_MAX)
    .argParser(wholeNumber);
}

/** `customers.csv` → `customers.sent.csv`. */
export function outBeside(csv: string, what: string): string {
  if (csv === STANDARD_STREAM) throw new UsageError("With --csv - say where the rows go: --out FILE.");
  return `${csv.replace(/\.csv$/i, "")}.${what}.csv`;
}

interface Ended {
  readonly code: number;
  readonly isWhole: boolean;
}

export async function runCsv<Question>(order: CsvRunOrder<Question>): Promise<number> {
  if (order.out === STANDARD_STREAM) {
    if (order.again === "once")
      throw new UsageError("--out - is no place for the results of work that must not be done twice: give a FILE.");
    if (order.flags.json) throw new UsageError("Both --json and --out - to standard output: choose one.");
  }
  return withFiles(order, (files) => runFiles(order, files));
}

async function runFiles<Question>(order: CsvRunOrder<Question>, files: CsvFiles): Promise<Ended> {
  const out = checkFiles(files);
  const { flags, column: choice = { wanted: flags.column, option: "--column" } } = order;
  const survey = await surveyOf(files, choice);
  const beginning = order.prepare(survey);
  const { column, hasHeader } = survey.layout;
  const opened = await CsvJournal.open({
    out,
    subject: { digest: survey.digest, column, hasHeader, ...order.subject },
    rowsStart: survey.rowsStart,
    preamble: outputPreamble(survey, order.addedColumns),
    again: order.again ?? (flags.restart ? "forget" : "continue"),
  });
  if (opened.kind === "finished") return reportDone(order, files, opened.checkpoint);
  return carryOut(order, files, survey, beginning, opened.journal);
}

async function carryOut<Question>(
  order: CsvRunOrder<Question>,
  files: CsvFiles,
  survey: CsvSurvey,
  { begin, check }: CsvBeginning<Question>,
  journal: CsvJournal,
): Promise<Ended> {
  const { rowsDone } = journal.checkpoint;
  if (rowsDone > 0) say(`Going on after ${count(rowsDone)} rows that are done.`);
  const progress = showProgress({ ...STDERR, total: survey.rowCount, done: rowsDone, unit: "rows" });
  const signal = stopSignal();
  const caller = new RetryingCaller({
    sizeMax: order.batchMax,
    retriesMax: order.flags.retries,
    signal,
    onWait: (ms, why) => progress.wait(ms, why),
  });
  try {
    await check?.(caller);
  } catch (error) {
    await (journal.isNew ? journal.abandon() : journal.close());
    throw error;
  }
  try {
    await processCsv({ input: files.csv, survey, journal, work: begin(journal, caller), caller, progress });
    progress.end();
    if (journal.checkpoint.rowsDone !== survey.rowCount) {
      throw new Error(`${files.csvName} was changed while it was being read.`);
    }
    await journal.finish();
    return reportDone(order, files, journal.checkpoint);
  } catch (error) {
    progress.end();
    await journal.close();
    return reportStopped(error, order, files, journal.checkpoint, survey, signal.aborted);
  }
}

/** Absolute path of the output. */
function checkFiles({ csv, out: outPath }: CsvFiles): string {
  const input = statOrNothing(csv);
  if (!input) throw new UsageError(`${csv} cannot be read.`);
  if (!input.isFile())
    throw new UsageError(`${csv} is no file: work that can be resumed reads its input more than once.`);
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

async function surveyOf({ csv, csvName }: CsvFiles, column: ColumnChoice): Promise<CsvSurvey> {
  try {
    return await surveyCsv(csv, column, csvName);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (error instanceof CsvFault) throw new UsageError(`${csvName}: ${error.message}`);
    if (code !== undefined) throw new UsageError(`${csvName} cannot be read (${code}).`);
    throw error;
  }
}

function reportDone<Question>(
  order: CsvRunOrder<Question>,
  { outName }: CsvFiles,
  { rowsDone, rowsRefused }: Checkpoint,
): Ended {
  const { out } = order;
  if (order.flags.json) process.stdout.write(`${JSON.stringify({ out, rows: rowsDone, refused: rowsRefused })}\n`);
  const refused = rowsRefused === 0 ? "" : `; ${count(rowsRefused)} were refused, as their error column says`;
  say(`${outName}: ${count(rowsDone)} rows${refused}.`);
  return { code: rowsRefused === 0 ? EXIT.fine : order.exitWhenRefused, isWhole: true };
}

function reportStopped<Question>(
  error: unknown,
  { flags }: CsvRunOrder<Question>,
  { isOutKept }: CsvFiles,
  { rowsDone }: Checkpoint,
  { rowCount }: CsvSurvey,
  isInterrupted: boolean,
): Ended {
  const ended: Ended = { code: isInterrupted ? EXIT.interrupted : EXIT.refused, isWhole: false };
  if (flags.json && !isInterrupted) {
    const rows = { rows: rowsDone, rowsWanted: rowCount, isKept: isOutKept };
    say(JSON.stringify({ error: { ...refusalOf(error).error, ...rows } }));
    return ended;
  }
  if (!isInterrupted) say(`Stopped: ${error instanceof TandemError ? refusalText(error) : (error as Error).message}`);
  const kept = isOutKept
    ? "are done and kept. The same command goes on from there."
    : "were done; nothing is written before all are.";
  say(`${count(rowsDone)} of ${count(rowCount)} rows ${kept}`);
  return ended;
}

function wholeNumber(text: string): number {
  if (!/^\d{1,4}$/.test(text)) throw new InvalidArgumentError("A whole number is wanted.");
  return Number(text);
}
