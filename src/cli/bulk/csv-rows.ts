// Splits CSV (RFC 4180 and its common variants) into rows without losing a byte: supports line breaks in quotes, LF,
// CRLF or CR, and a last line without a line end. Guarantees: the bytes of the rows with their line ends are the file.
// Memory is bounded by the longest row allowed. Any bytes give rows or a CsvFault.

import { createReadStream } from "node:fs";

export const ROW_BYTES_MAX = 1024 * 1024;
const CHUNK_BYTES = 256 * 1024;

export interface CsvRow {
  /** As in the file, without the line end. */
  readonly bytes: Buffer;
  /** LF, CRLF, CR, or nothing at the end of the file. */
  readonly lineEnd: string;
  /** The offset of the next row in the file. */
  readonly end: number;
}

/** The file is malformed; the message names the row. */
export class CsvFault extends Error {
  override readonly name = "CsvFault";
}

export interface ReadOrder {
  /** The offset of the first row to read. */
  readonly start: number;
  /** One character, or all candidates while the delimiter is not known. */
  readonly delimiters: string;
}

/** Yields the rows of a file in batches, one for each read. */
export async function* readCsvRows(path: string, order: ReadOrder): AsyncGenerator<readonly CsvRow[]> {
  const cutter = new RowSplitter(order);
  const chunks = createReadStream(path, { start: order.start, highWaterMark: CHUNK_BYTES });
  for await (const chunk of chunks) {
    const rows = cutter.push(chunk as Buffer);
    if (rows.length > 0) yield rows;
  }
  const rows = cutter.end();
  if (rows.length > 0) yield rows;
}

const QUOTE = 0x22;
const LF = 0x0a;
const CR = 0x0d;

type Place = "cellStart" | "bare" | "quoted" | "quoteInQuoted";

export class RowSplitter {
  readonly #delimiters: ReadonlySet<number>;
  readonly #start: number;
  /** The offset of `#rest` in the file. */
  #offset: number;
  /** The incomplete row. */
  #rest: Buffer = Buffer.alloc(0);
  /** How far `#rest` has been scanned. */
  #seen = 0;
  #place: Place = "cellStart";
  #rowsCut = 0;

  constructor({ start, delimiters }: ReadOrder) {
    this.#start = start;
    this.#offset = start;
    this.#delimiters = new Set(Buffer.from(delimiters));
  }

  push(chunk: Buffer): readonly CsvRow[] {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const rows = this.#cut(false);
    if (this.#rest.length > ROW_BYTES_MAX) {
      throw this.#fault(`is longer than ${ROW_BYTES_MAX} bytes; is a quote left open in it?`);
    }
    return rows;
  }

  end(): readonly CsvRow[] {
    const rows = this.#cut(true);
    if (this.#place === "quoted") throw this.#fault("opens a quote that is never closed.");
    if (this.#rest.length === 0) return rows;
    return [...rows, this.#take(this.#rest.length, "")];
  }

  #cut(isLast: boolean): CsvRow[] {
    const rows: CsvRow[] = [];
    let at = this.#seen;
    while (at < this.#rest.length) {
      const lineEnd = this.#lineEndAt(at, isLast);
      if (lineEnd === "unsure") break;
      if (lineEnd === undefined) at += 1;
      else {
        rows.push(this.#take(at, lineEnd));
        at = 0;
      }
    }
    this.#seen = at;
    return rows;
  }

  /** Scans one byte and returns the line end that begins with it. */
  #lineEndAt(at: number, isLast: boolean): string | undefined | "unsure" {
    const byte = this.#rest[at] as number;
    if (this.#place === "quoted") {
      if (byte === QUOTE) this.#place = "quoteInQuoted";
      return undefined;
    }
    if (byte === QUOTE && this.#place !== "bare") {
      this.#place = "quoted";
      return undefined;
    }
    if (byte === LF) return "\n";
    if (byte === CR) {
      if (at + 1 === this.#rest.length && !isLast) return "unsure";
      return this.#rest[at + 1] === LF ? "\r\n" : "\r";
    }
    this.#place = this.#delimiters.has(byte) ? "cellStart" : "bare";
    return undefined;
  }

  #take(length: number, lineEnd: string): CsvRow {
    const bytes = this.#rest.subarray(0, length);
    const taken = length + lineEnd.length;
    this.#rest = this.#rest.subarray(taken);
    this.#offset += taken;
    this.#place = "cellStart";
    this.#rowsCut += 1;
    return { bytes, lineEnd, end: this.#offset };
  }

  #fault(what: string): CsvFault {
    const from = this.#start < 4 ? "" : ` after byte ${this.#start}`;
    return new CsvFault(`Row ${this.#rowsCut + 1}${from} ${what}`);
  }
}

/** The cells of one row, without their quotes. */
export function splitCells(row: Buffer, delimiter: string): string[] {
  const text = row.toString("utf8");
  if (!text.includes('"')) return text.split(delimiter);
  const cells: string[] = [];
  let at = 0;
  for (;;) {
    const cell = readCell(text, at, delimiter);
    cells.push(cell.value);
    if (cell.end >= text.length) return cells;
    at = cell.end + 1;
  }
}

function readCell(text: string, start: number, delimiter: string): { readonly value: string; readonly end: number } {
  let value = "";
  let at = start;
  if (text[at] === '"') {
    const quoted = readQuoted(text, at);
    value = quoted.value;
    at = quoted.end;
  }
  // The text after a closing quote, or a cell without quotes.
  const found = text.indexOf(delimiter, at);
  const end = found === -1 ? text.length : found;
  return { value: value + text.slice(at, end), end };
}

function readQuoted(text: string, start: number): { readonly value: string; readonly end: number } {
  let value = "";
  let at = start + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote === -1) return { value: value + text.slice(at), end: text.length };
    value += text.slice(at, quote);
    if (text[quote + 1] !== '"') return { value, end: quote + 1 };
    value += '"';
    at = quote + 2;
  }
}

export function formatCells(cells: readonly string[], delimiter: string): string {
  return cells.map((cell) => formatCell(cell, delimiter)).join(delimiter);
}

function formatCell(cell: string, delimiter: string): string {
  const isBare = !cell.includes(delimiter) && !/["\r\n]/.test(cell);
  return isBare ? cell : `"${cell.replaceAll('"', '""')}"`;
}
