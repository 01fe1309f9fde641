// Signatures by Standard Webhooks (HMAC-SHA256 over id, timestamp and body, one per live secret), and for the Twilio shape that
// provider's own (HMAC-SHA1 over URL and sorted parameters).

import { createHmac, randomBytes } from "node:crypto";
import type { SignOrder, WebhookSigner } from "../domain/webhooks/index.ts";

const PREFIX = "whsec_";
const SECRET_BYTES = 32;

export function newWebhookSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString("base64");
}

export const webhookSigner: WebhookSigner = {
  sign({ webhookSid, url, payload, secrets, now }: SignOrder) {
    const timestamp = String(Math.floor(now.getTime() / 1000));
    const content = `${webhookSid}.${timestamp}.${payload.text}`;
    const headers: Record<string, string> = {
      "webhook-id": webhookSid,
      "webhook-timestamp": timestamp,
      "webhook-signature": secrets.map((secret) => `v1,${hmac("sha256", keyOf(secret), content)}`).join(" "),
    };
    const [secret] = secrets;
    if (payload.parameters && secret !== undefined) {
      const sorted = Object.entries(payload.parameters).sort(([a], [b]) => (a < b ? -1 : 1));
      headers["x-twilio-signature"] = hmac("sha1", secret, url + sorted.flat().join(""));
    }
    return headers;
  },
};

const keys = new Map<string, Buffer>();
const KEYS_MAX = 10_000;

function keyOf(secret: string): Buffer {
  let key = keys.get(secret);
  if (!key) {
    key = Buffer.from(secret.slice(PREFIX.length), "base64");
    if (keys.size >= KEYS_MAX) keys.clear();
    keys.set(secret, key);
  }
  return key;
}

function hmac(algorithm: "sha1" | "sha256", key: Buffer | string, content: string): string {
  return createHmac(algorithm, key).update(content).digest("base64");
}
