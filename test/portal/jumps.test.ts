// What the palette offers for a pasted id: pages that the session has.

import { expect, test } from "vitest";
import { jumpsFor } from "../../portal/src/shell/jumps.ts";

const pages = (text: string, isOperator: boolean) => jumpsFor(text, isOperator, () => undefined).map(({ to }) => to);

test("a campaign opens its migration, but for operators, who have no such page", () => {
  expect(pages("CABC123", false)).toEqual(["/migrations/CABC123"]);
  expect(pages("CABC123", true)).toEqual([]);
});
