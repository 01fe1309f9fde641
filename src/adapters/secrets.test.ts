import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { digestOfToken, secretBox, tokenMaker } from "./secrets.ts";

describe("a token", () => {
  test("is 256 random bits in letters that need no escaping, and never the same", () => {
    const tokens = Array.from({ length: 1000 }, () => tokenMaker.make());
    for (const { text, digest } of tokens) {
      expect(text).toMatch(/^[A-Za-z0-9_-]{43}$/);
      expect(digest).toStrictEqual(digestOfToken(text));
    }
    expect(new Set(tokens.map(({ text }) => text)).size).toBe(1000);
  });
});

describe("the box", () => {
  const key = randomBytes(32);
  const box = secretBox(key);

  test("opens what it sealed, whatever the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        expect(box.open(box.seal(text))).toBe(text);
      }),
    );
  });

  test("seals the same text differently each time, and shows nothing of it", () => {
    const [first, second] = [box.seal("whsec_secret"), box.seal("whsec_secret")];
    expect(first.equals(second)).toBe(false);
    expect(first.includes("secret")).toBe(false);
  });

  test("opens nothing that was changed or cut anywhere", () => {
    const sealed = box.seal("whsec_secret");
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(() => box.open(changed), `byte ${at}`).toThrow();
      expect(() => box.open(sealed.subarray(0, at)), `cut at ${at}`).toThrow();
    }
  });

  test("opens nothing that another key sealed, and takes no key of another length", () => {
    expect(() => secretBox(randomBytes(32)).open(box.seal("secret"))).toThrow();
    for (const length of [0, 16, 31, 33]) expect(() => secretBox(randomBytes(length))).toThrow("32");
  });
});
