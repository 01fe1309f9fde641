// Every screen of the portal has its screenshots.

import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { PICTURES } from "./pictures.ts";

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");

test("every address of the router is in the table, and no other", () => {
  const router = read("../../portal/src/router.tsx");
  const addresses = [...router.matchAll(/(?:(?:screen|route)\(\s*|path: )"(\/[^"]*)"/g)].map(([, path]) => path);
  expect(addresses.length).toBeGreaterThan(20);
  expect(Object.keys(PICTURES).sort()).toEqual(addresses.sort());
});

test("every picture of the table is taken by a journey", () => {
  const journeys = readdirSync(new URL(".", import.meta.url))
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => read(name))
    .join("\n");
  const taken = new Set([...journeys.matchAll(/\blook\([\w.]+, "([\w-]+)"\)/g)].map(([, name]) => name));
  const missing = Object.values(PICTURES).flatMap((names) => names.filter((name) => !taken.has(name)));
  expect(missing).toEqual([]);
});
