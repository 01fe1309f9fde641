import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { RUNTIME_FLAGS } from "../scripts/runtime-flags.mjs";
import { isLong } from "./faults/form.ts";
import { serverFlags } from "./tandem.ts";

test("a server of a benchmark has the options that users run it with", () => {
  expect(serverFlags({})).toEqual(RUNTIME_FLAGS);
});

test.skipIf(isLong)("a server of a quick test has options for a short life besides", () => {
  expect(serverFlags()).toEqual([...RUNTIME_FLAGS, expect.anything(), expect.anything(), "--interrupt-budget=600000"]);
});

test("the page of settings names the options", () => {
  expect(readFileSync("docs/settings.md", "utf8")).toContain(`\`${RUNTIME_FLAGS.join(" ")}\``);
});
