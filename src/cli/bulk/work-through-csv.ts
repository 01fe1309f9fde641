// Works through the rows of a CSV file, batch by batch. Every row keeps its own bytes and order and gets some cells
// more. What is done is recorded after each batch (csv-journal.ts), so the same command goes on wherever the last one
// ended, for whatever reason. Does not guarantee that the server is asked only once: what was answered but not yet
// recorded is asked again.

import type { Progress } from "../progress.ts";
import type { CsvJournal, Standing } from "./csv-journal.ts";
import { type CsvRow, formatCells, readCsvRows, splitCells } from "./csv-rows.ts";
import type { CsvSurvey } from "./csv-survey.ts";
import type { PatientCaller } from "./patient-caller.ts";

/** What becomes of a row. */
export interface SettledRow {
  /** Below the columns that are added. */
  readonly cells: readonly string[];
  readonly isRefused: boolean;
}

export interface CsvWork<Question> {
  /**
   * What to ask the server about a row; where there is nothing to ask, what to write instead. Rows are counted from 1.
   */
  readonly questionOf: (cells: readonly string[], rowNumber: number) => { readonly ask: Question } | SettledRow;
  /** What it adds to the length of a request, where a batch is one. */
  readonly requestBytesOf?: (question: Question) => number;
  /** In order; `askLess` when the server lets in fewer at once. */
  readonly ask: (questions: readonly Question[]) => Promise<readonly SettledRow[] | "askLess">;
}

export interface CsvWorkOrder<Question> {
  readonly input: string;
  readonly survey: CsvSurvey;
  readonly journal: CsvJournal;
  readonly work: CsvWork<Question>;
  readonly caller: PatientCaller;
  readonly progress: Progress;
}

interface QueuedRow<Question> {
  readonly row: CsvRow;
  readonly cellCount: number;
  readonly question: { readonly ask: Question } | SettledRow | "blank";
}

/** Rows are read ahead so far. */
const QUEUE_MAX = 1000;
/** Half of what a request may be. */
const REQUEST_BYTES_MAX = 128 * 1024;
const ROWS_BYTES_MAX = 8 * 1024 * 1024;

/** Ends when every row is in the journal. Throws what ended it otherwise: the journal holds what was done. */
export async function workThroughCsv<Question>(order: CsvWorkOrder<Question>): Promise<void> {
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
    const batch = takeBatch(queue, await caller.admitted(), work);
    const questions = batch.flatMap(({ question }) =>
      typeof question === "object" && "ask" in question ? [question.ask] : [],
    );
    const answers = questions.length === 0 ? [] : await work.ask(questions);
    if (answers === "askLess") {
      queue.unshift(...batch);
      continue;
    }
    await journal.append(...settleBatch(batch, answers, survey, journal.standing));
    order.progress.advance(journal.standing.rowsDone);
    caller.signal.throwIfAborted();
  }
}

async function* readQueuedRows<Question>({
  input,
  journal,
  survey,
  work,
}: CsvWorkOrder<Question>): AsyncGenerator<readonly QueuedRow<Question>[]> {
  const { delimiter } = survey.layout;
  const { inputOffset: start, rowsDone } = journal.standing;
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

/** From the front of the queue: as many rows as ask for no more than allowed, and as fit in a request. */
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

/** The output of a batch and where the work stands after it. */
function settleBatch<Question>(
  batch: readonly QueuedRow<Question>[],
  answers: readonly SettledRow[],
  survey: CsvSurvey,
  before: Standing,
): [Buffer, Standing] {
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

/** A row that is too short is filled up first, so that the new cells stand below their names. */
function widen(row: CsvRow, cellCount: number, added: readonly string[], { layout, preamble }: CsvSurvey): Buffer[] {
  const { delimiter, width } = layout;
  const gap = delimiter.repeat(Math.max(0, width - cellCount) + 1);
  const lineEnd = row.lineEnd || preamble.header?.lineEnd || "\n";
  return [row.bytes, Buffer.from(`${gap}${formatCells(added, delimiter)}${lineEnd}`)];
}

/** What the output begins with. */
export function outputPreamble(survey: CsvSurvey, addedColumns: readonly string[]): Buffer {
  const { header, mark } = survey.preamble;
  if (!header) return mark;
  return Buffer.concat([mark, ...widen(header, survey.layout.width, addedColumns, survey)]);
}
