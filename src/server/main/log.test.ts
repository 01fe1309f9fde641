import { closeSync, openSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { openLog } from "./log.ts";

test("what cannot be written is lost and ends nothing", () => {
  const full = openSync("/dev/full", "w");
  onTestFinished(() => closeSync(full));
  const log = openLog("info", full);
  expect(() => {
    for (let line = 0; line < 3; line++) log.info({ line }, "a fact");
  }).not.toThrow();
});
