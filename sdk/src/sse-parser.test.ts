import fc from "fast-check";
import { expect, test } from "vitest";
import { type SseMessage, SseParser } from "./sse-parser.ts";

const encode = (text: string) => new TextEncoder().encode(text);

function read(text: string, lengthMax?: number): readonly SseMessage[] {
  return new SseParser(lengthMax).feed(encode(text));
}

test("id, type and data make a message", () => {
  expect(read("id: 7\nevent: Greeting\ndata: hello\n\n")).toEqual([{ id: "7", type: "Greeting", data: "hello" }]);
});

test("comments, unknown fields and messages without data say nothing", () => {
  expect(read(": still here\n\nnonsense: x\nretry: 5\nid: 1\n\n")).toEqual([]);
});

test("lines end in LF, CR LF or CR", () => {
  const wanted = { id: "1", type: "message", data: "a\nb" };
  for (const end of ["\n", "\r\n", "\r"]) {
    expect(read(["id:1", "data:a", "data: b", "", ""].join(end))).toEqual([wanted]);
  }
});

test("only one space after the colon is not part of the value, and a field may have none", () => {
  expect(read("data:  a\ndata\ndata:b: c\n\n")).toEqual([{ id: "", type: "message", data: " a\n\nb: c" }]);
});

test("an id holds for the messages after it, a type does not", () => {
  expect(read("id: 1\nevent: A\ndata: x\n\ndata: y\n\n")).toEqual([
    { id: "1", type: "A", data: "x" },
    { id: "1", type: "message", data: "y" },
  ]);
});

test("an id with NUL is no id", () => {
  expect(read("id: 1\u0000\ndata: x\n\n")).toEqual([{ id: "", type: "message", data: "x" }]);
});

test("a byte order mark before the first line is not part of it", () => {
  expect(read("\ufeffdata: x\n\n")).toEqual([{ id: "", type: "message", data: "x" }]);
});

test("what is too long breaks the stream, in one line or in many, ended or not", () => {
  for (const text of ["data: 0123456789", "data: 01234\ndata: 01234\n", `: ${"x".repeat(20)}\n`]) {
    const parser = new SseParser(12);
    expect(parser.feed(encode(text))).toEqual([]);
    expect(parser.isBroken).toBe(true);
    expect(parser.feed(encode("\n\ndata: x\n\n"))).toEqual([]);
  }
  const fits = new SseParser(12);
  expect(fits.feed(encode("data: 01234\n\ndata: 01234\n\n"))).toHaveLength(2);
  expect(fits.isBroken).toBe(false);
});

/** Splits the bytes anywhere, as a network does, even within a character. */
function feedInPieces(bytes: Uint8Array, cuts: readonly number[]): readonly SseMessage[] {
  const parser = new SseParser();
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return places.slice(1).flatMap((end, at) => parser.feed(bytes.subarray(places[at], end)));
}

const line = fc.string({ unit: "binary" }).map((text) => text.replace(/[\r\n]/g, ".").replaceAll("\u0000", "."));
const message = fc.record({ id: line, type: line, data: fc.array(line, { minLength: 1, maxLength: 3 }) });
const lineEnd = fc.constantFrom("\n", "\r\n", "\r");

test("messages come out as they went in, however they are cut", () => {
  fc.assert(
    fc.property(fc.array(message), lineEnd, fc.array(fc.nat(), { maxLength: 30 }), (messages, end, cuts) => {
      const text = messages
        .map(({ data, id, type }) =>
          [`id: ${id}`, ": a comment", `event: ${type}`, ...data.map((part) => `data: ${part}`), "", ""].join(end),
        )
        .join("");
      const wanted = messages.map(({ data, id, type }) => ({ id, type: type || "message", data: data.join("\n") }));
      expect(feedInPieces(encode(text), cuts)).toEqual(wanted);
    }),
  );
});

test("any bytes are taken, and where they are cut makes no difference", () => {
  const noise = fc.array(fc.constantFrom(..."\r\n:dat id\u00e9\u0000".split("").map((c) => encode(c))));
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    noise.map((parts) => Uint8Array.from(parts.flatMap((part) => [...part]))),
  );
  fc.assert(
    fc.property(bytes, fc.array(fc.nat(), { maxLength: 20 }), (given, cuts) => {
      expect(feedInPieces(given, cuts)).toEqual(feedInPieces(given, []));
    }),
    { numRuns: 500 },
  );
});
