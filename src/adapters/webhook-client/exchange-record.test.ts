import fc from "fast-check";
import { expect, test } from "vitest";
import { headersIn, timingOf } from "./exchange-record.ts";

const head = (...lines: readonly string[]) => `${["POST / HTTP/1.1", ...lines].join("\r\n")}\r\n\r\nx: body`;

test("headers are shown in their order, without what authorises", () => {
  expect(headersIn(head("host: a.example", "Authorization: Bearer s3cret", "X-A: 1", "x-a:  2 "))).toStrictEqual([
    { name: "host", value: "a.example" },
    { name: "Authorization", value: "Bearer hidden" },
    { name: "X-A", value: "1" },
    { name: "x-a", value: "2" },
  ]);
  const secrets = [
    "Set-Cookie: a=s3cret",
    "cookie: s3cret",
    "authorization: s3cret",
    "Proxy-Authorization: Basic s3cret",
  ];
  expect(JSON.stringify(headersIn(head(...secrets)))).not.toContain("s3cret");
});

test("any text gives headers, and not many", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 2_000 }), { maxLength: 80 }), (lines) => {
      const headers = headersIn(head(...lines));
      expect(headers.length).toBeLessThanOrEqual(50);
      expect(JSON.stringify(headers.map(({ name, value }) => name + value)).length).toBeLessThan(40_000);
    }),
  );
});

test("a step that did not happen took no time that could be reported", () => {
  const opening = { startedMs: 100, resolvedMs: 103, connectedMs: 0 };
  expect(timingOf({ startedMs: 100, firstByteMs: 0, endedMs: 150, opening })).toStrictEqual({
    dnsMs: 3,
    connectMs: null,
    firstByteMs: null,
    totalMs: 50,
  });
  expect(timingOf({ startedMs: 100, firstByteMs: 120, endedMs: 150, opening: undefined })).toStrictEqual({
    dnsMs: null,
    connectMs: null,
    firstByteMs: 20,
    totalMs: 50,
  });
});
