// What the palette offers for a pasted id: pages that the session has.

import { expect, test } from "vitest";

interface Loaded {
  jumpsFor(text: string, isOperator: boolean, readNumber: () => undefined): readonly { readonly to: string }[];
}

/** They need the types of a page, which tests do not have. */
async function pages(text: string, isOperator: boolean): Promise<readonly string[]> {
  const { jumpsFor } = (await import(new URL("../../portal/src/shell/jumps.ts", import.meta.url).href)) as Loaded;
  return jumpsFor(text, isOperator, () => undefined).map(({ to }) => to);
}

test("a campaign opens its migration, but for operators, who have no such page", async () => {
  expect(await pages("CABC123", false)).toEqual(["/migrations/CABC123"]);
  expect(await pages("CABC123", true)).toEqual([]);
});
