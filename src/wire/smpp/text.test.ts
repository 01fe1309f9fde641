import fc from "fast-check";
import { expect, test } from "vitest";
import { encodeGsm7 } from "../../../rules/sms/gsm7.ts";
import { segmentText } from "../../../rules/sms/segment.ts";
import { encodePdu } from "../../../test/fakes/encode-pdu.ts";
import { parseSmppTime } from "../../../test/fakes/parse-smpp-time.ts";
import { concatenate, ESM_UDHI, readBody } from "./concatenation.ts";
import { submitSm } from "./pdu.ts";
import { formatSmppDelay, formatSmppTime } from "./smpp-time.ts";
import { decodeText, decodeUcs2, encodeText, encodeUcs2 } from "./text.ts";

test("UCS-2 gives every text back, lone surrogates too", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(0xffff), { maxLength: 200 }), (units) => {
      const text = String.fromCharCode(...units);
      expect(decodeUcs2(encodeUcs2(text))).toBe(text);
    }),
  );
  expect(decodeUcs2(Uint8Array.of(0, 65, 0))).toBe("A");
});

test.each([
  [0x00, [0x00, 0x41], "@A"],
  [0x01, [0x40, 0x41], "@A"],
  [0x03, [0xe9, 0x41], "éA"],
  [0x06, [0xc0, 0x41], "РA"],
  [0x07, [0xe0, 0x41], "אA"],
  [0x08, [0x20, 0xac], "€"],
  [0x10, [0x00], "@"],
  [0x18, [0x20, 0xac], "€"],
  [0xf0, [0x00], "@"],
  [0xf1, [0x00], "@"],
  [0xf5, [0x00], undefined],
  [0x14, [0x00], undefined],
  [0x02, [0x00], undefined],
  [0x04, [0x00], undefined],
])("under data_coding %i octets %j are %j", (dataCoding, octets, text) => {
  expect(decodeText({ dataCoding, octets: Uint8Array.from(octets) })).toBe(text);
});

test("every text that fits is encoded as the alphabet says", () => {
  const unit = fc.constantFrom(...`@£\u0394 azAZ09[]{}^~\\|€\fé\n`);
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 300 }), (text) => {
      expect(encodeText(text, "GSM7")).toEqual({ dataCoding: 0, octets: encodeGsm7(text) });
    }),
  );
  for (const other of ["ж", "\u0400", "`", "\u001b", "a\ud83d"]) {
    expect(encodeText(other, "GSM7")).toEqual({ dataCoding: 8, octets: encodeUcs2(other) });
  }
});

test("a carrier may mean Latin-1 by its default alphabet", () => {});

test("a long text goes out in parts and is the same behind them, by UDH and by TLV", () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: "binary", maxLength: 400 }), fc.string({ maxLength: 800 })),
      fc.constantFrom("udh8", "udh16", "sar"),
      fc.nat(0xffff),
      (text, kind, reference) => {
        const { segments, encoding } = segmentText(text, { referenceBits: kind === "udh16" ? 16 : 8 });
        fc.pre(segments.length <= 255);
        const coded = segments.map((segment) => encodeText(segment, encoding));
        const bodies = concatenate(
          coded.map(({ octets }) => octets),
          { kind, reference },
        );
        const read = bodies.map(readBody);
        for (const [index, body] of bodies.entries()) {
          const packed =
            encoding === "GSM7"
              ? Math.ceil(((body.shortMessage.length - udhLength(body)) * 7) / 8)
              : body.shortMessage.length - udhLength(body);
          expect(packed + (kind === "sar" && bodies.length > 1 ? 6 : udhLength(body))).toBeLessThanOrEqual(140);
          expect(encodePdu(submitSm({ source: HERE, destination: HERE, ...body }), 1).ok).toBe(true);
          const partOf = {
            kind,
            reference: kind === "udh8" ? reference & 0xff : reference,
            total: bodies.length,
            part: index + 1,
          };
          expect(read[index]?.partOf).toEqual(bodies.length > 1 ? partOf : undefined);
        }
        const back = read.map(({ octets }, index) => decodeText({ dataCoding: coded[index]?.dataCoding ?? 0, octets }));
        expect(back.join("")).toBe(text);
      },
    ),
    { numRuns: 60 },
  );
});

const HERE = { ton: 1, npi: 1, address: "14155550100" };
const udhLength = ({ esmClass, shortMessage }: { esmClass: number; shortMessage: Uint8Array }) =>
  esmClass & ESM_UDHI ? (shortMessage[0] ?? 0) + 1 : 0;

test("a message too long for short_message goes whole in message_payload", () => {
  const octets = new Uint8Array(300).fill(65);
  const [body] = concatenate([octets], { kind: "sar", reference: 1 });
  expect(body).toMatchObject({ shortMessage: new Uint8Array(0), tlvs: { messagePayload: octets } });
  expect(body && readBody(body).octets).toEqual(octets);
});

const udh = (...octets: number[]) => ({ esmClass: ESM_UDHI, shortMessage: Uint8Array.from(octets), tlvs: {} });

test.each([
  ["a header longer than the message", udh(200, 0, 3, 1, 2, 1), { octets: Uint8Array.of(200, 0, 3, 1, 2, 1) }],
  ["an element longer than the header", udh(3, 0, 9, 1, 65), { octets: Uint8Array.of(3, 0, 9, 1, 65) }],
  ["part 0", udh(5, 0, 3, 1, 2, 0, 65), { octets: Uint8Array.of(65) }],
  ["part 3 of 2", udh(5, 0, 3, 1, 2, 3, 65), { octets: Uint8Array.of(65) }],
  ["no parts", udh(5, 0, 3, 1, 0, 0, 65), { octets: Uint8Array.of(65) }],
  ["an element we do not know", udh(3, 0x70, 1, 9, 65), { octets: Uint8Array.of(65) }],
  ["an empty message", udh(), { octets: Uint8Array.of() }],
  ["an application's port", udh(6, 5, 4, 0x0b, 0x84, 0, 0, 65), { octets: Uint8Array.of(65) }],
  [
    "a port and a part",
    udh(11, 5, 4, 0x0b, 0x84, 0, 0, 0, 3, 7, 2, 1, 65),
    { octets: Uint8Array.of(65), partOf: { kind: "udh8", reference: 7, total: 2, part: 1 } },
  ],
])("a user data header is read with care: %s", (_name, body, expected) => {
  expect(readBody(body)).toEqual(expected);
});

test("any body is read without an exception", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), fc.nat(255), (shortMessage, esmClass) => {
      expect(readBody({ shortMessage, esmClass, tlvs: {} }).octets.length).toBeLessThanOrEqual(shortMessage.length);
    }),
    { numRuns: 500 },
  );
});

test("SMPP times are written and read back", () => {
  const now = new Date("2026-03-12T10:15:00Z");
  fc.assert(
    fc.property(fc.integer({ min: Date.UTC(2000, 0, 1) / 100, max: Date.UTC(2099, 11, 31) / 100 }), (tenths) => {
      const time = new Date(tenths * 100);
      expect(parseSmppTime(formatSmppTime(time), now)).toEqual(time);
    }),
  );
  expect(parseSmppTime("260312101500004+", now)).toEqual(new Date("2026-03-12T09:15:00Z"));
  expect(parseSmppTime("260312101500020-", now)).toEqual(new Date("2026-03-12T15:15:00Z"));
  expect(parseSmppTime("", now)).toBeUndefined();
  expect(parseSmppTime("260230101500000+", now)).toBeUndefined();
  expect(formatSmppDelay(90_061_000)).toBe("000001010101000R");
  expect(parseSmppTime(formatSmppDelay(90_061_000), now)).toEqual(new Date(now.getTime() + 90_061_000));
});
