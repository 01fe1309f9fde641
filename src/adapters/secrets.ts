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
  /** The caller must start to store the value immediately, without awaiting anything in between. */
  seal(text: string): Buffer;
  open(sealed: Uint8Array): string;
}

export interface SecretKey {
  /** Eight octets that do not reveal the key; every value begins with the id of the key that sealed it. */
  readonly id: Buffer;
  readonly octets: Uint8Array;
}

const KEY_BYTES = 32;
export const KEY_ID_BYTES = 8;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Without it Node would accept a tag that was cut to four bytes. */
const TAG = { authTagLength: TAG_BYTES };

export function secretKey(octets: Uint8Array): SecretKey {
  if (octets.length !== KEY_BYTES) throw new Error(`the secret key has ${octets.length} bytes, not ${KEY_BYTES}`);
  const digest = hash("sha256", Buffer.concat([Buffer.from("key id "), octets]), "buffer");
  return { id: digest.subarray(0, KEY_ID_BYTES), octets };
}

export function newSecretKey(): SecretKey {
  return secretKey(randomBytes(KEY_BYTES));
}

/** Keys of 32 bytes in hex or base64, separated by commas or white space; undefined when there is anything else. */
export function readSecretKeys(text: string): readonly SecretKey[] | undefined {
  const keys = text
    .split(/[\s,]+/)
    .filter((word) => word !== "")
    .map((word) => Buffer.from(word, /^[0-9a-f]{64}$/i.test(word) ? "hex" : "base64"));
  if (keys.length === 0 || keys.some(({ length }) => length !== KEY_BYTES)) return undefined;
  return differentKeys(keys.map(secretKey));
}

/** Without duplicates. */
export function differentKeys(keys: readonly SecretKey[]): readonly SecretKey[] {
  return keys.filter((key, at) => keys.findIndex((other) => isSameKey(key, other)) === at);
}

export function isSameKey(one: SecretKey, other: SecretKey): boolean {
  return one.id.equals(other.id);
}

/**
 * AES-256-GCM: key id, nonce, tag, ciphertext. The first key seals; every key can open. Values of earlier versions have
 * no key id: every key is tried.
 */
export class SecretKeys implements SecretBox {
  #keys: readonly SecretKey[];
  readonly #readAgain: () => readonly SecretKey[];

  /** `readAgain` returns the current keys; it is called when no known key fits a value. */
  constructor(keys: readonly SecretKey[], readAgain: () => readonly SecretKey[] = () => []) {
    this.#keys = keys;
    this.#readAgain = readAgain;
  }

  get all(): readonly SecretKey[] {
    return this.#keys;
  }

  replace(keys: readonly SecretKey[]): void {
    this.#keys = keys;
  }

  seal(text: string): Buffer {
    const { id, octets } = this.#keys[0] as SecretKey;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv("aes-256-gcm", octets, nonce, TAG);
    const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
    return Buffer.concat([id, nonce, cipher.getAuthTag(), sealed]);
  }

  open(sealed: Uint8Array): string {
    const text = openWith(this.#keys, sealed) ?? openWith(this.#readAgain(), sealed);
    if (text === undefined) throw new Error("none of the secret keys has sealed this value");
    return text;
  }
}

function openWith(keys: readonly SecretKey[], sealed: Uint8Array): string | undefined {
  const named = keys.find(({ id }) => id.equals(sealed.subarray(0, KEY_ID_BYTES)));
  if (named) return decrypt(named, sealed.subarray(KEY_ID_BYTES));
  for (const key of keys) {
    const text = decrypt(key, sealed);
    if (text !== undefined) return text;
  }
  return undefined;
}

function decrypt({ octets }: SecretKey, sealed: Uint8Array): string | undefined {
  if (sealed.length < NONCE_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv("aes-256-gcm", octets, sealed.subarray(0, NONCE_BYTES), TAG);
  decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const rest = sealed.subarray(NONCE_BYTES + TAG_BYTES);
  try {
    return Buffer.concat([decipher.update(rest), decipher.final()]).toString("utf8");
  } catch {
    return undefined;
  }
}
