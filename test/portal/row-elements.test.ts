// Which element of the page shows which row of a quickly changing list.

import { expect, test } from "vitest";
import { elementsFor } from "../../portal/src/components/row-elements.ts";

const begun = elementsFor(["a", "b", "c", "d"], new Map(), false);

test("a new row gets an element of its own, and the others keep theirs", () => {
  expect([...elementsFor(["new", "a", "b", "c"], begun, false)]).toEqual([
    ["new", 4],
    ["a", 0],
    ["b", 1],
    ["c", 2],
  ]);
});

test("where most rows are new, they take the elements that are there, in order", () => {
  expect([...elementsFor(["x", "y", "z", "a"], begun, false)]).toEqual([
    ["x", 0],
    ["y", 1],
    ["z", 2],
    ["a", 3],
  ]);
  expect([...elementsFor(["v", "w", "x", "y", "z"], begun, false)].at(-1)).toEqual(["z", 4]);
});

test("no two rows have the same element", () => {
  let elements = begun;
  for (const ids of [["x", "a"], ["x", "y", "z", "a", "b"], ["n", "x", "y"], [], ["p", "q"], ["o", "p", "q", "r"]]) {
    elements = elementsFor(ids, elements, false);
    expect([...elements.keys()]).toEqual(ids);
    expect(new Set(elements.values()).size).toBe(ids.length);
  }
});

test("while an element is held, it does not become that of another row", () => {
  expect([...elementsFor(["x", "y", "z", "a"], begun, true)]).toEqual([
    ["x", 4],
    ["y", 5],
    ["z", 6],
    ["a", 0],
  ]);
});
