import { expect, test } from "vitest";
import { UsageError } from "../exit-codes.ts";
import { detectLayout } from "./csv-columns.ts";

const lay = (row: string, column?: string) => detectLayout(Buffer.from(row), { wanted: column, option: "--column" });

test.each([
  ["name,phone,city", { delimiter: ",", hasHeader: true, column: 1, width: 3 }],
  ["Name;Phone Number", { delimiter: ";", hasHeader: true, column: 1, width: 2 }],
  ["name\tMOBILE", { delimiter: "\t", hasHeader: true, column: 1, width: 2 }],
  ['"a, b";"E.164"', { delimiter: ";", hasHeader: true, column: 1, width: 2 }],
  ["from,to,text", { delimiter: ",", hasHeader: true, column: 1, width: 3 }],
  ["number", { delimiter: ",", hasHeader: true, column: 0, width: 1 }],
  ["phone,number", { delimiter: ",", hasHeader: true, column: 1, width: 2 }],
  ["+14154740200", { delimiter: ",", hasHeader: false, column: 0, width: 1 }],
  ["Ann,+1 (415) 474-0200,7", { delimiter: ",", hasHeader: false, column: 1, width: 3 }],
])("the layout of %s is found", (row, layout) => {
  expect(lay(row)).toEqual(layout);
});

test.each([
  ["a,Kontakt", "kontakt", { hasHeader: true, column: 1 }],
  ["a,Kontakt", "2", { hasHeader: true, column: 1 }],
  ["+14154740200,+14154740201", "2", { hasHeader: false, column: 1 }],
])("of %s the column %s is taken when asked for", (row, column, layout) => {
  expect(lay(row, column)).toMatchObject(layout);
});

test.each([
  ["name,city", undefined, "the columns are: name, city. Say which holds the numbers with --column NAME."],
  ["+14154740200,+14154740201", undefined, "--column POSITION"],
  ["name,phone", "mobile", "There is no column mobile; the columns are: name, phone."],
  ["name,phone", "3", "There is no column 3"],
  ["tel,Tel", "tel", "Columns 1 and 2 are both called tel"],
])("of %s asked for %s the fault is reported", (row, column, message) => {
  expect(() => lay(row, column)).toThrow(UsageError);
  expect(() => lay(row, column)).toThrow(message);
});
