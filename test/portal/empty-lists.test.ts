// Empty lists teach: each says what will show there or how to begin, not only that there is nothing.

import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const SOURCE = new URL("../../portal/src/", import.meta.url);
/** Up to the end of the opening tag; code in braces may hold `>`. */
const EMPTY = /<Empty\b((?:\{(?:[^{}]|\{[^{}]*\})*\}|[^{}>])*)>/g;

test("no empty state says only that there is nothing", () => {
  const found = readdirSync(SOURCE, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".tsx"))
    .flatMap((name) =>
      [...readFileSync(new URL(name, SOURCE), "utf8").matchAll(EMPTY)].map(([tag, given = ""]) => ({
        name,
        tag,
        given,
      })),
    );
  expect(found.length).toBeGreaterThan(30);
  const bare = found.filter(({ given }) => given.trimEnd().endsWith("/") && !/\bwhy=/.test(given));
  expect(bare.map(({ name, tag }) => `${name}: ${tag}`)).toEqual([]);
});
