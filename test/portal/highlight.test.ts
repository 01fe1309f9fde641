// Which choice of the palette Enter opens, while what the server finds arrives.

import { expect, test } from "vitest";
import { type Highlight, highlightIn, movedBy } from "../../portal/src/shell/highlight.ts";

const NONE: Highlight = { text: "", id: undefined };

test("the first choice of a text stays highlighted when what the server finds is put before it", () => {
  const typed = highlightIn(NONE, "0177", ["lookup", "search"]);
  expect(typed.id).toBe("lookup");
  expect(highlightIn(typed, "0177", ["phone-1", "phone-2", "lookup", "search"])).toBe(typed);
});

test("so does the one that an arrow key chose", () => {
  const ids = ["lookup", "number", "search"];
  const moved = movedBy(1, highlightIn(NONE, "0177", ids), ids);
  expect(highlightIn(moved, "0177", ["phone-1", ...ids]).id).toBe("number");
  expect(movedBy(-1, moved, ["phone-1", ...ids]).id).toBe("lookup");
});

test("a new text highlights its first choice, also where the one of before is further down", () => {
  const moved = movedBy(1, highlightIn(NONE, "da", ["find", "dark"]), ["find", "dark"]);
  expect(moved.id).toBe("dark");
  expect(highlightIn(moved, "dar", ["find", "dark"]).id).toBe("find");
});

test("where there was nothing, the first that the server finds is highlighted", () => {
  const empty = highlightIn(NONE, "harbor", []);
  expect(empty.id).toBeUndefined();
  expect(highlightIn(empty, "harbor", [])).toBe(empty);
  expect(highlightIn(empty, "harbor", ["AC1", "AC2"]).id).toBe("AC1");
});

test("when the highlighted one goes, the first is highlighted", () => {
  const typed = highlightIn(NONE, "x", ["view", "search"]);
  expect(highlightIn(typed, "x", ["search"]).id).toBe("search");
});

test("arrow keys go round, and nowhere in an empty list", () => {
  const ids = ["a", "b", "c"];
  const first = highlightIn(NONE, "", ids);
  expect(movedBy(-1, first, ids).id).toBe("c");
  expect(movedBy(1, { text: "", id: "c" }, ids).id).toBe("a");
  expect(movedBy(1, { text: "", id: undefined }, []).id).toBeUndefined();
});
