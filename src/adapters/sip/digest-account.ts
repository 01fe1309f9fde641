// Answers digest challenges with the credentials of a trunk, and counts how often each nonce was used.

import { createHash } from "node:crypto";
import { forgetOldest } from "../../base/forget-oldest.ts";
import { authorizationValue, type DigestAlgorithm, pickChallenge } from "../../wire/sip/digest.ts";
import { fieldsOf, headerOf, type SipMessage } from "../../wire/sip/message.ts";
import { fieldLine, type RequestDraft } from "../../wire/sip/write.ts";
import { randomText } from "./random-text.ts";

export interface DigestAccount {
  readonly username: string;
  readonly password: string;
  readonly realm: string | undefined;
}

const HASHES: Readonly<Record<DigestAlgorithm, string>> = {
  MD5: "md5",
  "SHA-256": "sha256",
  "SHA-512-256": "sha512-256",
};

/** Of octets (see wire/sip/octets.ts), in hex. */
export function digestHash(algorithm: DigestAlgorithm, text: string): string {
  return createHash(HASHES[algorithm]).update(text, "latin1").digest("hex");
}

/** The header line with which the request is sent again; undefined when there is no challenge that can be answered. */
export function answerChallenge(
  account: DigestAccount | undefined,
  response: SipMessage,
  draft: RequestDraft,
): string | undefined {
  const isProxy = response.status === 407;
  if (!account || (response.status !== 401 && !isProxy)) return undefined;
  // Each field is one challenge; the commas inside it separate its own values.
  const challenge = pickChallenge(fieldsOf(response, isProxy ? "proxy-authenticate" : "www-authenticate"));
  if (!challenge || (account.realm !== undefined && account.realm !== challenge.realm)) return undefined;
  const name = isProxy ? "Proxy-Authorization" : "Authorization";
  // Credentials that were refused are not sent again, unless only the nonce was too old.
  if (!challenge.isStale && hasLine(draft.lines, name, challenge.realm)) return undefined;
  const use = { count: countUse(account, challenge.nonce), cnonce: randomText(8) };
  const request = { method: draft.method, uri: draft.uri, body: draft.body };
  return fieldLine(name, authorizationValue(challenge, account, request, use, digestHash));
}

/** How often each account used each nonce. */
const uses = new WeakMap<DigestAccount, Map<string, number>>();
const NONCES_MAX = 1000;

/** RFC 7616 3.4: a nonce may be reused, and each of its uses has the next count. */
function countUse(account: DigestAccount, nonce: string): number {
  const counts = uses.get(account) ?? new Map<string, number>();
  uses.set(account, counts);
  const count = (counts.get(nonce) ?? 0) + 1;
  counts.delete(nonce);
  counts.set(nonce, count);
  forgetOldest(counts, NONCES_MAX);
  return count;
}

function hasLine(lines: string, name: string, realm: string): boolean {
  return lines.split("\r\n").some((line) => line.startsWith(`${name}: `) && line.includes(`realm="${realm}"`));
}

/** The credentials of the message; undefined when it has none. */
export function credentialsText(message: SipMessage): string | undefined {
  return headerOf(message, "authorization") ?? headerOf(message, "proxy-authorization");
}
