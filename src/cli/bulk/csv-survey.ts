// Reads the input once before any request: finds its layout and number of rows, checks that every row can be read, and
// computes a digest by which a later run recognises the file.

import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { UsageError } from "../exit-codes.ts";
import { type ColumnChoice, type CsvLayout, DELIMITERS, detectLayout } from "./csv-columns.ts";
import { type CsvRow, readCsvRows, splitCells } from "./csv-rows.ts";

export interface CsvSurvey {
  readonly layout: CsvLayout;
  /** What precedes the rows: a byte order mark and the header. */
  readonly preamble: { readonly mark: Buffer; readonly header: CsvRow | undefined };
  /** The offset of the first row in the file. */
  readonly rowsStart: number;
  /** Without header and blank lines. */
  readonly rowCount: number;
  /** SHA-256 of the file. */
  readonly digest: string;
}

const UTF8_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const UTF16_MARKS = [Buffer.from([0xff, 0xfe]), Buffer.from([0xfe, 0xff])];

/** `name`: the file's name in messages. */
export async function surveyCsv(path: string, column: ColumnChoice, name = path): Promise<CsvSurvey> {
  const mark = await readMark(path, name);
  const first = await firstRow(path, mark.length, name);
  const layout = detectLayout(first.bytes, column);
  const hash = createHash("sha256").update(mark);
  let rowCount = 0;
  for await (const rows of readCsvRows(path, { start: mark.length, delimiters: layout.delimiter })) {
    for (const row of rows) {
      hash.update(row.bytes).update(row.lineEnd);
      if (row.bytes.length > 0) rowCount += 1;
    }
  }
  return {
    layout,
    preamble: { mark, header: layout.hasHeader ? first : undefined },
    rowsStart: layout.hasHeader ? first.end : mark.length,
    rowCount: layout.hasHeader ? rowCount - 1 : rowCount,
    digest: hash.digest("hex"),
  };
}

/** Names of the columns; empty without a header. */
export function columnNames({ layout, preamble }: CsvSurvey): readonly string[] {
  if (!preamble.header) return new Array<string>(layout.width).fill("");
  return splitCells(preamble.header.bytes, layout.delimiter);
}

async function readMark(path: string, name: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(3), 0, 3, 0);
    const head = buffer.subarray(0, bytesRead);
    if (UTF16_MARKS.some((mark) => head.subarray(0, 2).equals(mark))) {
      throw new UsageError(`${name} is in UTF-16; save it as CSV in UTF-8.`);
    }
    return head.equals(UTF8_MARK) ? UTF8_MARK : Buffer.alloc(0);
  } finally {
    await file.close();
  }
}

async function firstRow(path: string, start: number, name: string): Promise<CsvRow> {
  for await (const rows of readCsvRows(path, { start, delimiters: DELIMITERS.join("") })) {
    const [row] = rows;
    if (row && row.bytes.length > 0) return row;
    if (row) break;
  }
  throw new UsageError(`${name} has no first row: it is empty or begins with a blank line.`);
}
