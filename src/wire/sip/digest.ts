// Digest authentication (RFC 2617, RFC 7616, RFC 8760) as text: challenges, credentials and their check. The hash
// function is passed in.

import { parseUri, type Uri, unescaped } from "../../../rules/sip-uri.ts";
import { tableOf } from "../../base/table.ts";
import { quoted, unquoted } from "./parameters.ts";

export type DigestAlgorithm = "MD5" | "SHA-256" | "SHA-512-256";
export type DigestHash = (algorithm: DigestAlgorithm, text: string) => string;

export interface Challenge {
  readonly realm: string;
  readonly nonce: string;
  readonly opaque: string | undefined;
  readonly algorithm: DigestAlgorithm;
  /** As written in the challenge; undefined when the challenge has none. */
  readonly algorithmText: string | undefined;
  readonly isSession: boolean;
  readonly qop: "auth" | "auth-int" | undefined;
  readonly isStale: boolean;
}

export interface Account {
  readonly username: string;
  readonly password: string;
}

/** Makes a response unique: the nonce count, and our own nonce. */
export interface NonceUse {
  readonly count: number;
  readonly cnonce: string;
}

export interface DigestRequest {
  readonly method: string;
  readonly uri: string;
  readonly body: string;
}

const ALGORITHMS = tableOf<DigestAlgorithm>({
  md5: "MD5",
  "sha-256": "SHA-256",
  "sha-512-256": "SHA-512-256",
});

/** The first challenge that we can answer (RFC 8760 2.4: the peer lists them in its order of preference). */
export function pickChallenge(values: readonly string[]): Challenge | undefined {
  for (const value of values) {
    const challenge = parseChallenge(value);
    if (challenge) return challenge;
  }
  return undefined;
}

function parseChallenge(value: string): Challenge | undefined {
  const fields = digestFields(value);
  const realm = fields?.get("realm");
  const nonce = fields?.get("nonce");
  if (!fields || realm === undefined || nonce === undefined) return undefined;
  const algorithmText = fields.get("algorithm");
  const written = (algorithmText ?? "MD5").toLowerCase();
  const isSession = written.endsWith("-sess");
  const algorithm = ALGORITHMS.get(isSession ? written.slice(0, -5) : written);
  const offered = fields
    .get("qop")
    ?.toLowerCase()
    .split(/[ \t,]+/);
  const qop = offered?.includes("auth") ? "auth" : offered?.includes("auth-int") ? "auth-int" : undefined;
  if (!algorithm || (offered && !qop)) return undefined;
  const isStale = fields.get("stale")?.toLowerCase() === "true";
  return { realm, nonce, opaque: fields.get("opaque"), algorithm, algorithmText, isSession, qop, isStale };
}

const FIELDS_MAX = 32;
const FIELD = /[ \t]*([A-Za-z0-9_-]+)[ \t]*=[ \t]*("(?:[^"\\]|\\.)*"|[^",; \t]*)[ \t]*(?:,|$)/gy;

/** The fields of `Digest name=value, …`: names in lower case, values without quotes; undefined for other schemes. */
export function digestFields(value: string): ReadonlyMap<string, string> | undefined {
  if (!/^Digest[ \t]/i.test(value) || value.length > 4096) return undefined;
  const fields = new Map<string, string>();
  FIELD.lastIndex = 7;
  for (let match = FIELD.exec(value); match; match = FIELD.exec(value)) {
    fields.set((match[1] ?? "").toLowerCase(), unquoted(match[2] ?? ""));
    if (fields.size > FIELDS_MAX) return undefined;
    if (FIELD.lastIndex >= value.length) return fields;
  }
  return undefined;
}

/** RFC 7616 3.4.1. */
export function digestResponse(
  challenge: Challenge,
  account: Account,
  request: DigestRequest,
  use: NonceUse,
  hash: DigestHash,
): string {
  const { algorithm, realm, nonce, qop } = challenge;
  const h = (text: string) => hash(algorithm, text);
  const plain = h(`${account.username}:${realm}:${account.password}`);
  const secret = challenge.isSession ? h(`${plain}:${nonce}:${use.cnonce}`) : plain;
  const action = `${request.method}:${request.uri}`;
  const a2 = h(qop === "auth-int" ? `${action}:${h(request.body)}` : action);
  return h(qop ? `${secret}:${nonce}:${countText(use.count)}:${use.cnonce}:${qop}:${a2}` : `${secret}:${nonce}:${a2}`);
}

function countText(count: number): string {
  return count.toString(16).padStart(8, "0");
}

/** The value of Authorization or Proxy-Authorization. */
export function authorizationValue(
  challenge: Challenge,
  account: Account,
  request: DigestRequest,
  use: NonceUse,
  hash: DigestHash,
): string {
  const response = digestResponse(challenge, account, request, use, hash);
  let value =
    `Digest username=${quoted(account.username)}, realm=${quoted(challenge.realm)}, ` +
    `nonce=${quoted(challenge.nonce)}, uri=${quoted(request.uri)}, response="${response}"`;
  if (challenge.algorithmText !== undefined) value += `, algorithm=${challenge.algorithmText}`;
  if (challenge.opaque !== undefined) value += `, opaque=${quoted(challenge.opaque)}`;
  if (challenge.qop) value += `, qop=${challenge.qop}, nc=${countText(use.count)}, cnonce="${use.cnonce}"`;
  return value;
}

/** Credentials sent by a peer. */
export interface Credentials {
  readonly username: string;
  readonly realm: string;
  readonly nonce: string;
  readonly uri: string;
  readonly response: string;
  readonly algorithm: DigestAlgorithm;
  readonly qop: "auth" | "auth-int" | undefined;
  readonly count: number;
  readonly cnonce: string;
}

export function parseCredentials(value: string): Credentials | undefined {
  const fields = digestFields(value);
  if (!fields) return undefined;
  const algorithm = ALGORITHMS.get((fields.get("algorithm") ?? "MD5").toLowerCase());
  const qop = fields.get("qop")?.toLowerCase();
  if (!algorithm || (qop !== undefined && qop !== "auth" && qop !== "auth-int")) return undefined;
  const nc = fields.get("nc") ?? "00000001";
  if (!/^[0-9a-f]{8}$/i.test(nc)) return undefined;
  return {
    username: fields.get("username") ?? "",
    realm: fields.get("realm") ?? "",
    nonce: fields.get("nonce") ?? "",
    uri: fields.get("uri") ?? "",
    response: (fields.get("response") ?? "").toLowerCase(),
    algorithm,
    qop,
    count: Number.parseInt(nc, 16),
    cnonce: fields.get("cnonce") ?? "",
  };
}

/**
 * RFC 3261 22.4, RFC 7616 3.4.6: credentials are for one Request-URI, so that an eavesdropper cannot call anyone else
 * with them. Only the called user is compared: proxies replace host names by addresses and change parameters.
 */
export function isForUri({ uri }: Pick<Credentials, "uri">, requestUri: string): boolean {
  if (uri === requestUri) return true;
  const [signed, called] = [parseUri(uri), parseUri(requestUri)];
  return signed !== undefined && called !== undefined && whomOf(signed) === whomOf(called);
}

function whomOf(uri: Uri): string {
  if (uri.scheme === "other") return uri.text;
  const [whom = ""] = ("user" in uri ? unescaped(uri.user) : uri.number).split(";");
  return whom;
}

/** The response of a peer that knows the password. */
export function expectedResponse(
  credentials: Credentials,
  password: string,
  request: Pick<DigestRequest, "method" | "body">,
  hash: DigestHash,
): string {
  const { username, realm, nonce, uri, algorithm, qop, count, cnonce } = credentials;
  const challenge = { realm, nonce, algorithm, qop, isSession: false, opaque: undefined, algorithmText: undefined };
  return digestResponse(
    { ...challenge, isStale: false },
    { username, password },
    { method: request.method, uri, body: request.body },
    { count, cnonce },
    hash,
  );
}
