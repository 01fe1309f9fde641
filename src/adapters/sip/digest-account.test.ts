import { expect, test } from "vitest";
import {
  authorizationValue,
  digestFields,
  digestResponse,
  expectedResponse,
  parseCredentials,
  pickChallenge,
} from "../../wire/sip/digest.ts";
import { digestHash } from "./digest-account.ts";

const challengeOf = (...values: string[]) => {
  const challenge = pickChallenge(values);
  if (!challenge) throw new Error("no challenge");
  return challenge;
};

test.each([
  ["MD5", "8ca523f5e9506fed4657c9700eebdbec"],
  ["SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"],
])("the example of RFC 7616 3.9.1 with %s", (algorithm, response) => {
  const challenge = challengeOf(
    `Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=${algorithm}, ` +
      `nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"`,
  );
  const use = { count: 1, cnonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ" };
  const account = { username: "Mufasa", password: "Circle of Life" };
  const request = { method: "GET", uri: "/dir/index.html", body: "" };
  expect(digestResponse(challenge, account, request, use, digestHash)).toBe(response);
});

test("SHA-512-256 is the truncated hash of FIPS 180-4", () => {
  const hash = "53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23";
  expect(digestHash("SHA-512-256", "abc")).toBe(hash);
});

test("the first challenge that we know is answered, as the peer prefers them", () => {
  const chosen = challengeOf(
    'Digest realm="r", nonce="n", algorithm=TTH',
    'Digest realm="r", nonce="n", algorithm=SHA-512-256, qop="auth"',
    'Digest realm="r", nonce="n"',
  );
  expect(chosen).toMatchObject({ algorithm: "SHA-512-256", qop: "auth", isStale: false });
  expect(pickChallenge(['NTLM realm="x"', 'Digest realm="r", nonce="n", qop="foo"'])).toBeUndefined();
  expect(challengeOf('Digest realm="r",nonce="n",stale=TRUE').isStale).toBe(true);
});

test.each(["MD5", "SHA-256", "SHA-512-256"])("what we write with %s is what we take, and nothing else", (algorithm) => {
  const challenge = challengeOf(`Digest realm="a \\"realm\\"", nonce="n,1", algorithm=${algorithm}, qop="auth"`);
  const account = { username: 'al"ice', password: "secret" };
  const request = { method: "INVITE", uri: "sip:bob@example.com", body: "" };
  const value = authorizationValue(challenge, account, request, { count: 2, cnonce: "c" }, digestHash);
  const credentials = parseCredentials(value);
  if (!credentials) throw new Error(value);
  expect(credentials).toMatchObject({ username: 'al"ice', realm: 'a "realm"', nonce: "n,1", count: 2, qop: "auth" });
  expect(expectedResponse(credentials, "secret", request, digestHash)).toBe(credentials.response);
  expect(expectedResponse(credentials, "Secret", request, digestHash)).not.toBe(credentials.response);
  expect(expectedResponse(credentials, "secret", { ...request, method: "BYE" }, digestHash)).not.toBe(
    credentials.response,
  );
});

test.each([
  "",
  "Digest",
  "Digest x",
  'Digest realm="r',
  "Digest =,=",
  `Digest ${Array.from({ length: 40 }, (_, at) => `a${at}=b`).join(", ")}`,
  "Basic abc",
])("%j is no digest", (value) => {
  expect(digestFields(value)).toBeUndefined();
  expect(parseCredentials(value)).toBeUndefined();
});
