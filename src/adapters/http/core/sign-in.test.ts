import { expect, test } from "vitest";
import { signIn } from "./sign-in.ts";

/** The subject under which a failed sign-in from this address is counted. */
async function countedUnder(ip: string): Promise<string> {
  const subjects: string[] = [];
  const limits = {
    async take(subject: string) {
      subjects.push(subject);
      return { admitted: true, remaining: 1, resetSeconds: 1 };
    },
  };
  const credentials = {
    account: async () => undefined,
    operator: async () => undefined,
    session: async () => undefined,
  };
  const authorization = `Basic ${Buffer.from("AC:guess").toString("base64")}`;
  await signIn({ credentials, limits }, "account", { ip, method: "GET", headers: { authorization } });
  expect(subjects).toHaveLength(1);
  return subjects[0] as string;
}

test.each([
  ["2001:db8::1", "2001:db8::ffff:1:2:3"],
  ["2001:db8::1", "2001:db8:0:0:1::"],
  ["2001:db8:1:2::3", "2001:0db8:0001:0002:9:9:9:9"],
  ["fe80::1%eth0", "fe80::2%eth1"],
  ["203.0.113.1", "::ffff:203.0.113.1"],
  ["unknown", "203.0.113.1:8080"],
])("guesses from %s and %s share one count", async (one, other) => {
  expect(await countedUnder(other)).toBe(await countedUnder(one));
});

test.each([
  ["2001:db8::1", "2001:db8:0:1::1"],
  ["2001:db8:0:1::1", "2001:db8:1::1"],
  ["::ffff:203.0.113.1", "::ffff:203.0.113.2"],
  ["::ffff:203.0.113.1", "::1"],
  ["203.0.113.1", "203.0.113.2"],
])("guesses from %s and %s are counted apart", async (one, other) => {
  expect(await countedUnder(other)).not.toBe(await countedUnder(one));
});
