import { expect, test } from "vitest";
import { newSecretKey, SecretKeys } from "../secrets.ts";
import { MEDIA_LINK_MS, mediaLinks, signMediaLink, verifyMediaLink } from "./attachment-links.ts";

const secret = Buffer.alloc(32, 7);
const now = new Date("2026-05-04T03:02:01Z");
const later = (ms: number) => new Date(now.getTime() + ms);

test("a link works for a week and no longer", () => {
  const link = signMediaLink(secret, "ME1", later(MEDIA_LINK_MS));
  expect(verifyMediaLink(secret, "ME1", link, now)).toBe(true);
  expect(verifyMediaLink(secret, "ME1", link, later(MEDIA_LINK_MS - 1000))).toBe(true);
  expect(verifyMediaLink(secret, "ME1", link, later(MEDIA_LINK_MS))).toBe(false);
});

test("a link for one thing is no link for another, for longer, or by another secret", () => {
  const link = signMediaLink(secret, "ME1", later(1000));
  const { expires, signature } = link;
  expect(verifyMediaLink(secret, "ME2", link, now)).toBe(false);
  expect(verifyMediaLink(secret, "ME1", { expires: String(Number(expires) + 1), signature }, now)).toBe(false);
  expect(verifyMediaLink(Buffer.alloc(32, 8), "ME1", link, now)).toBe(false);
  for (const wrong of ["", "x", signature.slice(1), `${signature}AAAA`, "💥"]) {
    expect(verifyMediaLink(secret, "ME1", { expires, signature: wrong }, now)).toBe(false);
  }
  for (const wrong of ["", "1e99", "-1", "9".repeat(20), `${expires} `, "NaN"]) {
    expect(verifyMediaLink(secret, "ME1", { expires: wrong, signature }, now)).toBe(false);
  }
});

test("a link works after the secret key was replaced, while the key before is known", () => {
  const [older, newer] = [newSecretKey(), newSecretKey()];
  const keys = new SecretKeys([older]);
  const links = mediaLinks("media links", keys);
  const link = links.sign("ME1", now);
  keys.replace([newer, older]);
  expect(links.verify("ME1", link, now)).toBe(true);
  expect(mediaLinks("recording links", keys).verify("ME1", link, now)).toBe(false);
  expect(links.sign("ME1", now)).not.toStrictEqual(link);
  expect(links.verify("ME1", links.sign("ME1", now), now)).toBe(true);
  keys.replace([newer]);
  expect(links.verify("ME1", link, now)).toBe(false);
});
