// Checks the credentials of trunks that authenticate by digest.
//
// Guarantees: a nonce is ours, was given to the same address a few minutes ago at most, and is accepted once with each
// count; credentials are for the URI of the request. A wrong password, a user that does not exist and one guess too
// many get the same answer as no credentials, at the same cost. A challenge that is not answered leaves no state.

import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { forgetOldest } from "../../base/forget-oldest.ts";
import type { Log } from "../../base/log.ts";
import { type DigestAlgorithm, expectedResponse, isForUri, parseCredentials } from "../../wire/sip/digest.ts";
import type { SipMessage } from "../../wire/sip/message.ts";
import { writeResponse } from "../../wire/sip/write.ts";
import { credentialsText, type DigestAccount, digestHash } from "./digest-account.ts";
import { DigestAttempts } from "./digest-attempts.ts";
import type { Flow } from "./flow.ts";
import { randomText } from "./random-text.ts";

export type DigestVerdict =
  | { readonly kind: "known"; readonly username: string }
  /** Answer 401 with these lines. */
  | { readonly kind: "challenge"; readonly lines: string };

const REALM = "tandem";
const NONCE_MS = 300_000;
const USED_MAX = 10_000;
const DIGESTS: readonly DigestAlgorithm[] = ["SHA-256", "MD5"];

export class CallerDigest {
  readonly #elapsedMs: () => number;
  readonly #log: Log;
  /** Offered, in order of preference. */
  readonly #digests: readonly DigestAlgorithm[];
  readonly #key = randomBytes(32);
  readonly #attempts: DigestAttempts;
  /** The highest count that each nonce was used with. */
  readonly #used = new Map<string, number>();

  constructor(elapsedMs: () => number, log: Log, digests = DIGESTS) {
    this.#digests = digests;
    this.#elapsedMs = elapsedMs;
    this.#log = log;
    this.#attempts = new DigestAttempts(elapsedMs);
  }

  check(message: SipMessage, address: string, accounts: readonly DigestAccount[]): DigestVerdict {
    const text = credentialsText(message);
    const credentials = text === undefined ? undefined : parseCredentials(text);
    if (!credentials || credentials.realm !== REALM || !this.#digests.includes(credentials.algorithm))
      return this.#challenge(address, false);
    // Before the password, so that an old nonce, or that of another address, is no way to guess without being counted.
    if (!this.#isFresh(credentials.nonce, address)) return this.#challenge(address, true);
    const { username } = credentials;
    const account = accounts.find((one) => one.username === username);
    const expected = expectedResponse(credentials, account?.password ?? "", message, digestHash);
    const isRight = isSame(expected, credentials.response);
    if (!this.#attempts.mayTry(username, address)) return this.#challenge(address, false);
    if (!account || !isRight) {
      if (this.#attempts.failed(username, address)) {
        this.#log.warn({ address }, "too many wrong passwords; the address is not heard for a minute");
      }
      return this.#challenge(address, false);
    }
    if (!isForUri(credentials, message.uri)) return this.#challenge(address, false);
    // Without a count, which we ask for, an eavesdropper could replay the credentials.
    if (credentials.qop === undefined) return this.#challenge(address, false);
    // RFC 7616 3.4: a count that was seen is a replay.
    if (credentials.count <= (this.#used.get(credentials.nonce) ?? 0)) return this.#challenge(address, true);
    this.#used.delete(credentials.nonce);
    this.#used.set(credentials.nonce, credentials.count);
    forgetOldest(this.#used, USED_MAX);
    this.#attempts.proven(username, address);
    return { kind: "known", username };
  }

  #challenge(address: string, isStale: boolean): DigestVerdict {
    const nonce = this.#nonce(Math.floor(this.#elapsedMs()), address);
    const stale = isStale ? ", stale=true" : "";
    const lines = this.#digests.map(
      (algorithm) =>
        `WWW-Authenticate: Digest realm="${REALM}", nonce="${nonce}", algorithm=${algorithm}, qop="auth"${stale}\r\n`,
    );
    return { kind: "challenge", lines: lines.join("") };
  }

  /** The time, and its HMAC with the address, so that no nonce has to be stored. */
  #nonce(ms: number, address: string): string {
    const time = ms.toString(36);
    return `${time}.${createHmac("sha256", this.#key).update(`${time} ${address}`).digest("hex").slice(0, 32)}`;
  }

  #isFresh(nonce: string, address: string): boolean {
    const ms = Number.parseInt(nonce.split(".")[0] ?? "", 36);
    if (!Number.isSafeInteger(ms) || !isSame(this.#nonce(ms, address), nonce)) return false;
    return this.#elapsedMs() - ms <= NONCE_MS;
  }
}

function isSame(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Stateless: no transaction for unauthenticated senders. */
export function sendChallenge(message: SipMessage, flow: Flow, lines: string): void {
  flow.send(Buffer.from(writeResponse(message, flow, { status: 401, toTag: randomText(6), lines }), "latin1"));
}
