import { expect, test } from "vitest";
import { DigestAttempts } from "./digest-attempts.ts";

function world() {
  let nowMs = 0;
  const attempts = new DigestAttempts(() => nowMs);
  const fail = (times: number, user: string, address: (at: number) => string) => {
    for (let at = 0; at < times; at++) if (attempts.mayTry(user, address(at))) attempts.failed(user, address(at));
  };
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return { attempts, fail, pass };
}

test("an address may guess ten times a minute, whosever password", () => {
  const { attempts, fail, pass } = world();
  fail(5, "pbx", () => "192.0.2.1");
  fail(5, "nobody", () => "192.0.2.1");
  expect(attempts.mayTry("pbx", "192.0.2.1")).toBe(false);
  expect(attempts.mayTry("other", "192.0.2.1")).toBe(false);
  expect(attempts.mayTry("pbx", "192.0.2.2")).toBe(true);
  pass(60_000);
  expect(attempts.mayTry("pbx", "192.0.2.1")).toBe(true);
});

test("a site has one share, whatever addresses of IPv6 it takes", () => {
  const { attempts, fail } = world();
  fail(10, "pbx", (at) => `2001:db8::${at}`);
  expect(attempts.mayTry("pbx", "2001:db8::ffff")).toBe(false);
  expect(attempts.mayTry("pbx", "2001:db8:0:1::1")).toBe(true);
});

test.each(["pbx", "nobody"])("the password of %s is guessed thirty times a minute from all addresses", (user) => {
  const { attempts, fail, pass } = world();
  fail(40, user, (at) => `192.0.2.${at}`);
  expect(attempts.mayTry(user, "192.0.2.200")).toBe(false);
  expect(attempts.mayTry("other", "192.0.2.200")).toBe(true);
  pass(60_000);
  expect(attempts.mayTry(user, "192.0.2.200")).toBe(true);
});

test("who has proven a user goes on where it did, while others guess elsewhere", () => {
  const { attempts, fail } = world();
  attempts.proven("pbx", "198.51.100.7");
  fail(40, "pbx", (at) => `192.0.2.${at}`);
  expect(attempts.mayTry("pbx", "198.51.100.7")).toBe(true);
  expect(attempts.mayTry("pbx", "192.0.2.200")).toBe(false);
});
