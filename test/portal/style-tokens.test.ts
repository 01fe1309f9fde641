// Distances, sizes of type, heights of lines and controls, and corners in the portal's styles are those of tokens.css.

import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const SOURCE = new URL("../../portal/src/", import.meta.url);
const DECLARATION = /^\s*([a-z-]+):([^;{}]*);/gm;

/** Which tokens are for which properties, by the beginnings of their names. */
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/^(padding|margin)(-[a-z]+)*$|^(row-|column-)?gap$|^(top|right|bottom|left|inset)$/, "s\\d"],
  [/^font-size$/, "fs-"],
  [/^line-height$/, "lh-"],
  [/^border-(.+-)?radius$/, "r\\d"],
  [/^(min-)?height$/, "(?:row|ctl|bar)"],
];

const styles = readdirSync(SOURCE, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".css") && name !== "tokens.css")
  .map((name) => ({ name, text: readFileSync(new URL(name, SOURCE), "utf8") }));
const declared = styles.flatMap(({ name, text }) =>
  [...text.matchAll(DECLARATION)].map(([, property = "", value = ""]) => ({ name, property, value })),
);

/** The values of the tokens whose names begin so. */
function tokens(prefix: string): ReadonlySet<string> {
  const text = readFileSync(new URL("tokens.css", SOURCE), "utf8");
  return new Set(
    [...text.matchAll(new RegExp(`--${prefix}[\\w-]*: ([\\d.]+px);`, "g"))].map(([, value = ""]) => value),
  );
}

const LITERAL = /(?<![\w.-])[\d.]+px/g;

test.each(KINDS)("what has a token is written as the token: %s", (properties, prefix) => {
  const known = tokens(prefix);
  expect(known.size).toBeGreaterThan(2);
  const literal = declared.filter(
    ({ property, value }) =>
      properties.test(property) && [...value.matchAll(LITERAL)].some(([pixels]) => known.has(pixels)),
  );
  expect(literal).toEqual([]);
});

test("there are more tokens of sizes than literal pixels, borders included", () => {
  const count = (what: RegExp) => declared.reduce((sum, { value }) => sum + [...value.matchAll(what)].length, 0);
  const sizes = /var\(--(s\dh?|fs-\w+|lh-\w+|r\d|row(-dense)?|ctl|bar|nav|gutter)\)/g;
  expect(count(sizes)).toBeGreaterThan(count(/[\d.]+px/g));
});
