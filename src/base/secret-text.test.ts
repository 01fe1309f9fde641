import { expect, test } from "vitest";
import { isSecretText, missingSecrets, secretOf } from "./secret-text.ts";

const environment = (name: string) => ({ SET: "hush", EMPTY: "" })[name];

test.each([
  ["plain", true],
  ["", true],
  ["env:A_1", true],
  ["environment", true],
  ["env:", false],
  ["env:1A", false],
  ["env:A B", false],
  ["env:A\n", false],
])("%j is a secret or names one: %s", (text, isOne) => {
  expect(isSecretText(text)).toBe(isOne);
});

test("a secret is what is written, or what the environment holds", () => {
  expect(["plain", "env:SET"].map((text) => secretOf(text, environment))).toEqual(["plain", "hush"]);
});

test("what the environment lacks is reported, each once, and not used", () => {
  expect(missingSecrets(["env:NONE", "env:EMPTY", "env:SET", "env:NONE", undefined, "x"], environment)).toEqual([
    "NONE",
    "EMPTY",
  ]);
  expect(() => secretOf("env:EMPTY", environment)).toThrow("environment variable EMPTY is not set");
});
