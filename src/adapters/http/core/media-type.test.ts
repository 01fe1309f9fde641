import fc from "fast-check";
import { expect, test } from "vitest";
import { contentTypeFor, harmlessType } from "./media-type.ts";

test.each([
  [undefined, "application/json"],
  ["*/*", "application/json"],
  ["text/plain", "text/plain"],
  ["text/json", "text/json"],
  ["TEXT/JSON; charset=utf-8", "text/json"],
  ["text/html, text/plain;q=0.9, */*;q=0.1", "text/plain"],
  ["text/*", "text/json"],
  ["text/plain;q=0.2, application/json;q=0.8", "application/json"],
  ["application/json;q=0, */*", "text/json"],
  ["image/png", "application/json"],
  ["", "application/json"],
])("Accept %s is answered as %s", (accept, type) => {
  expect(contentTypeFor(accept)).toBe(`${type}; charset=utf-8`);
});

test.each([
  ["application/javascript", "application/octet-stream"],
  ["Text/JavaScript; charset=utf-8", "application/octet-stream"],
  ["application/x-ecmascript", "application/octet-stream"],
  ["text/css", "application/octet-stream"],
  ["image/png", "image/png"],
  ["text/html", "text/html"],
  ["audio/mpeg", "audio/mpeg"],
])("a file of type %s is served as %s", (contentType, served) => {
  expect(harmlessType(contentType)).toBe(served);
});

test("any Accept header is answered as one of the three", () => {
  fc.assert(
    fc.property(fc.string(), (accept) => {
      expect(contentTypeFor(accept)).toMatch(/^(application\/json|text\/json|text\/plain); charset=utf-8$/);
    }),
  );
});
