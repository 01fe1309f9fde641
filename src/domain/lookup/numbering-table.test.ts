import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeTable } from "../../../numbering/encode-table.ts";
import { paintIntervals } from "../../../numbering/paint-intervals.ts";
import { openNumberingTable } from "./numbering-table.ts";

const header = {
  layers: [
    { name: "old", date: "2014-02-01", licence: "none" },
    { name: "new", date: "2026-09-03", licence: "none" },
  ],
  holders: [
    { carrierName: "Alpha", lineType: "Wireless" as const, layer: 0 },
    { carrierName: "Béta", layer: 1 },
  ],
};
const artefact = encodeTable(
  header,
  paintIntervals([
    { prefix: "1212555", holder: 1, rank: 0 },
    { prefix: "12125551", holder: 2, rank: 1 },
    { prefix: "447", holder: 2, rank: 1 },
  ]),
);

function opened(bytes: Uint8Array) {
  const table = openNumberingTable(bytes);
  if (!table.ok) throw new Error(table.refusal.reason);
  return table.value;
}

function reasonFor(bytes: Uint8Array): string {
  const table = openNumberingTable(bytes);
  return table.ok ? "opened" : table.refusal.reason;
}

describe("a numbering table", () => {
  it("names the holder of the block a number is in, with the date of that layer", () => {
    const table = opened(artefact);
    expect(table.holderOf("+12125550100")).toEqual({
      carrierName: "Alpha",
      lineType: "Wireless",
      asOf: new Date("2014-02-01"),
    });
    expect(table.holderOf("+12125551100")?.carrierName).toBe("Béta");
    expect(table.holderOf("447700900123")?.lineType).toBeUndefined();
  });

  it("knows nobody outside every block, before the first and after the last", () => {
    const table = opened(artefact);
    for (const number of [
      "+12125560100",
      "+12125540100",
      "+1",
      "+999999999999999",
      "+0",
      "",
      "+",
      "abc",
      "+1234567890123456",
    ]) {
      expect(table.holderOf(number), number).toBeUndefined();
    }
  });

  it("is as old as its newest layer", () => {
    expect(opened(artefact).asOf).toEqual(new Date("2026-09-03"));
  });

  it("opens at any place in a larger buffer", () => {
    for (let offset = 0; offset < 9; offset++) {
      const larger = new Uint8Array(artefact.length + 16);
      larger.set(artefact, offset);
      const table = opened(larger.subarray(offset, offset + artefact.length));
      expect(table.holderOf("+12125551100")?.carrierName).toBe("Béta");
      const asBuffer = Buffer.from(larger.buffer, offset, artefact.length);
      expect(opened(asBuffer).holderOf("+12125550100")?.carrierName).toBe("Alpha");
    }
  });

  it("without any interval knows nobody", () => {
    const empty = opened(encodeTable({ layers: [], holders: [] }, paintIntervals([])));
    expect(empty.holderOf("+12125550100")).toBeUndefined();
  });
});

describe("a file that is no sound artefact", () => {
  it("is refused for what is wrong with it", () => {
    expect(reasonFor(new Uint8Array(0))).toMatch(/truncated/);
    expect(reasonFor(artefact.subarray(0, 100))).toMatch(/truncated/);
    expect(reasonFor(new Uint8Array([...artefact, 0]))).toMatch(/1 bytes too many/);
    expect(reasonFor(new Uint8Array(64))).toMatch(/not a numbering artefact/);
    const newer = artefact.slice();
    newer[8] = 2;
    expect(reasonFor(newer)).toMatch(/version 2/);
  });

  it("is refused when cut anywhere", () => {
    for (let length = 0; length < artefact.length; length++) {
      expect(openNumberingTable(artefact.subarray(0, length)).ok, `${length} bytes`).toBe(false);
    }
  });

  it("is refused when any single byte is changed", () => {
    for (let at = 0; at < artefact.length; at++) {
      const changed = artefact.slice();
      changed[at] = (changed[at] ?? 0) ^ 0x41;
      expect(openNumberingTable(changed).ok, `byte ${at}`).toBe(false);
    }
  });

  it("never throws, whatever its bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.nat(artefact.length), (noise, at) => {
        expect(openNumberingTable(noise).ok).toBe(false);
        const spliced = new Uint8Array([...artefact.subarray(0, at), ...noise]);
        expect(typeof openNumberingTable(spliced).ok).toBe("boolean");
      }),
    );
  });

  it("never throws when the checksum is right and the header is not", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (anything) => {
        const bytes = encodeTable(anything as never, paintIntervals([{ prefix: "1", holder: 9, rank: 0 }]));
        expect(openNumberingTable(bytes).ok).toBe(false);
      }),
    );
  });

  it("knows nobody where an interval names a holder that is not listed", () => {
    const table = opened(encodeTable(header, paintIntervals([{ prefix: "1", holder: 9, rank: 0 }])));
    expect(table.holderOf("+12125550100")).toBeUndefined();
  });
});
