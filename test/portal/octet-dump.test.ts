import { expect, test } from "vitest";
import { dumpOf } from "../../portal/src/screens/log/octet-dump.ts";

test("octets are shown with their place and their signs", () => {
  expect(dumpOf(Buffer.from("Tandem\0over sixteen", "latin1").toString("hex"))).toBe(
    [
      "0000  54 61 6e 64 65 6d 00 6f 76 65 72 20 73 69 78 74  Tandem.over sixt",
      `0010  ${"65 65 6e".padEnd(47)}  een`,
    ].join("\n"),
  );
  expect(dumpOf("")).toBe("");
});
