import { expect, test } from "vitest";
import { firstValue, parseVia, viaWithReceived } from "./via.ts";

test.each([
  ["SIP/2.0/UDP a.example", { transport: "UDP", host: "a.example", port: undefined, branch: "" }],
  ["SIP/2.0/TLS a.example:5061;branch=z9hG4bK1", { transport: "TLS", port: 5061, branch: "z9hG4bK1" }],
  ["SIP / 2.0 / sctp  A.example : 5070 ;branch=z9hG4bK1", { transport: "SCTP", host: "a.example", port: 5070 }],
  ["SIP/2.0/UDP a;branch=z9hG4bK1, SIP/2.0/UDP b;branch=z9hG4bK2", { host: "a", branch: "z9hG4bK1" }],
  ['SIP/2.0/UDP a;x="1,2";branch=z9hG4bK1, SIP/2.0/UDP b', { host: "a", branch: "z9hG4bK1" }],
])("%s is read", (value, parts) => {
  expect(parseVia(value)).toMatchObject(parts);
});

test.each(["SIP/3.0/UDP a", "SIP/2.0/UDP", "SIP/2.0/UDP -", "SIP/2.0/UDP a;=", "SIP/2.0/UDP a b"])(
  "%s is refused",
  (value) => {
    expect(parseVia(value)).toBeUndefined();
  },
);

test.each([
  ["a , b", "a"],
  ["a", "a"],
  ['"x,y" , b', '"x,y"'],
  ['"x\\",y", b', '"x\\",y"'],
  ["x\\, b", "x\\"],
])("the first value of %j is %j", (value, first) => {
  expect(firstValue(value, 0)).toBe(first);
});

test("the source is added unless the Via names it and does not ask for the port", () => {
  const received = (value: string) => {
    const via = parseVia(value);
    return via && viaWithReceived(value, via, "192.0.2.9", 6000);
  };
  expect(received("SIP/2.0/UDP 192.0.2.9")).toBe("SIP/2.0/UDP 192.0.2.9");
  expect(received("SIP/2.0/UDP 10.0.0.1")).toBe("SIP/2.0/UDP 10.0.0.1;received=192.0.2.9");
  expect(received("SIP/2.0/UDP 192.0.2.9;rport")).toBe("SIP/2.0/UDP 192.0.2.9;received=192.0.2.9;rport=6000");
  expect(received("SIP/2.0/UDP 10.0.0.1;received=1.2.3.4")).toBe("SIP/2.0/UDP 10.0.0.1;received=192.0.2.9");
});
