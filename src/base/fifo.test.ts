import fc from "fast-check";
import { expect, test } from "vitest";
import { Fifo } from "./fifo.ts";

test("it does what an array does", () => {
  const acts = fc.array(fc.oneof(fc.nat(3000), fc.constantFrom("shift", "unshift", "remove")), { maxLength: 30 });
  fc.assert(
    fc.property(acts, (list) => {
      const fifo = new Fifo<number>();
      const array: number[] = [];
      for (const act of list) {
        if (act === "shift") for (let count = 0; count < 1500; count++) expect(fifo.shift()).toBe(array.shift());
        else if (act === "unshift") {
          for (const item of [-1, -2, -3]) {
            fifo.unshift(item);
            array.unshift(item);
          }
        } else if (act === "remove") {
          for (const item of [-2, 0, 7, 2999]) {
            const at = array.indexOf(item);
            expect(fifo.remove(item)).toBe(at !== -1);
            if (at !== -1) array.splice(at, 1);
          }
        } else if (typeof act === "number") {
          for (let count = 0; count < act; count++) {
            fifo.push(count);
            array.push(count);
          }
        }
        expect([fifo.length, fifo.first]).toEqual([array.length, array[0]]);
      }
      expect(fifo.toArray()).toEqual(array);
      expect(fifo.drain()).toEqual(array);
      expect([fifo.length, fifo.first, fifo.toArray()]).toEqual([0, undefined, []]);
    }),
    { numRuns: 20 },
  );
});

test("an item is removed wherever it stands, and only while it is there", () => {
  const fifo = new Fifo<number>();
  for (const item of [1, 2, 3, 2]) fifo.push(item);
  expect([fifo.shift(), fifo.remove(1), fifo.remove(2), fifo.remove(5)]).toEqual([1, false, true, false]);
  expect([fifo.toArray(), fifo.length]).toEqual([[3, 2], 2]);
});
