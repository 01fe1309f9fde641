// Signatures by Standard Webhooks (https://www.standardwebhooks.com), HMAC-SHA256 over id, timestamp and body.

export interface SignWebhookOrder {
  readonly id: string;
  readonly timestamp: Date;
  readonly payload: string | Uint8Array;
  /** `whsec_…`; several while one is being replaced. */
  readonly secret: string | readonly string[];
}

export interface WebhookHeaders {
  readonly "webhook-id": string;
  readonly "webhook-timestamp": string;
  readonly "webhook-signature": string;
}

/** The text is not a signing secret: `whsec_` and base64. */
export class WebhookSecretError extends Error {
  override readonly name = "WebhookSecretError";
}

const PREFIX = "whsec_";
const SECRET_BYTES = 32;

export async function signWebhook(order: SignWebhookOrder): Promise<WebhookHeaders> {
  const timestamp = String(Math.floor(order.timestamp.getTime() / 1000));
  const secrets = [order.secret].flat();
  const signatures = await Promise.all(
    secrets.map((secret) => signatureOf(secret, order.id, timestamp, order.payload)),
  );
  return { "webhook-id": order.id, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") };
}

export function newWebhookSecret(): string {
  return PREFIX + base64(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));
}

/** As written in the header: `v1,` and base64. */
export async function signatureOf(
  secret: string,
  id: string,
  timestamp: string,
  payload: string | Uint8Array,
): Promise<string> {
  const key = await crypto.subtle.importKey("raw", keyOf(secret), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const head = new TextEncoder().encode(`${id}.${timestamp}.`);
  const body = typeof payload === "string" ? new TextEncoder().encode(payload) : payload;
  const content = new Uint8Array(head.length + body.length);
  content.set(head);
  content.set(body, head.length);
  return `v1,${base64(new Uint8Array(await crypto.subtle.sign("HMAC", key, content)))}`;
}

function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  const text = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret;
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text) || text === "") {
    throw new WebhookSecretError("This is no signing secret: whsec_ and base64 are wanted.");
  }
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}
