import fc from "fast-check";
import { expect, test } from "vitest";
import { formatPhoneAddress, hostOf, parseAddressList, phoneOf } from "./addresses.ts";

test("a number goes into an address and comes out again", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^\+[1-9]\d{5,13}$/), fc.domain(), (number, host) => {
      const address = formatPhoneAddress(number, host);
      expect(phoneOf(address)).toBe(number);
      expect(hostOf(address)).toBe(host.toLowerCase());
    }),
  );
});

test.each([
  ["+15551230001/TYPE=PLMN@h.example", "+15551230001"],
  ["+447700900123/type=plmn", "+447700900123"],
  ["15551230001/TYPE=PLMN@h.example", "+15551230001"],
  ["5551230001@h.example", "+15551230001"],
  ["72345/TYPE=PLMN@h.example", "72345"],
  ["someone@h.example", undefined],
  ["10.0.0.1/TYPE=IPv4@h.example", undefined],
  ["+1/TYPE=PLMN@h.example", undefined],
  ["", undefined],
])("%j is the number %j", (address, number) => {
  expect(phoneOf(address)).toBe(number);
});

test("a list of addresses is read whatever is around them", () => {
  expect(
    parseAddressList('"A, <b>" <a@x.example>, b@x.example (comment), Friends: c@x.example; <>, bad address'),
  ).toEqual(["a@x.example", "b@x.example", "c@x.example"]);
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => void parseAddressList(text)));
});

test("a host is a name or a bracketed address", () => {
  expect(["a@B.example", "a@[127.0.0.1]", "a@", "a", "a@b c", "a@b..c"].map(hostOf)).toEqual([
    "b.example",
    "[127.0.0.1]",
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
