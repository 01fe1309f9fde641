import fc from "fast-check";
import { expect, test } from "vitest";
import { Framer } from "./framer.ts";

const pduOf = (length: number, fill: number) => {
  const pdu = new Uint8Array(length).fill(fill);
  new DataView(pdu.buffer).setUint32(0, length);
  return pdu;
};
const join = (pieces: readonly Uint8Array[]) => Uint8Array.from(pieces.flatMap((piece) => [...piece]));

const STREAM = [pduOf(16, 1), pduOf(17, 2), pduOf(40, 3), pduOf(16, 4)];

test("two cuts anywhere give the same PDUs", () => {
  const bytes = join(STREAM);
  for (let first = 0; first <= bytes.length; first++) {
    for (let second = first; second <= bytes.length; second++) {
      const framer = new Framer();
      const chunks = [bytes.slice(0, first), bytes.slice(first, second), bytes.slice(second)];
      const pdus = chunks.flatMap((chunk) => framer.push(chunk).pdus);
      expect(pdus.length === 4 && pdus.every((pdu, at) => same(pdu, STREAM[at]))).toBe(true);
      expect(framer.held).toBe(0);
    }
  }
});

const same = (one: Uint8Array, other: Uint8Array | undefined) =>
  one.length === other?.length && one.every((octet, at) => octet === other[at]);

test("octet by octet gives the same PDUs", () => {
  const framer = new Framer();
  const pdus = [...join(STREAM)].flatMap((octet) => framer.push(Uint8Array.of(octet)).pdus);
  expect(pdus).toEqual(STREAM);
});

test("any PDUs in any chunks come out whole and in order", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: 16, max: 300 }), fc.nat(255)), { maxLength: 8 }),
      fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 20 }),
      (shapes, cuts) => {
        const pdus = shapes.map(([length, fill]) => pduOf(length, fill));
        const bytes = join(pdus);
        const framer = new Framer();
        const got: Uint8Array[] = [];
        for (let at = 0, turn = 0; at < bytes.length; turn++) {
          const size = cuts[turn % cuts.length] ?? 1;
          got.push(...framer.push(bytes.slice(at, at + size)).pdus);
          at += size;
        }
        expect(got).toEqual(pdus);
      },
    ),
  );
});

test.each([0, 8, 15, 0x10001, 0x7fffffff, 0xffffffff])(
  "a length of %i ends the stream, however it is cut",
  (length) => {
    const bytes = join([pduOf(16, 1), pduOf(16, 2)]);
    new DataView(bytes.buffer).setUint32(16, length);
    for (let cut = 0; cut <= bytes.length; cut++) {
      const framer = new Framer();
      const first = framer.push(bytes.slice(0, cut));
      const second = framer.push(bytes.slice(cut));
      expect([...first.pdus, ...second.pdus]).toEqual([pduOf(16, 1)]);
      expect(second.fault).toContain(String(length));
      expect(framer.push(pduOf(16, 3))).toEqual({ pdus: [], fault: second.fault });
      expect(framer.held).toBe(0);
    }
  },
);

test("the bound on a PDU's length can be set", () => {
  expect(new Framer({ pduLengthMax: 100 }).push(pduOf(100, 0)).pdus.length).toBe(1);
  expect(new Framer({ pduLengthMax: 100 }).push(pduOf(101, 0)).fault).toBeDefined();
});

test("a PDU of 64 KiB that dribbles in is taken in linear time", () => {
  const pdu = pduOf(0x10000, 7);
  const framer = new Framer();
  let got: readonly Uint8Array[] = [];
  for (let at = 0; at < pdu.length; at++) got = framer.push(pdu.subarray(at, at + 1)).pdus;
  expect(got).toEqual([pdu]);
});

test("any octets are held within the bound and never throw", () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 64 }), { maxLength: 30 }), (chunks) => {
      const framer = new Framer({ pduLengthMax: 256 });
      for (const chunk of chunks) framer.push(chunk);
      expect(framer.held).toBeLessThan(256);
    }),
  );
});
