// Signed links to media that work for a limited time without credentials. A link gives access to one file only and
// cannot be forged.

import { createHmac } from "node:crypto";
import { isSameSignature } from "../secrets.ts";

export interface MediaLink {
  /** Seconds since 1970. */
  readonly expires: string;
  readonly signature: string;
}

export const MEDIA_LINK_MS = 7 * 24 * 60 * 60 * 1000;

export function signMediaLink(secret: Uint8Array, id: string, expiresOn: Date): MediaLink {
  const expires = String(Math.floor(expiresOn.getTime() / 1000));
  return { expires, signature: signatureOf(secret, id, expires).toString("base64url") };
}

export function verifyMediaLink(secret: Uint8Array, id: string, { expires, signature }: MediaLink, now: Date): boolean {
  if (!/^\d{1,12}$/.test(expires) || Number(expires) * 1000 <= now.getTime()) return false;
  return isSameSignature(Buffer.from(signature, "base64url"), signatureOf(secret, id, expires));
}

/** The first line separates this use of the secret from any other. */
function signatureOf(secret: Uint8Array, id: string, expires: string): Buffer {
  return createHmac("sha256", secret).update(`media link\n${expires}\n${id}`).digest();
}
