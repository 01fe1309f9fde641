import fc from "fast-check";
import { expect, test } from "vitest";
import { readCallbackUrl } from "./callback-url.ts";

test.each([
  ["https://a.example/", "https://a.example/", null, null],
  ["https://a.example/#shape=B", "https://a.example/", "B", null],
  ["https://a.example/#shape=Twilio&statuses=final", "https://a.example/", "Twilio", "Final"],
  ["https://a.example/?a=1#statuses=final", "https://a.example/?a=1", null, "Final"],
  ["https://a.example/#shape=C", "https://a.example/", null, null],
  ["https://a.example/#top", "https://a.example/#top", null, null],
  ["https://a.example/#", "https://a.example/#", null, null],
  ["https://a.example/#&statuses=final", "https://a.example/#&statuses=final", null, null],
])("%s goes to %s in shape %s, statuses %s", (given, url, shape, statuses) => {
  expect(readCallbackUrl(given)).toEqual({ url, shape, statuses });
});

test("any text is read without a fault, and only an end of it is taken away", () => {
  fc.assert(fc.property(fc.string(), (given) => void expect(given.startsWith(readCallbackUrl(given).url)).toBe(true)));
});
