// Distances and sizes of type in the portal's styles are those of tokens.css.

import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const SOURCE = new URL("../../portal/src/", import.meta.url);
const DECLARATION = /^\s*((?:padding|margin)(?:-[a-z]+)*|gap|row-gap|column-gap|font-size):([^;{}]*);/gm;

const styles = readdirSync(SOURCE, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".css") && name !== "tokens.css")
  .map((name) => ({ name, text: readFileSync(new URL(name, SOURCE), "utf8") }));
const declared = styles.flatMap(({ name, text }) =>
  [...text.matchAll(DECLARATION)].map(([, property = "", value = ""]) => ({ name, property, value })),
);

/** The values of the tokens whose names begin so. */
function tokens(prefix: string): ReadonlySet<string> {
  const text = readFileSync(new URL("tokens.css", SOURCE), "utf8");
  return new Set([...text.matchAll(new RegExp(`--${prefix}\\w*: ([\\d.]+px);`, "g"))].map(([, value = ""]) => value));
}

test("what has a token is written as the token", () => {
  const [spaces, sizes] = [tokens("s"), tokens("fs-")];
  expect(spaces.size).toBeGreaterThan(6);
  const literal = declared.filter(({ property, value }) => {
    const known = property === "font-size" ? sizes : spaces;
    return [...value.matchAll(/(?<![\w.-])[\d.]+px/g)].some(([pixels]) => known.has(pixels));
  });
  expect(literal).toEqual([]);
});

test("there are more tokens than literal pixels", () => {
  const count = (what: RegExp) => declared.reduce((sum, { value }) => sum + [...value.matchAll(what)].length, 0);
  expect(count(/var\(--/g)).toBeGreaterThan(4 * count(/[\d.]px/g));
});
