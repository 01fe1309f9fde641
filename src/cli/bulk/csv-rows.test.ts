import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CsvFault, type CsvRow, formatCells, ROW_BYTES_MAX, RowSplitter, splitCells } from "./csv-rows.ts";

function cut(chunks: readonly (Buffer | string)[]): CsvRow[] {
  const cutter = new RowSplitter({ start: 0, delimiters: "," });
  return [...chunks.flatMap((chunk) => cutter.push(Buffer.from(chunk))), ...cutter.end()];
}

const texts = (rows: readonly CsvRow[]) => rows.map(({ bytes }) => bytes.toString());

describe("cutting rows", () => {
  test.each([
    ["line feeds", "a,b\nc,d\n", ["a,b", "c,d"]],
    ["carriage returns and line feeds", "a,b\r\nc,d\r\n", ["a,b", "c,d"]],
    ["carriage returns alone", "a\rb", ["a", "b"]],
    ["a last line without an end", "a\nb", ["a", "b"]],
    ["blank lines", "a\n\nb\n", ["a", "", "b"]],
    ["line ends within quotes", '"a\r\nb",c\nd\n', ['"a\r\nb",c', "d"]],
    ["doubled quotes", '"a ""b""\n",c\nd', ['"a ""b""\n",c', "d"]],
    ["a quote in the middle of a cell is only a character", '5" pipe,x\ny', ['5" pipe,x', "y"]],
    ["text after a closing quote", '"a"b,c\nd', ['"a"b,c', "d"]],
    ["nothing", "", []],
  ])("%s", (_, text, rows) => {
    expect(texts(cut([text]))).toEqual(rows);
  });

  test("a line end may fall between two reads", () => {
    const rows = cut(["a\r", "\nb\r", "c"]);
    expect(texts(rows)).toEqual(["a", "b", "c"]);
    expect(rows.map(({ end }) => end)).toEqual([3, 5, 6]);
  });

  test("a quote that is never closed is reported with its row", () => {
    expect(() => cut(['a\n"b\nc\n'])).toThrow(new CsvFault("Row 2 opens a quote that is never closed."));
  });

  test("a row without an end is not kept in memory for ever", () => {
    const cutter = new RowSplitter({ start: 0, delimiters: "," });
    cutter.push(Buffer.alloc(ROW_BYTES_MAX, "a"));
    expect(() => cutter.push(Buffer.from("a"))).toThrow(CsvFault);
  });

  test("whatever the bytes and however they arrive, none is lost", () => {
    const byte = fc.oneof(fc.constantFrom(...Buffer.from('",\r\n')), fc.nat(255));
    const chunk = fc.array(byte, { maxLength: 8 }).map((bytes) => Buffer.from(bytes));
    fc.assert(
      fc.property(fc.array(chunk, { maxLength: 12 }), (chunks) => {
        const whole = Buffer.concat(chunks);
        let rows: CsvRow[];
        try {
          rows = cut(chunks);
        } catch (error) {
          expect(error).toBeInstanceOf(CsvFault);
          expect(() => cut([whole])).toThrow(CsvFault);
          return;
        }
        expect(Buffer.concat(rows.flatMap(({ bytes, lineEnd }) => [bytes, Buffer.from(lineEnd)]))).toEqual(whole);
        expect(rows).toEqual(cut([whole]));
        expect(rows.at(-1)?.end ?? 0).toBe(whole.length);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("cells", () => {
  test.each([
    ["a,,b", ["a", "", "b"]],
    ["", [""]],
    [",", ["", ""]],
    ['"a,b",c', ["a,b", "c"]],
    ['"a ""b""",', ['a "b"', ""]],
    ['"a"b,5" pipe', ["ab", '5" pipe']],
  ])("%s", (row, cells) => {
    expect(splitCells(Buffer.from(row), ",")).toEqual(cells);
  });

  test("what is written reads back as it was", () => {
    const cell = fc.oneof(fc.string(), fc.constantFrom('"', ",", ";", "\r\n", '""', "a;b"));
    fc.assert(
      fc.property(fc.array(cell, { minLength: 1 }), fc.constantFrom(",", ";", "\t"), (cells, delimiter) => {
        expect(splitCells(Buffer.from(formatCells(cells, delimiter)), delimiter)).toEqual(cells);
      }),
    );
  });
});
