// Reads the numbers of a CSV file and appends the results to its lines. Encoding, delimiter and the column with the
// numbers are found by looking at the file, and can be chosen. The file never leaves the browser; only its numbers are
// sent.

export const ENCODINGS = ["UTF-8", "UTF-16", "Latin-1"] as const;
export type Encoding = (typeof ENCODINGS)[number];

export const DELIMITERS = [",", ";", "\t", "|"] as const;
export type Delimiter = (typeof DELIMITERS)[number];

export interface CsvFile {
  readonly name: string;
  readonly encoding: Encoding;
  readonly delimiter: Delimiter;
  readonly header: readonly string[] | undefined;
  readonly rows: readonly (readonly string[])[];
  /** The column with the numbers. */
  readonly column: number;
}

/** What was chosen instead of what would be found. */
export type CsvChoice = Partial<Pick<CsvFile, "encoding" | "delimiter" | "column">>;

export const ROWS_MAX = 100_000;
const SAMPLE = 20;

/** By the rule of the server: 2 for a valid telephone number, 1 for a possible one, 0 for anything else. */
export type Weigh = (cell: string) => 0 | 1 | 2;

/** Returns a sentence if the file cannot be used. */
export function readCsv(name: string, bytes: Uint8Array, weigh: Weigh, choice: CsvChoice = {}): CsvFile | string {
  const encoding = choice.encoding ?? encodingOf(bytes);
  const text = decoded(bytes, encoding);
  const delimiter = choice.delimiter ?? delimiterOf(text);
  const rows = cellsOf(text, delimiter).filter((row) => row.some((cell) => cell.trim() !== ""));
  if (rows.length === 0) return "The file is empty.";
  if (rows.length > ROWS_MAX)
    return `The file has ${rows.length} lines; ${ROWS_MAX} are allowed. Use tandem lookup --csv.`;
  const sample = rows.slice(0, SAMPLE);
  const width = Math.max(...sample.map((row) => row.length));
  const weights = Array.from({ length: width }, (_, at) => sample.reduce((sum, row) => sum + weigh(row[at] ?? ""), 0));
  const most = Math.max(...weights);
  if (most === 0 && Object.keys(choice).length === 0) return "No column of the file holds telephone numbers.";
  const column = choice.column ?? weights.indexOf(most);
  const isHeaded = weigh(rows[0]?.[column] ?? "") === 0;
  return {
    name,
    encoding,
    delimiter,
    header: isHeaded ? rows[0] : undefined,
    rows: isHeaded ? rows.slice(1) : rows,
    column,
  };
}

/** What is no UTF-8 is taken for the encoding of Western spreadsheets. */
function encodingOf(bytes: Uint8Array): Encoding {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return "UTF-16";
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return "UTF-8";
  } catch {
    return "Latin-1";
  }
}

function decoded(bytes: Uint8Array, encoding: Encoding): string {
  const isBigEndian = bytes[0] === 0xfe && bytes[1] === 0xff;
  const label = { "UTF-8": "utf-8", "UTF-16": isBigEndian ? "utf-16be" : "utf-16le", "Latin-1": "windows-1252" };
  return new TextDecoder(label[encoding]).decode(bytes);
}

const SAMPLE_CHARACTERS = 10_000;

/** The one that splits the first lines into the most cells, the same number in each line if possible. */
function delimiterOf(text: string): Delimiter {
  const sample = text.slice(0, SAMPLE_CHARACTERS);
  const scored = DELIMITERS.map((delimiter) => {
    const widths = cellsOf(sample, delimiter)
      .slice(0, SAMPLE)
      .map((row) => row.length)
      .filter((width) => width > 1);
    const most = Math.max(0, ...widths);
    return { delimiter, score: widths.filter((width) => width === most).length * Math.min(most, 50) };
  });
  return scored.reduce((best, next) => (next.score > best.score ? next : best)).delimiter;
}

/** RFC 4180, with any line ending; an unclosed quote ends with the file. */
function cellsOf(text: string, delimiter: Delimiter): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = "";
  let isQuoted = false;
  const endCell = () => {
    row.push(cell);
    cell = "";
  };
  for (let at = 0; at < text.length; at++) {
    const char = text[at] as string;
    if (isQuoted) {
      if (char !== '"') cell += char;
      else if (text[at + 1] === '"') cell += text[++at];
      else isQuoted = false;
    } else if (char === '"' && cell === "") isQuoted = true;
    else if (char === delimiter) endCell();
    else if (char === "\n") {
      endCell();
      rows.push(row);
      row = [];
    } else if (char !== "\r") cell += char;
  }
  endCell();
  rows.push(row);
  return rows;
}

/** With the delimiter of the file that was read; a cell that holds it is quoted. */
export function writeCsv(lines: readonly (readonly string[])[], delimiter: Delimiter): string {
  return lines.map((line) => line.map((cell) => written(cell, delimiter)).join(delimiter)).join("\r\n");
}

/** Escapes a cell that a spreadsheet would read as a formula; a number with its plus is not one. */
function written(cell: string, delimiter: Delimiter): string {
  const safe = /^[=@\t]|^[+-](?![\d])/.test(cell) ? `'${cell}` : cell;
  return /["\r\n]/.test(safe) || safe.includes(delimiter) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
