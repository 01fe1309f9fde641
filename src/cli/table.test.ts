import { expect, test } from "vitest";
import { formatTable } from "./table.ts";

const header = ["Number", "Carrier"];

test("columns are aligned and lines end without spaces", () => {
  const rows = [
    ["+1", "A"],
    ["+14154740200", ""],
  ];
  expect(formatTable({ header, rows, isTerminal: false })).toBe(
    "Number        Carrier\n+1            A\n+14154740200\n",
  );
});

test("a terminal gets a ruled head", () => {
  const text = formatTable({ header, rows: [["+1", "A"]], isTerminal: true });
  expect(text).toBe("\u001b[1mNumber  Carrier\u001b[0m\n──────  ───────\n+1      A\n");
});

test("wide characters keep the columns aligned", () => {
  const rows = [
    ["中国", "x"],
    ["abc", "y"],
  ];
  expect(formatTable({ header: ["N", "C"], rows, isTerminal: false })).toBe("N     C\n中国  x\nabc   y\n");
});

test("a name cannot steer the terminal", () => {
  expect(formatTable({ header: ["N"], rows: [["\u001b[2Jx\n"]], isTerminal: true })).toContain("�[2Jx�\n");
});
