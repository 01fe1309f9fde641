// Real numbers of many countries, checked against numbering plans and public assignments, with the table built from the
// sources that ship. In the list an empty country or carrier is not checked; carrier "-" means none.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { buildTable } from "../../numbering/build-table.ts";
import { systemClock } from "../../src/base/clock.ts";
import {
  type LookupDeps,
  lookUpNumber,
  newAnswerCache,
  openNumberingTable,
  parseNumber,
} from "../../src/domain/lookup/index.ts";

const SOURCES = join(import.meta.dirname, "..", "..", "numbering", "sources");

const rows = readFileSync(join(import.meta.dirname, "lookup-numbers.csv"), "utf8")
  .trimEnd()
  .split("\n")
  .slice(1)
  .map((line) => {
    const [number = "", country = "", type = "", status = "", carrier = "", note = ""] = line.split(",");
    return { number, country, type, status, carrier, note };
  });

const REFUSED = [
  "",
  " ",
  "+",
  "++14155550123",
  "abc",
  "+1800FLOWERS",
  "1-800-COLLECT",
  "+1415555012a",
  "+14155550123 ext 5",
  "+14155550123,5",
  "+1415_555_0123",
  "tel:+14155550123",
  "sip:+14155550123@example.com",
  "＋14155550123",
  "+1４155550123",
  "+٤٤٢٠٧١٨٣٨٧٥٠",
  "+1415\u20115550123",
  "+1415\u00005550123",
  "\ud800\udc00",
  "\udfff",
  "null",
  "911",
  "112",
  "+1",
  "+1911",
  "+1415555",
  "+141555501",
  "+141555501234",
  "004915112345678",
  "0151123456789",
  "+999123456789",
  "+210123456789",
  "+0123456789",
  "+44123",
  "+4915",
  "+3361234567",
  "+5215512345678",
  "+1234567890123456",
  "123456789012345678901234567890",
];

let artefact = new Uint8Array();
let deps: LookupDeps;

beforeAll(() => {
  artefact = new Uint8Array(buildTable(SOURCES).bytes);
  const table = openNumberingTable(artefact);
  if (!table.ok) throw new Error(table.refusal.reason);
  deps = {
    clock: systemClock,
    known: { find: async () => undefined, remember: async () => {} },
    table: table.value,
    providers: [],
    recent: newAnswerCache(0),
    onFault: (fault) => expect.fail(JSON.stringify(fault)),
  };
});

describe("the list of numbers", () => {
  it("is long and wide enough to mean something", () => {
    const count = (country: string, type: string) => {
      return rows.filter((row) => row.country === country && row.type === type).length;
    };
    expect(rows.length).toBeGreaterThanOrEqual(220);
    expect(new Set(rows.map(({ number }) => number)).size).toBe(rows.length);
    expect(new Set(rows.map(({ country }) => country)).size).toBeGreaterThan(65);
    for (const type of ["Wireless", "Landline", "VoIP"]) expect(count("US", type), type).toBeGreaterThanOrEqual(15);
  });
});

describe("a lookup with the shipped table", () => {
  it.each(rows)("of $number ($country: $note) says $type and $status", async (row) => {
    const result = await lookUpNumber(deps, row.number);
    if (!result.ok) throw new Error(result.refusal.reason);
    const { info, source } = result.value;
    expect(source).toBe("table");
    expect({ number: info.number, type: info.type, status: info.status }).toEqual({
      number: row.number,
      type: row.type,
      status: row.status,
    });
    if (row.carrier) expect(info.carrierName).toBe(row.carrier === "-" ? null : row.carrier);
    const parsed = parseNumber(row.number);
    if (row.country) expect(parsed.ok && parsed.value.country).toBe(row.country);
  });

  it.each(REFUSED)("refuses %j", async (input) => {
    const result = await lookUpNumber(deps, input);
    expect(result).toEqual({ ok: false, refusal: { reason: expect.stringMatching(/^The number .+\.$/) } });
  });
});

describe("the shipped artefact", () => {
  it("is refused when cut short anywhere", () => {
    fc.assert(
      fc.property(fc.nat(artefact.length - 1), (length) => {
        expect(openNumberingTable(artefact.subarray(0, length)).ok).toBe(false);
      }),
    );
  });

  it("is refused when any one byte is changed", () => {
    const changed = artefact.slice();
    fc.assert(
      fc.property(fc.nat(artefact.length - 1), fc.integer({ min: 1, max: 255 }), (at, bits) => {
        const before = changed[at] ?? 0;
        changed[at] = before ^ bits;
        const isOpened = openNumberingTable(changed).ok;
        changed[at] = before;
        expect(isOpened, `byte ${at}`).toBe(false);
      }),
    );
  });

  it("tells how old each of its layers is", () => {
    const table = openNumberingTable(artefact);
    expect(table.ok && table.value.layers.map(({ name, date }) => `${name} ${date}`)).toEqual([
      "nanp-2014 2014-02-01",
      "nanp-2026 2026-09-03",
      "gb-2026 2026-09-02",
      "world-mobile 2026-07-30",
    ]);
  });
});
