// CSV files of the portal's lookup: how their encoding, delimiter and column are found, and how the answers are saved.

import { expect, test } from "vitest";
import { type CsvChoice, type CsvFile, readCsv, type Weigh, writeCsv } from "../../portal/src/screens/lookup/csv.ts";
import { parseNumber } from "../../rules/numbers/parse-number.ts";

const weigh: Weigh = (cell) => {
  const parsed = parseNumber(cell.trim(), "US");
  if (!parsed.ok) return 0;
  return parsed.value.planType === undefined ? 1 : 2;
};
const utf8 = (text: string) => new TextEncoder().encode(text);
const latin1 = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0));

function read(bytes: Uint8Array, choice?: CsvChoice): CsvFile {
  const csv = readCsv("people.csv", bytes, weigh, choice);
  if (typeof csv === "string") throw new Error(csv);
  return csv;
}

test.each([
  [",", "name,phone\nAnn,+14155550100\nBo,+14155550101"],
  [";", "name;phone\nAnn, née B.;+14155550100\nBo;+14155550101"],
  ["\t", "name\tphone\nAnn, Bo\t+14155550100\nBo\t+14155550101"],
  ["|", "name|phone\nAnn|+14155550100\nBo|+14155550101"],
])("finds the delimiter %j", (delimiter, text) => {
  expect(read(utf8(text))).toMatchObject({ delimiter, column: 1, header: ["name", "phone"] });
});

test("finds the encoding, with and without a mark of it", () => {
  const text = "nom;tél\nJosé;+14155550100";
  expect(read(utf8(text))).toMatchObject({ encoding: "UTF-8", rows: [["José", "+14155550100"]] });
  expect(read(utf8(`\uFEFF${text}`))).toMatchObject({ encoding: "UTF-8", header: ["nom", "tél"] });
  expect(read(latin1(text))).toMatchObject({ encoding: "Latin-1", rows: [["José", "+14155550100"]] });
  const wide = new Uint8Array(Uint16Array.from(`\uFEFF${text}`, (char) => char.charCodeAt(0)).buffer);
  expect(read(wide)).toMatchObject({ encoding: "UTF-16", rows: [["José", "+14155550100"]] });
});

test("takes for a number what the server would: the account's numbers without a plus, no dates and no ids", () => {
  const text = "id,since,phone\n1234567,2026-01-31,(415) 555-0100\n1234568,2026-02-01,415.555.0101";
  expect(read(utf8(text)).column).toBe(2);
});

test("obeys a choice", () => {
  const text = "work,home\n+14155550100,+14155550101\n+14155550102,";
  expect(read(utf8(text)).column).toBe(0);
  expect(read(utf8(text), { column: 1 })).toMatchObject({ column: 1, header: ["work", "home"] });
  expect(read(utf8(text), { delimiter: ";", column: 0 }).rows).toHaveLength(2);
  expect(read(latin1("tél\n+14155550100"), { encoding: "UTF-8" }).header?.[0]).toContain("\uFFFD");
});

test("says why a file cannot be used", () => {
  expect(readCsv("empty.csv", utf8("\n\n"), weigh)).toBe("The file is empty.");
  expect(readCsv("names.csv", utf8("a,b\nc,d"), weigh)).toBe("No column of the file holds telephone numbers.");
});

test("keeps quoted delimiters, quotes and lines in the file that is saved", () => {
  const text = 'name;phone\r\n"Ann; ""the boss""\r\nSmith";+14155550100';
  const csv = read(utf8(text));
  expect(writeCsv([csv.header ?? [], ...csv.rows], csv.delimiter)).toBe(text);
  expect(writeCsv([["=cmd()", "+1415"]], ",")).toBe("'=cmd(),+1415");
});
