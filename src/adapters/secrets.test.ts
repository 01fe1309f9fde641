import { createCipheriv, randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { secretBox } from "../../test/fakes/secret-box.ts";
import { digestOfToken, newSecretKey, readSecretKeys, SecretKeys, secretKey, tokenMaker } from "./secrets.ts";

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

describe("several keys", () => {
  const [older, newer] = [newSecretKey(), newSecretKey()];

  test("seal with the first and open with all", () => {
    const both = new SecretKeys([newer, older]);
    expect(both.open(new SecretKeys([older]).seal("before"))).toBe("before");
    expect(new SecretKeys([newer]).open(both.seal("after"))).toBe("after");
    expect(() => new SecretKeys([older]).open(both.seal("after"))).toThrow();
    both.replace([older, newer]);
    expect(new SecretKeys([older]).open(both.seal("again"))).toBe("again");
  });

  test("open values of earlier versions, which do not name their key", () => {
    const nonce = randomBytes(12);
    const cipher = createCipheriv("aes-256-gcm", older.octets, nonce);
    const text = Buffer.concat([cipher.update("of before"), cipher.final()]);
    const sealed = Buffer.concat([nonce, cipher.getAuthTag(), text]);
    expect(new SecretKeys([newer, older]).open(sealed)).toBe("of before");
    expect(() => new SecretKeys([newer]).open(sealed)).toThrow("none of the secret keys");
  });

  test("are read again when none of them fits", () => {
    let asked = 0;
    const keys = new SecretKeys([older], () => {
      asked += 1;
      return [newer, older];
    });
    expect(keys.open(keys.seal("own"))).toBe("own");
    expect(asked).toBe(0);
    expect(keys.open(new SecretKeys([newer]).seal("after"))).toBe("after");
    expect(asked).toBe(1);
  });

  test("are written in hex or base64, with commas or lines between them", () => {
    const [hex, base64] = [Buffer.from(older.octets).toString("hex"), Buffer.from(newer.octets).toString("base64")];
    for (const text of [`${hex},${base64}`, `${hex}\n${base64}\n`, ` ${hex} , ${base64}, ${hex}`]) {
      expect(readSecretKeys(text)).toStrictEqual([older, newer]);
    }
    for (const text of ["", " ,\n", "short", `${hex},short`, `${hex}00`]) expect(readSecretKeys(text)).toBeUndefined();
    expect(secretKey(older.octets).id.toString("hex")).not.toBe(hex.slice(0, 16));
  });
});
