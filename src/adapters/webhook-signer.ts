// Signatures by Standard Webhooks (HMAC-SHA256 over id, timestamp and body, one for each secret in use), and for
// webhooks in Twilio's shape also Twilio's (HMAC-SHA1 over URL and sorted parameters, keyed by the account's one key).

import { createHmac, hash, randomBytes } from "node:crypto";
import { ok, type Result } from "../base/result.ts";
import type { SignOrder, WebhookSigner } from "../domain/webhooks/index.ts";

const PREFIX = "whsec_";
const SECRET_BYTES = 32;

export function newWebhookSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString("base64");
}

/** The key that signs webhooks in Twilio's shape for an account, or why it cannot be read. */
export type TwilioKeyOf = (accountSid: string) => Promise<Result<string, string>>;

export function webhookSigner(twilioKeyOf: TwilioKeyOf): WebhookSigner {
  return {
    sign({ accountSid, webhookSid, url, payload, secrets, now }: SignOrder) {
      const timestamp = String(Math.floor(now.getTime() / 1000));
      const start = `${webhookSid}.${timestamp}.`;
      const headers: Record<string, string> = {
        "webhook-id": webhookSid,
        "webhook-timestamp": timestamp,
        "webhook-signature": secrets.map((secret) => `v1,${hmacSha256(keyOf(secret), start, payload.text)}`).join(" "),
      };
      const { parameters } = payload;
      if (!parameters) return ok(headers);
      return twilioKeyOf(accountSid).then((key) => {
        if (!key.ok) return key;
        headers["x-twilio-signature"] = twilioSignature(key.value, url, parameters);
        return ok(headers);
      });
    },
  };
}

function twilioSignature(key: string, url: string, parameters: Readonly<Record<string, string>>): string {
  const sorted = Object.entries(parameters).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHmac("sha1", key)
    .update(requestedUrl(url) + sorted.flat().join(""))
    .digest("base64");
}

/** As the receiver sees it: with a path, percent-encoded, without the fragment. */
function requestedUrl(url: string): string {
  const requested = new URL(url);
  requested.hash = "";
  return requested.href;
}

// RFC 2104 by two calls of `hash`: an Hmac object for every delivery would cost three times as much.
const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;

interface HmacKey {
  /** The key xor 0x36…, which stands before the content. */
  readonly inner: Buffer;
  /** The key xor 0x5c…, and space for the first hash after it. */
  readonly outer: Buffer;
}

function hmacKey(secret: Uint8Array): HmacKey {
  const key = Buffer.alloc(BLOCK_BYTES);
  key.set(secret.length > BLOCK_BYTES ? hash("sha256", secret, "buffer") : secret);
  const padded = (pad: number, room: number) =>
    Buffer.concat([key.map((byte) => byte ^ pad), Buffer.alloc(room)], BLOCK_BYTES + room);
  return { inner: padded(0x36, 0), outer: padded(0x5c, DIGEST_BYTES) };
}

/** Space for what is hashed, and the most bytes that a character takes in it. */
const SCRATCH = Buffer.allocUnsafeSlow(16 * 1024);
const CHARACTER_BYTES_MAX = 3;

function hmacSha256({ inner, outer }: HmacKey, start: string, text: string): string {
  const bytesMax = BLOCK_BYTES + CHARACTER_BYTES_MAX * (start.length + text.length);
  const message = bytesMax <= SCRATCH.length ? SCRATCH : Buffer.allocUnsafe(bytesMax);
  message.set(inner);
  let length = BLOCK_BYTES;
  length += message.write(start, length, "utf8");
  length += message.write(text, length, "utf8");
  outer.write(hash("sha256", message.subarray(0, length), "binary"), BLOCK_BYTES, "latin1");
  return hash("sha256", outer, "base64");
}

const keys = new Map<string, HmacKey>();
const KEYS_MAX = 10_000;

function keyOf(secret: string): HmacKey {
  let key = keys.get(secret);
  if (!key) {
    key = hmacKey(Buffer.from(secret.slice(PREFIX.length), "base64"));
    if (keys.size >= KEYS_MAX) keys.clear();
    keys.set(secret, key);
  }
  return key;
}
