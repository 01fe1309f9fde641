// Reads the numbers of a CSV file and appends the results to its lines. The file never leaves the browser; only its
// numbers are sent.

export interface CsvFile {
  readonly name: string;
  readonly header: readonly string[] | undefined;
  readonly rows: readonly (readonly string[])[];
  /** The column with the numbers. */
  readonly column: number;
}

export const ROWS_MAX = 100_000;

const isNumber = (cell: string) => /^\+?[\d\s().-]{7,20}$/.test(cell.trim());

/** Returns a sentence if the file cannot be used. */
export function readCsv(name: string, text: string): CsvFile | string {
  const rows = cellsOf(text).filter((row) => row.some((cell) => cell.trim() !== ""));
  if (rows.length === 0) return "The file is empty.";
  if (rows.length > ROWS_MAX)
    return `The file has ${rows.length} lines; ${ROWS_MAX} are allowed. Use tandem lookup --csv.`;
  const sample = rows.slice(0, 20);
  const width = Math.max(...sample.map((row) => row.length));
  const counts = Array.from({ length: width }, (_, at) => sample.filter((row) => isNumber(row[at] ?? "")).length);
  const most = Math.max(...counts);
  if (most === 0) return "No column of the file holds telephone numbers.";
  const column = counts.indexOf(most);
  const isHeaded = !isNumber(rows[0]?.[column] ?? "");
  return { name, header: isHeaded ? rows[0] : undefined, rows: isHeaded ? rows.slice(1) : rows, column };
}

/** RFC 4180, with any line ending; an unclosed quote ends with the file. */
function cellsOf(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = "";
  let isQuoted = false;
  const endCell = () => {
    row.push(cell);
    cell = "";
  };
  for (let at = text.startsWith("\uFEFF") ? 1 : 0; at < text.length; at++) {
    const char = text[at] as string;
    if (isQuoted) {
      if (char !== '"') cell += char;
      else if (text[at + 1] === '"') cell += text[++at];
      else isQuoted = false;
    } else if (char === '"' && cell === "") isQuoted = true;
    else if (char === "," || char === ";") endCell();
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

export function writeCsv(lines: readonly (readonly string[])[]): string {
  return lines.map((line) => line.map(written).join(",")).join("\r\n");
}

/** Escapes a cell that a spreadsheet would read as a formula; a number with its plus is not one. */
function written(cell: string): string {
  const safe = /^[=@\t]|^[+-](?![\d])/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n;]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
