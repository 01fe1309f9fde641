import fc from "fast-check";
import { expect, test } from "vitest";
import { SentParts } from "./sent-parts.ts";
import type { Part } from "./submission.ts";

test("in whatever order parts are answered, each is found until it is taken, and taken once", () => {
  const order = fc.uniqueArray(fc.nat(30), { maxLength: 30 });
  fc.assert(
    fc.property(order, fc.infiniteStream(fc.nat()), (refs, chances) => {
      const sent = new SentParts();
      const parts = new Map(refs.map((ref) => [String(ref), { isQueued: false } as Part]));
      for (const [ref, part] of parts) sent.add(ref, part);
      while (parts.size > 0) {
        expect(sent.count).toBe(parts.size);
        const [ref = "", part] = [...parts][chances.next().value % parts.size] ?? [];
        expect(sent.find(ref)).toBe(part);
        expect(sent.take(ref)).toBe(part);
        expect([sent.find(ref), sent.take(ref)]).toStrictEqual([undefined, undefined]);
        parts.delete(ref);
      }
    }),
  );
});
