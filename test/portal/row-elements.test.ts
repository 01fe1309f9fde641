// Which element of the page shows which row of a list that changes quickly.

import { expect, test } from "vitest";
import { elementsFor } from "../../portal/src/components/row-elements.ts";

const begun = elementsFor(["a", "b", "c", "d"], new Map());

test("a new row gets an element of its own, and the others keep theirs", () => {
  expect([...elementsFor(["new", "a", "b", "c"], begun)]).toEqual([
    ["new", 4],
    ["a", 0],
    ["b", 1],
    ["c", 2],
  ]);
});

test("where most rows are new, they take the elements that are there, in order", () => {
  expect([...elementsFor(["x", "y", "z", "a"], begun)]).toEqual([
    ["x", 0],
    ["y", 1],
    ["z", 2],
    ["a", 3],
  ]);
  expect([...elementsFor(["v", "w", "x", "y", "z"], begun)].at(-1)).toEqual(["z", 4]);
});

test("no two rows have the same element", () => {
  let elements = begun;
  for (const ids of [["x", "a"], ["x", "y", "z", "a", "b"], ["n", "x", "y"], [], ["p", "q"], ["o", "p", "q", "r"]]) {
    elements = elementsFor(ids, elements);
    expect([...elements.keys()]).toEqual(ids);
    expect(new Set(elements.values()).size).toBe(ids.length);
  }
});
