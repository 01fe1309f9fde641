// Processes the rows of a CSV file in batches. Every row keeps its bytes and its place and gets additional cells. Each
// batch is recorded (csv-journal.ts), so that the same command resumes after any interruption. Does not guarantee that
// the server is asked only once: an answer that was not yet recorded is requested again.

import type { Progress } from "../progress.ts";
import type { Checkpoint, CsvJournal } from "./csv-journal.ts";
import { type CsvRow, formatCells, readCsvRows, splitCells } from "./csv-rows.ts";
import type { CsvSurvey } from "./csv-survey.ts";
import type { RetryingCaller } from "./retrying-caller.ts";

/** The result of a row. */
export interface SettledRow {
  /** The cells of the added columns. */
  readonly cells: readonly string[];
  readonly isRefused: boolean;
}

export interface CsvWork<Question> {
  /** The question to the server about a row, or the row's result if there is none. Rows are counted from 1. */
  readonly questionOf: (cells: readonly string[], rowNumber: number) => { readonly ask: Question } | SettledRow;
  /** How many bytes the question adds to the request of its batch. */
  readonly requestBytesOf?: (question: Question) => number;
  /** Returns results in order, or `askLess` when the server accepts only smaller batches. */
  readonly ask: (questions: readonly Question[]) => Promise<readonly SettledRow[] | "askLess">;
}

export interface ProcessCsvOrder<Question> {
  readonly input: string;
  readonly survey: CsvSurvey;
  readonly journal: CsvJournal;
  readonly work: CsvWork<Question>;
  readonly caller: RetryingCaller;
  readonly progress: Progress;
}

interface QueuedRow<Question> {
  readonly row: CsvRow;
  readonly cellCount: number;
  readonly question: { readonly ask: Question } | SettledRow | "blank";
}

/** How many rows are read ahead. */
const QUEUE_MAX = 1000;
/** Half of the largest request. */
const REQUEST_BYTES_MAX = 128 * 1024;
const ROWS_BYTES_MAX = 8 * 1024 * 1024;

/** Resolves when every row is in the journal. After an error the journal holds the finished rows. */
export async function processCsv<Question>(order: ProcessCsvOrder<Question>): Promise<void> {
  const { caller, journal, survey, work } = order;
  const rows = readQueuedRows(order);
  const queue: QueuedRow<Question>[] = [];
  for (;;) {
    while (queue.length < QUEUE_MAX) {
      const more = await rows.next();
      if (more.done) break;
      for (const row of more.value) queue.push(row);
    }
    if (queue.length === 0) return;
    const batch = takeBatch(queue, await caller.allowance(), work);
    const questions = batch.flatMap(({ question }) =>
      typeof question === "object" && "ask" in question ? [question.ask] : [],
    );
    const answers = questions.length === 0 ? [] : await work.ask(questions);
    if (answers === "askLess") {
      queue.unshift(...batch);
      continue;
    }
    await journal.append(...settleBatch(batch, answers, survey, journal.checkpoint));
    order.progress.advance(journal.checkpoint.rowsDone);
    caller.signal.throwIfAborted();
  }
}

async function* readQueuedRows<Question>({
  input,
  journal,
  survey,
  work,
}: ProcessCsvOrder<Question>): AsyncGenerator<readonly QueuedRow<Question>[]> {
  const { delimiter } = survey.layout;
  const { inputOffset: start, rowsDone } = journal.checkpoint;
  let rowNumber = rowsDone;
  for await (const rows of readCsvRows(input, { start, delimiters: delimiter })) {
    yield rows.map((row): QueuedRow<Question> => {
      if (row.bytes.length === 0) return { row, cellCount: 0, question: "blank" };
      const cells = splitCells(row.bytes, delimiter);
      rowNumber += 1;
      return { row, cellCount: cells.length, question: work.questionOf(cells, rowNumber) };
    });
  }
}

/** Takes from the front of the queue as many rows as the limits on questions and bytes allow. */
function takeBatch<Question>(
  queue: QueuedRow<Question>[],
  questionsMax: number,
  { requestBytesOf }: CsvWork<Question>,
): readonly QueuedRow<Question>[] {
  let [questions, requestBytes, rowsBytes, count] = [0, 0, 0, 0];
  for (const { row, question } of queue) {
    if (typeof question === "object" && "ask" in question) {
      questions += 1;
      requestBytes += requestBytesOf?.(question.ask) ?? 0;
    }
    rowsBytes += row.bytes.length;
    const isFull = questions > questionsMax || requestBytes > REQUEST_BYTES_MAX || rowsBytes > ROWS_BYTES_MAX;
    if (isFull && count > 0) break;
    count += 1;
  }
  return queue.splice(0, count);
}

/** The output of a batch and the checkpoint after it. */
function settleBatch<Question>(
  batch: readonly QueuedRow<Question>[],
  answers: readonly SettledRow[],
  survey: CsvSurvey,
  before: Checkpoint,
): [Buffer, Checkpoint] {
  const parts: Buffer[] = [];
  const given = answers.values();
  let { inputOffset, rowsDone, rowsRefused } = before;
  for (const { row, cellCount, question } of batch) {
    inputOffset = row.end;
    if (question === "blank") {
      parts.push(Buffer.from(row.lineEnd || "\n"));
      continue;
    }
    const settled = "ask" in question ? (given.next().value as SettledRow) : question;
    rowsDone += 1;
    if (settled.isRefused) rowsRefused += 1;
    parts.push(...widen(row, cellCount, settled.cells, survey));
  }
  return [Buffer.concat(parts), { inputOffset, rowsDone, rowsRefused }];
}

/** Pads a short row first, so that the new cells are in their columns. */
function widen(row: CsvRow, cellCount: number, added: readonly string[], { layout, preamble }: CsvSurvey): Buffer[] {
  const { delimiter, width } = layout;
  const gap = delimiter.repeat(Math.max(0, width - cellCount) + 1);
  const lineEnd = row.lineEnd || preamble.header?.lineEnd || "\n";
  return [row.bytes, Buffer.from(`${gap}${formatCells(added, delimiter)}${lineEnd}`)];
}

/** The byte order mark and the header of the output. */
export function outputPreamble(survey: CsvSurvey, addedColumns: readonly string[]): Buffer {
  const { header, mark } = survey.preamble;
  if (!header) return mark;
  return Buffer.concat([mark, ...widen(header, survey.layout.width, addedColumns, survey)]);
}
