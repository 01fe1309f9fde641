// Checks the credentials of trunks that authenticate by digest.
//
// Guarantees: a nonce is ours, not older than a few minutes, and accepted once with each count; credentials are for the
// URI of the request; a wrong password gets the same answer as no credentials. A challenge that is not answered leaves
// no state.

import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { forgetOldest } from "../../base/forget-oldest.ts";
import { expectedResponse, isForUri, parseCredentials } from "../../wire/sip/digest.ts";
import type { SipMessage } from "../../wire/sip/message.ts";
import { credentialsText, type DigestAccount, digestHash } from "./digest-account.ts";

export type DigestVerdict =
  | { readonly kind: "known"; readonly username: string }
  /** Answer 401 with these lines. */
  | { readonly kind: "challenge"; readonly lines: string };

const REALM = "tandem";
const NONCE_MS = 300_000;
const USED_MAX = 10_000;
const ALGORITHMS = ["SHA-256", "MD5"] as const;

export class CallerDigest {
  readonly #elapsedMs: () => number;
  readonly #key = randomBytes(32);
  /** The highest count that each nonce was used with. */
  readonly #used = new Map<string, number>();

  constructor(elapsedMs: () => number) {
    this.#elapsedMs = elapsedMs;
  }

  check(message: SipMessage, accounts: readonly DigestAccount[]): DigestVerdict {
    const text = credentialsText(message);
    const credentials = text === undefined ? undefined : parseCredentials(text);
    if (!credentials || credentials.realm !== REALM) return this.#challenge(false);
    const account = accounts.find(({ username }) => username === credentials.username);
    const expected = expectedResponse(credentials, account?.password ?? "", message, digestHash);
    if (!account || !isSame(expected, credentials.response)) return this.#challenge(false);
    if (!isForUri(credentials, message.uri)) return this.#challenge(false);
    // Without a count, which we ask for, an eavesdropper could replay the credentials.
    if (credentials.qop === undefined) return this.#challenge(false);
    if (!this.#isFresh(credentials.nonce)) return this.#challenge(true);
    // RFC 7616 3.4: a count that was seen is a replay.
    if (credentials.count <= (this.#used.get(credentials.nonce) ?? 0)) return this.#challenge(true);
    this.#used.delete(credentials.nonce);
    this.#used.set(credentials.nonce, credentials.count);
    forgetOldest(this.#used, USED_MAX);
    return { kind: "known", username: account.username };
  }

  #challenge(isStale: boolean): DigestVerdict {
    const nonce = this.#nonce(Math.floor(this.#elapsedMs()));
    const stale = isStale ? ", stale=true" : "";
    const lines = ALGORITHMS.map(
      (algorithm) =>
        `WWW-Authenticate: Digest realm="${REALM}", nonce="${nonce}", algorithm=${algorithm}, qop="auth"${stale}\r\n`,
    );
    return { kind: "challenge", lines: lines.join("") };
  }

  /** The time and its HMAC, so that no nonce has to be stored. */
  #nonce(ms: number): string {
    const time = ms.toString(36);
    return `${time}.${createHmac("sha256", this.#key).update(time).digest("hex").slice(0, 32)}`;
  }

  #isFresh(nonce: string): boolean {
    const ms = Number.parseInt(nonce.split(".")[0] ?? "", 36);
    if (!Number.isSafeInteger(ms) || !isSame(this.#nonce(ms), nonce)) return false;
    return this.#elapsedMs() - ms <= NONCE_MS;
  }
}

function isSame(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
