// Looks up the numbers of a whole CSV file. Every row keeps its own bytes and order and gets five cells more. What has been answered is
// recorded batch by batch (csv-journal.ts), so the same command goes on wherever the last one ended, for whatever reason.
// Does not guarantee that a number is asked for only once: what was answered but not yet recorded is asked again.

import { setTimeout as delay } from "node:timers/promises";
import type { FailedLookup, NumberInformation, TandemClient } from "../../../../sdk/src/index.ts";
import type { Progress } from "../../progress.ts";
import type { CsvJournal, Standing } from "./csv-journal.ts";
import { type CsvRow, formatCells, readCsvRows, splitCells } from "./csv-rows.ts";
import type { CsvSurvey } from "./csv-survey.ts";
import { afterAnswer, afterFault, BATCH_MAX, batchSize, FIRST_PACE } from "./pacing.ts";

export const ADDED_COLUMNS = ["number", "status", "type", "carrierName", "error"] as const;

/** The API takes no longer ones, and a request of 256 KiB. */
const NUMBER_LENGTH_MAX = 256;
const REQUEST_BYTES_MAX = 128 * 1024;
const ROWS_BYTES_MAX = 8 * 1024 * 1024;

export interface BulkOrder {
  readonly input: string;
  readonly survey: CsvSurvey;
  readonly journal: CsvJournal;
  readonly client: TandemClient;
  readonly progress: Progress;
  /** Tries after a fault of server or network, in a row. */
  readonly retriesMax: number;
  readonly signal: AbortSignal;
}

interface QueuedRow {
  readonly row: CsvRow;
  readonly cellCount: number;
  /** What to ask the server; where there is nothing to ask, what to say of it instead. */
  readonly ask: { readonly number: string } | { readonly error: string } | "blank";
}

type Item = NumberInformation | FailedLookup;

/** Ends when every row is in the journal. Throws what ended it otherwise: the journal holds what was done. */
export async function lookUpCsv(order: BulkOrder): Promise<void> {
  const { journal, signal, survey } = order;
  const rows = queueRows(order.input, survey, journal.standing.inputOffset);
  const queue: QueuedRow[] = [];
  const asker = new Asker(order);
  for (;;) {
    while (queue.length < BATCH_MAX) {
      const more = await rows.next();
      if (more.done) break;
      for (const row of more.value) queue.push(row);
    }
    if (queue.length === 0) return;
    const batch = takeBatch(queue, await asker.admitted());
    const numbers = batch.flatMap(({ ask }) => (typeof ask === "object" && "number" in ask ? [ask.number] : []));
    const items = numbers.length === 0 ? [] : await asker.ask(numbers);
    if (items === "askLess") {
      queue.unshift(...batch);
      continue;
    }
    await journal.append(...settleBatch(batch, items, survey, journal.standing));
    order.progress.advance(journal.standing.rowsDone);
    signal.throwIfAborted();
  }
}

class Asker {
  readonly #order: BulkOrder;
  #pace = FIRST_PACE;

  constructor(order: BulkOrder) {
    this.#order = order;
  }

  /** Waits until something may be asked; answers how much. */
  async admitted(): Promise<number> {
    for (;;) {
      const nowMs = performance.now();
      const size = batchSize(this.#pace, nowMs);
      if (size > 0) return size;
      await this.#wait(this.#pace.windowEndMs - nowMs, "for the rate limit");
    }
  }

  /** The items in order, however many tries that takes; `askLess` when the server lets in fewer at once. */
  async ask(numbers: readonly string[]): Promise<readonly Item[] | "askLess"> {
    const { client, retriesMax, signal } = this.#order;
    for (;;) {
      try {
        const { data, rateLimit } = await client.lookup.numbers(numbers, { signal });
        if (!Array.isArray(data?.items) || data.items.length !== numbers.length) {
          throw new Error(`The server answered ${data?.items?.length ?? "no"} items to ${numbers.length} numbers.`);
        }
        this.#pace = afterAnswer(this.#pace, rateLimit, performance.now());
        return data.items;
      } catch (error) {
        signal.throwIfAborted();
        const reaction = afterFault(this.#pace, error, performance.now(), retriesMax);
        if (reaction.kind === "giveUp") throw error;
        this.#pace = reaction.pace;
        const why = reaction.why === "limit" ? "for the rate limit" : `to try again: ${(error as Error).message}`;
        await this.#wait(reaction.ms, why);
        if (reaction.pace.batchMax < numbers.length) return "askLess";
      }
    }
  }

  async #wait(ms: number, why: string): Promise<void> {
    this.#order.progress.wait(ms, why);
    await delay(ms, undefined, { signal: this.#order.signal });
  }
}

async function* queueRows(input: string, survey: CsvSurvey, start: number): AsyncGenerator<readonly QueuedRow[]> {
  const { column, delimiter } = survey.layout;
  for await (const rows of readCsvRows(input, { start, delimiters: delimiter })) {
    yield rows.map((row): QueuedRow => {
      if (row.bytes.length === 0) return { row, cellCount: 0, ask: "blank" };
      const cells = splitCells(row.bytes, delimiter);
      return { row, cellCount: cells.length, ask: questionOf(cells[column]?.trim() ?? "") };
    });
  }
}

function questionOf(number: string): QueuedRow["ask"] {
  if (number === "") return { error: "There is no number in this row." };
  if (number.length > NUMBER_LENGTH_MAX) return { error: "This is too long for a phone number." };
  return { number };
}

/** From the front of the queue: as many rows as ask for no more than allowed, and as fit in a request. */
function takeBatch(queue: QueuedRow[], numbersMax: number): readonly QueuedRow[] {
  let [numbers, requestBytes, rowsBytes, count] = [0, 0, 0, 0];
  for (const { row, ask } of queue) {
    if (typeof ask === "object" && "number" in ask) {
      numbers += 1;
      requestBytes += Buffer.byteLength(JSON.stringify(ask.number)) + 1;
    }
    rowsBytes += row.bytes.length;
    const isFull = numbers > numbersMax || requestBytes > REQUEST_BYTES_MAX || rowsBytes > ROWS_BYTES_MAX;
    if (isFull && count > 0) break;
    count += 1;
  }
  return queue.splice(0, count);
}

/** The output of a batch and where the work stands after it. */
function settleBatch(
  batch: readonly QueuedRow[],
  items: readonly Item[],
  survey: CsvSurvey,
  before: Standing,
): [Buffer, Standing] {
  const parts: Buffer[] = [];
  const answers = items.values();
  let { inputOffset, rowsDone, rowsRefused } = before;
  for (const { row, cellCount, ask } of batch) {
    inputOffset = row.end;
    if (ask === "blank") {
      parts.push(Buffer.from(row.lineEnd || "\n"));
      continue;
    }
    const item = "error" in ask ? { number: "", error: ask.error } : (answers.next().value as Item);
    rowsDone += 1;
    if ("error" in item) rowsRefused += 1;
    parts.push(...widen(row, cellCount, addedCells(item), survey));
  }
  return [Buffer.concat(parts), { inputOffset, rowsDone, rowsRefused }];
}

function addedCells(item: Item): readonly string[] {
  if ("error" in item) return [item.number, "", "", "", item.error];
  return [item.number, item.status, item.type, item.carrierName ?? "", ""];
}

/** A row that is too short is filled up first, so that the new cells stand below their names. */
function widen(row: CsvRow, cellCount: number, added: readonly string[], { layout, preamble }: CsvSurvey): Buffer[] {
  const { delimiter, width } = layout;
  const gap = delimiter.repeat(Math.max(0, width - cellCount) + 1);
  const lineEnd = row.lineEnd || preamble.header?.lineEnd || "\n";
  return [row.bytes, Buffer.from(`${gap}${formatCells(added, delimiter)}${lineEnd}`)];
}

/** What the output begins with. */
export function outputPreamble(survey: CsvSurvey): Buffer {
  const { header, mark } = survey.preamble;
  if (!header) return mark;
  return Buffer.concat([mark, ...widen(header, survey.layout.width, ADDED_COLUMNS, survey)]);
}
