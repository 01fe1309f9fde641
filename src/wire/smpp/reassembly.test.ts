import fc from "fast-check";
import { expect, test } from "vitest";
import { type Joined, type MessagePart, Reassembly } from "./reassembly.ts";

const LIMITS = { waitMsMax: 1000, messagesMax: 5, octetsMax: 400 };
const ascii = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const textOf = ({ octets }: Joined) => String.fromCharCode(...octets);

const part = (number: number, total: number, text: string, more: Partial<MessagePart> = {}): MessagePart => ({
  messageId: `${more.reference ?? 7}.${number}`,
  scope: "link",
  from: "14155550100",
  to: "14155550101",
  kind: "udh8",
  reference: 7,
  dataCoding: 0,
  total,
  part: number,
  octets: ascii(text),
  ...more,
});

test("parts in any order, some repeated, come out once and whole", () => {
  const messages = fc.array(
    fc.array(fc.string({ unit: fc.constantFrom("a", "b"), minLength: 1, maxLength: 5 }), {
      minLength: 1,
      maxLength: 4,
    }),
    { minLength: 1, maxLength: 5 },
  );
  const scene = messages.chain((all) => {
    const parts = all.flatMap((pieces, reference) =>
      pieces.map((piece, index) => part(index + 1, pieces.length, `${index}${piece}`, { reference })),
    );
    return fc.tuple(fc.constant(all), fc.shuffledSubarray(parts, { minLength: parts.length }));
  });
  fc.assert(
    fc.property(scene, ([all, parts]) => {
      const reassembly = new Reassembly(LIMITS);
      const out = parts.flatMap((one) => {
        const joined = reassembly.add(one, 0);
        // Until its message is complete, a repeated part is ignored.
        if (joined.length === 0) expect(reassembly.add(one, 0)).toEqual([]);
        return joined;
      });
      expect(out.every(({ missing }) => missing.length === 0)).toBe(true);
      expect(out.map((joined) => `${joined.reference}:${textOf(joined)}`).toSorted()).toEqual(
        all
          .map((pieces, reference) => `${reference}:${pieces.map((piece, index) => `${index}${piece}`).join("")}`)
          .toSorted(),
      );
      for (const { reference, total, messageIds } of out) {
        expect(messageIds).toEqual(Array.from({ length: total }, (_, index) => `${reference}.${index + 1}`));
      }
      expect([reassembly.messages, reassembly.octets]).toEqual([0, 0]);
    }),
  );
});

test.each<[string, Partial<MessagePart>]>([
  ["sender", { from: "14155550199" }],
  ["recipient", { to: "14155550199" }],
  ["reference", { reference: 8 }],
  ["width of reference", { kind: "udh16" }],
  ["total", { total: 3 }],
  ["coding", { dataCoding: 8 }],
  ["link", { scope: "other" }],
])("parts of another %s do not mix", (_name, more) => {
  const reassembly = new Reassembly(LIMITS);
  expect(reassembly.add(part(1, 2, "a"), 0)).toEqual([]);
  expect(reassembly.add(part(2, 2, "x", more), 0)).toEqual([]);
  expect(reassembly.add(part(2, 2, "b"), 0).map(textOf)).toEqual(["ab"]);
});

test("a message that stays incomplete for too long is returned with the numbers of its missing parts", () => {
  const reassembly = new Reassembly(LIMITS);
  reassembly.add(part(3, 3, "c"), 0);
  reassembly.add(part(1, 3, "a"), 900);
  expect(reassembly.expire(999)).toEqual([]);
  const out = reassembly.expire(1000);
  expect(out.map((joined) => [textOf(joined), joined.missing])).toEqual([["ac", [2]]]);
  expect([reassembly.messages, reassembly.octets]).toEqual([0, 0]);
});

test("a reused reference returns the first message incomplete and begins the second", () => {
  const reassembly = new Reassembly(LIMITS);
  reassembly.add(part(1, 2, "old"), 0);
  expect(reassembly.add(part(1, 2, "new"), 1).map((joined) => [textOf(joined), joined.missing])).toEqual([
    ["old", [2]],
  ]);
  expect(reassembly.add(part(2, 2, "er"), 2).map(textOf)).toEqual(["newer"]);
});

test("memory stays within its limits whatever comes, and nothing is lost silently", () => {
  const anyPart = fc.record({
    reference: fc.nat(9),
    total: fc.integer({ min: 2, max: 4 }),
    number: fc.integer({ min: 1, max: 4 }),
    text: fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 120 }),
    wait: fc.nat(300),
  });
  fc.assert(
    fc.property(fc.array(anyPart, { maxLength: 60 }), (parts) => {
      const reassembly = new Reassembly(LIMITS);
      let nowMs = 0;
      let given = 0;
      let got = 0;
      for (const { reference, total, number, text, wait } of parts) {
        nowMs += wait;
        const before = reassembly.octets;
        const out = reassembly.add(part(Math.min(number, total), total, text, { reference }), nowMs);
        const came = out.reduce((sum, { octets }) => sum + octets.length, 0);
        const kept = reassembly.octets - before + came;
        expect([0, text.length]).toContain(kept);
        given += kept;
        got += came;
        expect(reassembly.messages).toBeLessThanOrEqual(LIMITS.messagesMax);
        expect(reassembly.octets).toBeLessThanOrEqual(LIMITS.octetsMax);
      }
      got += reassembly.expire(nowMs + 1000).reduce((sum, { octets }) => sum + octets.length, 0);
      expect(got).toBe(given);
    }),
  );
});

test("a pair that the sender tore between two parts is whole again", () => {
  const reassembly = new Reassembly(LIMITS);
  reassembly.add(part(1, 2, "", { octets: Uint8Array.of(0xd8, 0x3d), dataCoding: 8 }), 0);
  const [joined] = reassembly.add(part(2, 2, "", { octets: Uint8Array.of(0xde, 0x00), dataCoding: 8 }), 0);
  expect(joined?.octets).toEqual(Uint8Array.of(0xd8, 0x3d, 0xde, 0x00));
});
