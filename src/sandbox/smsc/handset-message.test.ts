import fc from "fast-check";
import { expect, test } from "vitest";
import { readBody } from "../../wire/smpp/concatenation.ts";
import type { DeliverSm, Unnumbered } from "../../wire/smpp/pdu.ts";
import { joinParts } from "../../wire/smpp/reassembly.ts";
import { decodeText } from "../../wire/smpp/text.ts";
import { deliverSmsOf, type HandsetMessage } from "./handset-message.ts";

const BASE = { from: "+14155550123", to: "+12125550000" } as const;

function readBack(pdus: readonly Unnumbered<DeliverSm>[]): string | undefined {
  const [first] = pdus;
  if (!first) return undefined;
  const { dataCoding } = first;
  const parts = pdus.map((pdu) => readBody(pdu));
  if (!parts[0]?.partOf) return decodeText({ dataCoding, octets: parts[0]?.octets ?? new Uint8Array(0) });
  const joined = joinParts(
    parts.map(({ octets, partOf }) => ({
      ...(partOf ?? expect.fail("a part without a header")),
      octets,
      messageId: "",
      scope: "",
      from: "",
      to: "",
      dataCoding,
    })),
  );
  return joined.missing.length === 0 ? decodeText(joined) : undefined;
}

const carriedBy = fc.constantFrom<HandsetMessage["carriedBy"]>("udh8", "udh16", "sar", "payload");

test("any text comes out as it went in, however it is carried", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 600 }), carriedBy, fc.boolean(), (text, how, flash) => {
      const pdus = deliverSmsOf({ ...BASE, text, flash, ...(how && { carriedBy: how }) }, 7);
      expect(readBack(pdus)).toBe(text);
    }),
  );
});

test("a coding may be forced, and no part is longer than a handset's", () => {
  const latin = fc.string({ unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)) });
  fc.assert(
    fc.property(latin, fc.integer({ min: 1, max: 40 }), carriedBy, (word, times, how = "udh8") => {
      const text = word.repeat(times);
      for (const coding of ["UCS2", "Latin1"] as const) {
        const pdus = deliverSmsOf({ ...BASE, text, coding, carriedBy: how }, 300);
        expect(readBack(pdus)).toBe(text);
        if (how !== "payload")
          for (const { shortMessage } of pdus) expect(shortMessage.length).toBeLessThanOrEqual(140);
      }
    }),
  );
});

test.each([
  ["GSM7", 0x10],
  ["UCS2", 0x18],
] as const)("a flash message in %s has class 0", (coding, dataCoding) => {
  expect(deliverSmsOf({ ...BASE, text: "look", coding, flash: true }, 1)).toMatchObject([{ dataCoding }]);
});

test("a pair of surrogates is not torn", () => {
  const pdus = deliverSmsOf({ ...BASE, text: `${"x".repeat(66)}😀${"y".repeat(66)}`, coding: "UCS2" }, 1);
  expect(pdus.map((pdu) => decodeText({ dataCoding: 8, octets: readBody(pdu).octets }))).toEqual([
    "x".repeat(66),
    `😀${"y".repeat(65)}`,
    "y",
  ]);
});

test.each([
  ["a text the coding does not have", { text: "日本", coding: "GSM7" }, "does not go into GSM7"],
  ["Latin-1 beyond Latin-1", { text: "€", coding: "Latin1" }, "does not go into Latin1"],
  ["a Latin-1 flash", { text: "x", coding: "Latin1", flash: true }, "flash"],
  ["more than 255 parts", { text: "x".repeat(153 * 255 + 1) }, "255"],
] as const)("%s is refused", (_, fields, reason) => {
  expect(() => deliverSmsOf({ ...BASE, ...fields }, 1)).toThrow(reason);
});
