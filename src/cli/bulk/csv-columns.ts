// Detects the layout of a CSV file from its first row: the delimiter, whether that row is a header, and the column of
// the numbers.

import { UsageError } from "../exit-codes.ts";
import { splitCells } from "./csv-rows.ts";

/** The most common first; a tie goes to the earlier one. */
export const DELIMITERS = [",", ";", "\t", "|"] as const;

/** In lower case, letters and digits only; the first one found wins. */
const NUMBER_COLUMNS = [
  "number",
  "phonenumber",
  "phone",
  "e164",
  "msisdn",
  "mobilenumber",
  "mobile",
  "mobilephone",
  "cell",
  "cellphone",
  "telephone",
  "telephonenumber",
  "tel",
  "telefon",
  "phoneno",
  "to",
  "recipient",
];

export interface CsvLayout {
  readonly delimiter: string;
  readonly hasHeader: boolean;
  /** Index of the column of numbers. */
  readonly column: number;
  /** Number of columns in the first row, and so in every row. */
  readonly width: number;
}

/** The column of the numbers by name or position, and the option that gives it. */
export interface ColumnChoice {
  readonly wanted: string | undefined;
  readonly option: string;
}

export function detectLayout(firstRow: Buffer, { option, wanted }: ColumnChoice): CsvLayout {
  const delimiter = delimiterOf(firstRow);
  const cells = splitCells(firstRow, delimiter);
  const column = wanted === undefined ? guessColumn(cells, option) : findColumn(cells, wanted);
  return { delimiter, hasHeader: !looksLikeNumber(cells[column] ?? ""), column, width: cells.length };
}

export function delimiterOf(row: Buffer): string {
  const counts = DELIMITERS.map((delimiter) => splitCells(row, delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ",";
}

/** By name, or by position from 1. */
export function findColumn(cells: readonly string[], wanted: string): number {
  const same = places(cells, (cell) => cell.trim().toLowerCase() === wanted.trim().toLowerCase());
  if (same.length > 1) {
    const positions = same.map((place) => place + 1).join(" and ");
    throw new UsageError(`Columns ${positions} are both called ${wanted}; say which by its position.`);
  }
  const [named] = same;
  if (named !== undefined) return named;
  const position = /^\d{1,4}$/.test(wanted) ? Number(wanted) : 0;
  if (position >= 1 && position <= cells.length) return position - 1;
  throw new UsageError(`There is no column ${wanted}; ${namesOf(cells)}.`);
}

function guessColumn(cells: readonly string[], option: string): number {
  const names = cells.map((cell) => cell.toLowerCase().replace(/[^a-z0-9]/g, ""));
  const name = NUMBER_COLUMNS.find((known) => names.includes(known));
  if (name !== undefined) return names.indexOf(name);
  const [number, second] = places(cells, looksLikeNumber);
  if (number !== undefined && second === undefined) return number;
  throw new UsageError(
    number === undefined
      ? `No column is called number or phone; ${namesOf(cells)}. Say which holds the numbers with ${option} NAME.`
      : `More than one column looks like phone numbers; say which with ${option} POSITION.`,
  );
}

function namesOf(cells: readonly string[]): string {
  const names = cells.slice(0, 20).map((cell) => cell.trim().slice(0, 40));
  return `the columns are: ${names.join(", ")}${cells.length > names.length ? ", …" : ""}`;
}

function places(cells: readonly string[], isWanted: (cell: string) => boolean): number[] {
  return cells.flatMap((cell, at) => (isWanted(cell) ? [at] : []));
}

function looksLikeNumber(cell: string): boolean {
  const digits = cell.replace(/\D/g, "").length;
  return /^\s*(\+|tel:\+?)?[\d\s().\-/]+$/i.test(cell) && digits >= 7 && digits <= 15;
}
