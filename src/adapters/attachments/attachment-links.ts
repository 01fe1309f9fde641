// Signed links to media that work for a limited time without credentials. A link gives access to one file only and
// cannot be forged. Links are signed with the secret key; those signed with a replaced key work until they expire.

import { createHmac, hash } from "node:crypto";
import { isSameSignature, type SecretKey, type SecretKeys } from "../secrets.ts";

export interface MediaLink {
  /** Seconds since 1970. */
  readonly expires: string;
  readonly signature: string;
}

export const MEDIA_LINK_MS = 7 * 24 * 60 * 60 * 1000;

/** `use` separates the links of one kind of media from those of another. */
export function mediaLinks(use: string, keys: Pick<SecretKeys, "all">) {
  const secretOf = ({ octets }: SecretKey) => hash("sha256", Buffer.concat([Buffer.from(`${use} `), octets]), "buffer");
  return {
    sign: (id: string, now: Date) =>
      signMediaLink(secretOf(keys.all[0] as SecretKey), id, new Date(now.getTime() + MEDIA_LINK_MS)),
    verify: (id: string, link: MediaLink, now: Date) =>
      keys.all.some((key) => verifyMediaLink(secretOf(key), id, link, now)),
  };
}

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
