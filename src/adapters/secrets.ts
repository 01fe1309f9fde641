// Secrets: tokens that are shown once and stored as digests, and encryption of what must be stored and read again.

import { createCipheriv, createDecipheriv, hash, randomBytes, timingSafeEqual } from "node:crypto";
import type { NewToken, TokenMaker } from "../domain/accounts/index.ts";

const TOKEN_BYTES = 32;

/** Compares in constant time. */
export function isSameSignature(given: Uint8Array, wanted: Uint8Array): boolean {
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

/** A token is random and long, so one round of SHA-256 is as good as a slow hash and does not burden each request. */
export function digestOfToken(token: string): Buffer {
  return hash("sha256", token, "buffer");
}

export const tokenMaker: TokenMaker = {
  make(): NewToken {
    const text = randomBytes(TOKEN_BYTES).toString("base64url");
    return { text, digest: digestOfToken(text) };
  },
};

export interface SecretBox {
  seal(text: string): Buffer;
  open(sealed: Uint8Array): string;
}

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Without it Node would accept a tag that was cut to four bytes. */
const TAG = { authTagLength: TAG_BYTES };

/** AES-256-GCM: nonce, tag, ciphertext. */
export function secretBox(key: Uint8Array): SecretBox {
  if (key.length !== KEY_BYTES) throw new Error(`the secret key has ${key.length} bytes, not ${KEY_BYTES}`);
  return {
    seal(text) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", key, nonce, TAG);
      const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
    },
    open(sealed) {
      const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, NONCE_BYTES), TAG);
      decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      const rest = sealed.subarray(NONCE_BYTES + TAG_BYTES);
      return Buffer.concat([decipher.update(rest), decipher.final()]).toString("utf8");
    },
  };
}
