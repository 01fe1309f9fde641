import fc from "fast-check";
import { expect, test } from "vitest";
import { CookieJar } from "./cookie-jar.ts";

const FROM = "https://example.com/calls/start?tenant=7";
const NOW = new Date(Date.UTC(2026, 0, 1));
const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000);

function jarOf(...headers: readonly string[]): CookieJar {
  const jar = new CookieJar();
  jar.keep(FROM, headers, NOW);
  return jar;
}

test.each<[string, string, string | undefined]>([
  ["a=1; Path=/", "https://example.com/", "a=1"],
  ["a=1; Path=/", "https://example.com:8443/x", "a=1"],
  ["a=1; Path=/", "https://other.example/", undefined],
  ["a=1; Path=/; Domain=example.com", "https://example.com/", "a=1"],
  ["a=1; Path=/; Domain=example.com", "https://sub.example.com/", undefined],
  ["a=1; Path=/; Domain=other.example", "https://example.com/", undefined],
  ["a=1; Path=/; Domain=other.example", "https://other.example/", undefined],
  ["a=1", "https://example.com/calls/menu", "a=1"],
  ["a=1", "https://example.com/calls", "a=1"],
  ["a=1", "https://example.com/callshop", undefined],
  ["a=1", "https://example.com/", undefined],
  ["a=1; Path=/calls/menu", "https://example.com/calls/menu/x", "a=1"],
  ["a=1; Path=/calls/menu", "https://example.com/calls/start", undefined],
  ["a=1; Path=/; Secure; HttpOnly; SameSite=Lax", "https://example.com/", "a=1"],
  ["a=1; Path=/; Secure", "http://example.com/", undefined],
  ["a=%20b%3D; Path=/", "https://example.com/", "a=%20b%3D"],
  ['a="x=y"; Path=/', "https://example.com/", 'a="x=y"'],
  ["a=; Path=/", "https://example.com/", "a="],
  ["=1; Path=/", "https://example.com/", undefined],
  ["a=ü; Path=/", "https://example.com/", undefined],
])("%s of a document is in a request to %s as %s", (header, url, sent) => {
  expect(jarOf(header).headerFor(url, NOW)).toBe(sent);
});

test("a cookie that came without TLS is not secure", () => {
  const jar = new CookieJar();
  jar.keep("http://example.com/", ["a=1; Secure", "b=2"], NOW);
  expect(jar.headerFor("https://example.com/", NOW)).toBe("b=2");
});

test("longer paths come first, then what was set first, also when it is set again", () => {
  const jar = jarOf("a=1; Path=/", "b=2; Path=/", "c=3; Path=/calls");
  jar.keep(FROM, ["a=4; Path=/"], later(1));
  expect(jar.headerFor(FROM, later(1))).toBe("c=3; a=4; b=2");
});

test("a cookie is gone after its time, and when it is set for a time that is over", () => {
  const jar = jarOf("a=1; Max-Age=10", "b=2; Expires=Thu, 01 Jan 2026 00:00:20 GMT", "c=3; Expires=soon", "d=4");
  expect(jar.headerFor(FROM, later(9))).toBe("a=1; b=2; c=3; d=4");
  expect(jar.headerFor(FROM, later(10))).toBe("b=2; c=3; d=4");
  expect(jar.headerFor(FROM, later(20))).toBe("c=3; d=4");
  jar.keep(FROM, ["c=; Max-Age=0", "d=; Expires=Thu, 01 Jan 1970 00:00:00 GMT"], later(20));
  expect(jar.headerFor(FROM, later(20))).toBeUndefined();
});

test("fifty cookies are kept, and four thousand octets; the oldest go first", () => {
  const many = jarOf(...Array.from({ length: 51 }, (_, at) => `n${at}=1`));
  expect(many.headerFor(FROM, NOW)?.split("; ")).toEqual(Array.from({ length: 50 }, (_, at) => `n${at + 1}=1`));
  const large = "x".repeat(3_000);
  expect(jarOf("old=1", `a=${large}`, `b=${large}`).headerFor(FROM, NOW)).toBe(`b=${large}`);
  expect(jarOf("old=1", `a=${"x".repeat(4_094)}`, `b=${"x".repeat(4_095)}`).headerFor(FROM, NOW)).toHaveLength(4_096);
  expect(jarOf(`a=1${";".repeat(16_000)}`).headerFor(FROM, NOW)).toBeUndefined();
});

test("whatever is set, what is sent is bounded and fits a header", () => {
  const header = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.stringMatching(/^[ab]=[\x20-\xff]{0,5000}(;(Path|Domain|Max-Age|Expires|Secure)(=[\x20-\x7e]{0,20})?){0,40}$/),
    fc.nat({ max: 5_000 }).map((count) => `a=1${";".repeat(count)}`),
  );
  fc.assert(
    fc.property(fc.array(header, { maxLength: 60 }), (headers) => {
      expect(jarOf(...headers).headerFor(FROM, NOW) ?? "").toMatch(/^[\x20-\x7e]{0,4096}$/);
    }),
  );
});
