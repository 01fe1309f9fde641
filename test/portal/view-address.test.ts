import fc from "fast-check";
import { expect, test } from "vitest";
import { isSamePage, readableAddress, viewAddress } from "../../portal/src/components/view-address.ts";

test.each([
  ["/calls", "", "/calls"],
  ["/calls", "?sel=CA1", "/calls"],
  ["/messages", "?q=status:Failed+to:%2B1415&sel=OM1", "/messages?q=status:Failed+to:%2B1415"],
  [
    "/operator/accounts/AC1",
    "?sel=OM1&tab=messages&status=Failed",
    "/operator/accounts/AC1?tab=messages&status=Failed",
  ],
])("a view of %s%s is %s", (pathname, search, address) => {
  expect(viewAddress({ pathname, search })).toBe(address);
});

test("views of one page differ in their filters only", () => {
  expect(isSamePage("/calls?q=status:Answered", "/calls")).toBe(true);
  expect(isSamePage("/calls", "/calls/CA1")).toBe(false);
});

test("an address is shown as people read it, and any text is shown", () => {
  expect(readableAddress("/messages?q=to:%2B14155550100+since:2h")).toBe("/messages?q=to:+14155550100 since:2h");
  expect(readableAddress("/messages?q=%E0%A4%A")).toBe("/messages?q=%E0%A4%A");
  fc.assert(fc.property(fc.string(), (text) => typeof readableAddress(text) === "string"));
});
