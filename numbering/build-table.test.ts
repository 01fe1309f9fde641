import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openNumberingTable } from "../src/domain/lookup/numbering-table.ts";
import { buildTable } from "./build-table.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "numbering-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const layer = (name: string, kind: string, prefixes: string, operators?: string, optional?: boolean) => {
  return { name, kind, date: "2026-09-03", licence: "none", prefixes, operators, optional };
};

const SOUND: Readonly<Record<string, string>> = {
  "sources.json": JSON.stringify({
    layers: [
      layer("old", "nanp", "old.csv", "operators.csv", true),
      layer("new", "nanp", "new.csv", "operators.csv"),
      layer("world", "mobile-carriers", "world.csv"),
    ],
  }),
  "old.csv": "prefix,operator_id\n212555,1\n787202,1\n",
  "new.csv": "prefix,operator_id\n2125551,2\n",
  "operators.csv":
    'id,registry_name,display_name,line_type,basis,source\n1,"OLD ""BELL"", INC.","Old ""Bell"", Inc.",Landline,rule,2014\n2,NEW,New Mobile,Wireless,rule,2026\n',
  "world.csv": "prefix,carrier\n1659200,Stray\n1787202,Stray\n1876210,Island Mobile\n4915,Rhein Mobil\n",
};

function write(files: Readonly<Record<string, string | Buffer>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
}

it("takes places as they are, in North America too", () => {
  const places = layer("places", "places", "places.csv");
  write({ "sources.json": JSON.stringify({ layers: [places] }), "places.csv": PLACES });
  const placeOf = (number: string) => built().holderOf(number)?.carrierName;
  expect(placeOf("+14152021234")).toBe("San Francisco, CA");
  expect(placeOf("+14159991234")).toBe("California");
  expect(placeOf("+442071234567")).toBeUndefined();
});

const PLACES = 'prefix,place\n1415,California\n1415202,"San Francisco, CA"\n';

function built() {
  const table = openNumberingTable(buildTable(folder).bytes);
  if (!table.ok) throw new Error(table.refusal.reason);
  return table.value;
}

describe("building the table", () => {
  it("lets newer and longer blocks win and keeps quoted names whole", () => {
    write(SOUND);
    const table = built();
    expect(table.holderOf("+12125550100")).toMatchObject({ carrierName: 'Old "Bell", Inc.', lineType: "Landline" });
    expect(table.holderOf("+12125551100")).toMatchObject({ carrierName: "New Mobile", lineType: "Wireless" });
    expect(table.holderOf("+4915112345678")?.carrierName).toBe("Rhein Mobil");
  });

  it("leaves US and Puerto Rican area codes to the NANP lists, not those of other islands", () => {
    write(SOUND);
    const table = built();
    expect(table.holderOf("+16592001234")).toBeUndefined();
    expect(table.holderOf("+17872021234")?.carrierName).toBe('Old "Bell", Inc.');
    expect(table.holderOf("+18762101234")?.carrierName).toBe("Island Mobile");
    expect(buildTable(folder).counts.at(-1)).toMatchObject({ rows: 2, skipped: 2 });
  });

  it("reads gzipped sources, and a plain file dropped in beside one instead of it", () => {
    write({ ...SOUND, "world.csv.gz": gzipSync("prefix,carrier\n4916,Packed\n") });
    expect(built().holderOf("+4916012345678")).toBeUndefined();
    rmSync(join(folder, "world.csv"));
    expect(built().holderOf("+4916012345678")?.carrierName).toBe("Packed");
  });

  it("does without an optional layer that is not there", () => {
    write(SOUND);
    rmSync(join(folder, "old.csv"));
    expect(built().layers.map(({ name }) => name)).toEqual(["new", "world"]);
  });

  it("makes equal bytes of equal sources", () => {
    write(SOUND);
    expect(buildTable(folder).bytes).toEqual(buildTable(folder).bytes);
  });

  it.each([
    ["a prefix of letters", { "new.csv": "prefix,operator_id\n2125551,2\n21x5551,2\n" }, /new\.csv:3: "21x5551"/],
    ["a block of five digits", { "new.csv": "prefix,operator_id\n21255,2\n" }, /new\.csv:2: .*6 or 7 digits/],
    [
      "an unknown operator",
      { "new.csv": "prefix,operator_id\n2125551,77\n" },
      /new\.csv:2: no operator has the id "77"/,
    ],
    ["a prefix named twice", { "new.csv": "prefix,operator_id\n2125551,2\n2125551,1\n" }, /new\.csv:3: .* twice/],
    ["a missing cell", { "world.csv": "prefix,carrier\n4915\n" }, /world\.csv:2: 1 cells instead of 2/],
    ["an empty name", { "world.csv": "prefix,carrier\n4915, \n" }, /world\.csv:2: carrier is empty/],
    ["an open quote", { "world.csv": 'prefix,carrier\n4915,"Rhein\n' }, /world\.csv:2: a quote is not closed/],
    [
      "another header",
      { "world.csv": "code,name\n4915,Rhein\n" },
      /world\.csv:1: expected the header "prefix,carrier"/,
    ],
    ["no rows", { "world.csv": "prefix,carrier\n" }, /world\.csv: no rows/],
    [
      "a line type of its own",
      { "operators.csv": `${SOUND["operators.csv"]}3,X,X,Telegraph,rule,2026\n` },
      /operators\.csv:4/,
    ],
    ["an empty file", { "world.csv": "" }, /world\.csv:1: expected the header/],
    ["a list that is not JSON", { "sources.json": "{" }, /sources\.json: not JSON/],
    ["a layer without a date", { "sources.json": '{"layers":[{"name":"x","kind":"nanp"}]}' }, /layer 1: "date"/],
  ])("refuses %s, naming file and line", (_, files, message) => {
    write({ ...SOUND, ...files });
    expect(() => buildTable(folder)).toThrow(message);
  });

  it("refuses a broken archive", () => {
    write({ ...SOUND, "world.csv.gz": gzipSync(SOUND["world.csv"] ?? "").subarray(0, 30) });
    rmSync(join(folder, "world.csv"));
    expect(() => buildTable(folder)).toThrow(/world\.csv\.gz: cannot be read/);
  });

  it("refuses a folder without a required file", () => {
    write(SOUND);
    rmSync(join(folder, "new.csv"));
    expect(() => buildTable(folder)).toThrow(/new\.csv: missing/);
  });
});
