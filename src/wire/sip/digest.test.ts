import { expect, test } from "vitest";
import {
  authorizationValue,
  type DigestHash,
  digestFields,
  digestResponse,
  expectedResponse,
  isForUri,
  parseCredentials,
  pickChallenge,
} from "./digest.ts";

/** Shows what is hashed. */
const hash: DigestHash = (algorithm, text) => `${algorithm}(${text})`;
const ACCOUNT = { username: "alice", password: "secret" };
const REQUEST = { method: "INVITE", uri: "sip:bob@example.com", body: "v=0" };
const USE = { count: 10, cnonce: "c" };

const challengeOf = (value: string) => {
  const challenge = pickChallenge([value]);
  if (!challenge) throw new Error("no challenge");
  return challenge;
};

test.each([
  ['Digest realm="r", nonce="n"', "MD5(MD5(alice:r:secret):n:MD5(INVITE:sip:bob@example.com))"],
  [
    'Digest realm="r", nonce="n", qop="auth", algorithm=SHA-256',
    "SHA-256(SHA-256(alice:r:secret):n:0000000a:c:auth:SHA-256(INVITE:sip:bob@example.com))",
  ],
  [
    'Digest realm="r", nonce="n", qop=auth-int',
    "MD5(MD5(alice:r:secret):n:0000000a:c:auth-int:MD5(INVITE:sip:bob@example.com:MD5(v=0)))",
  ],
  [
    'Digest realm="r", nonce="n", algorithm=MD5-sess',
    "MD5(MD5(MD5(alice:r:secret):n:c):n:MD5(INVITE:sip:bob@example.com))",
  ],
])("%s is answered as RFC 7616 3.4.1 says", (value, response) => {
  expect(digestResponse(challengeOf(value), ACCOUNT, REQUEST, USE, hash)).toBe(response);
});

test("credentials repeat what the challenge has, and nothing that it has not", () => {
  const head = 'Digest username="alice", realm="r", nonce="n", uri="sip:bob@example.com", response="x"';
  const credentialsFor = (value: string) => authorizationValue(challengeOf(value), ACCOUNT, REQUEST, USE, () => "x");
  expect(credentialsFor('Digest realm="r", nonce="n"')).toBe(head);
  expect(credentialsFor('Digest realm="r", nonce="n", opaque="o", algorithm=md5, qop="auth"')).toBe(
    `${head}, algorithm=md5, opaque="o", qop=auth, nc=0000000a, cnonce="c"`,
  );
});

test.each([
  'Digest realm="r"',
  'Digest nonce="n"',
  'Digest realm="r", nonce="n", qop="other"',
  'Digest realm="r", nonce="n", algorithm=other',
  'Basic realm="r", nonce="n"',
  'Digest realm="r" nonce="n"',
  'Digest realm="r, nonce=n',
])("%s is no challenge that we can answer", (value) => {
  expect(pickChallenge([value])).toBeUndefined();
});

test("auth is preferred to auth-int, and stale is read in any case", () => {
  expect(challengeOf('Digest realm="r", nonce="n", qop="auth-int, auth"')).toMatchObject({
    qop: "auth",
    isStale: false,
    isSession: false,
  });
  expect(challengeOf('Digest realm="r", nonce="n", stale=True, algorithm=SHA-256-sess')).toMatchObject({
    isStale: true,
    isSession: true,
    algorithm: "SHA-256",
  });
});

test("fields are read up to a bound on their number and length", () => {
  const numbered = (count: number) => `Digest ${Array.from({ length: count }, (_, at) => `f${at}=1`).join(", ")}`;
  expect(digestFields(numbered(32))?.size).toBe(32);
  expect(digestFields(numbered(33))).toBeUndefined();
  const long = (length: number) => `Digest a=${"x".repeat(length - 9)}`;
  expect(digestFields(long(4096))?.size).toBe(1);
  expect(digestFields(long(4097))).toBeUndefined();
});

test("a peer's credentials are read, with defaults for what may be missing", () => {
  expect(parseCredentials("Digest response=AB")).toEqual({
    username: "",
    realm: "",
    nonce: "",
    uri: "",
    response: "ab",
    algorithm: "MD5",
    qop: undefined,
    count: 1,
    cnonce: "",
  });
  const full =
    'Digest username="u", realm="r", nonce="n", uri="sip:a", response="1", algorithm=SHA-256, qop=auth-int, nc=0000000f, cnonce="c"';
  expect(parseCredentials(full)).toEqual({
    username: "u",
    realm: "r",
    nonce: "n",
    uri: "sip:a",
    response: "1",
    algorithm: "SHA-256",
    qop: "auth-int",
    count: 15,
    cnonce: "c",
  });
  expect(parseCredentials("Digest response=1, qop=AUTH")).toMatchObject({ qop: "auth" });
});

test.each(["Basic x=y", "Digest qop=other", "Digest algorithm=other", "Digest nc=1"])(
  "%s is not read as credentials",
  (value) => {
    expect(parseCredentials(value)).toBeUndefined();
  },
);

test("the expected response is the one that who knows the password sends", () => {
  const challenge = challengeOf('Digest realm="r", nonce="n", qop="auth-int"');
  const credentials = parseCredentials(authorizationValue(challenge, ACCOUNT, REQUEST, USE, () => "x"));
  expect(credentials && expectedResponse(credentials, "secret", REQUEST, hash)).toBe(
    digestResponse(challenge, ACCOUNT, REQUEST, USE, hash),
  );
});

test.each([
  ["sip:bob@example.com", "sip:bob@192.0.2.1;transport=tcp", true],
  ["sip:b%6Fb@example.com", "sip:bob@example.com", true],
  ["tel:+14155550100", "sip:+14155550100@example.com", true],
  ["no URI", "no URI", true],
  ["sip:bob@example.com", "sip:carol@example.com", false],
  ["no URI", "sip:bob@example.com", false],
  ["sip:bob@example.com", "no URI", false],
  ["no URI", "another", false],
  ["urn:one", "urn:other", false],
  ["urn:one", "sip:bob@example.com", false],
])("credentials for %s fit a request to %s: %s", (uri, requestUri, isFit) => {
  expect(isForUri({ uri }, requestUri)).toBe(isFit);
});
