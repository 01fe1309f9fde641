import { expect, test } from "vitest";
import { nearName } from "./near-name.ts";

const NAMES = ["host", "port", "smpp", "sourceAddresses", "name"];

test.each([
  ["hots", "host"],
  ["Port", "port"],
  ["prot", "port"],
  ["smp", "smpp"],
  ["smppp", "smpp"],
  ["source_addresses", "sourceAddresses"],
  ["sourceAdresses", "sourceAddresses"],
  ["colour", undefined],
  ["x", undefined],
])("%s is meant for %s", (given, meant) => {
  expect(nearName(given, NAMES)).toBe(meant);
});

test("without names there is none", () => {
  expect(nearName("host", [])).toBeUndefined();
});
