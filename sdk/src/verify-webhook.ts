// Verifies that a webhook comes from our server, unchanged and recent, by Standard Webhooks
// (https://www.standardwebhooks.com), with Web Crypto alone. The payload must be the raw body: JSON that was parsed and
// serialized again has other bytes. A receiver that must not act twice has to store the ids.

import { signatureOf, WebhookSecretError } from "./sign-webhook.ts";
import { type WebhookEvent, webhookEventOf } from "./webhook-events.ts";

/** `Headers`, or a plain object with names in any case, such as Node's. */
export type ReceivedHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyWebhookOrder {
  readonly payload: string | Uint8Array;
  readonly headers: ReceivedHeaders;
  /** `whsec_…`; several while one is being replaced. */
  readonly secret: string | readonly string[];
  /** How far the clocks of sender and receiver may differ. */
  readonly toleranceSeconds?: number;
  readonly now?: Date;
}

interface Verified {
  /** The same on every attempt. */
  readonly id: string;
  /** When this attempt was signed. */
  readonly timestamp: Date;
  /** Whether it is the sample that `webhooks.test` sends. */
  readonly isTest: boolean;
}

export interface VerifiedWebhook<Event = Readonly<Record<string, unknown>>> extends Verified {
  readonly event: Event;
}

/** `type` and `shape` identify the event. */
export type ReceivedWebhook = Verified & WebhookEvent;

export type WebhookFault =
  | "missing-header"
  | "bad-timestamp"
  | "too-old"
  | "too-new"
  | "no-match"
  | "bad-secret"
  /** The signature is valid, but the body is not JSON (webhooks in Twilio's shape are forms), or of another type. */
  | "bad-payload";

export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError";
  readonly reason: WebhookFault;

  constructor(reason: WebhookFault, message: string) {
    super(message);
    this.reason = reason;
  }
}

const TOLERANCE_SECONDS = 300;
/** Two secrets make two signatures; the bound limits the cost of a header full of them. */
const SIGNATURES_MAX = 20;

export function verifyWebhook(order: VerifyWebhookOrder): Promise<ReceivedWebhook>;
/** `verifyWebhook<EventPayloads["OptOutChanged"]>(…)` for an endpoint that gets one type of event, in shape A. */
export function verifyWebhook<Event>(order: VerifyWebhookOrder): Promise<VerifiedWebhook<Event>>;
export async function verifyWebhook(order: VerifyWebhookOrder): Promise<ReceivedWebhook> {
  const { headers, payload } = order;
  const id = header(headers, "webhook-id");
  const timestamp = header(headers, "webhook-timestamp");
  const given = header(headers, "webhook-signature").split(" ").slice(0, SIGNATURES_MAX);
  const sentAt = checkTimestamp(timestamp, order);
  let isSigned = false;
  for (const secret of [order.secret].flat()) {
    const wanted = await signatureWanted(secret, id, timestamp, payload);
    for (const signature of given) isSigned = isSame(signature, wanted) || isSigned;
  }
  if (!isSigned) throw new WebhookVerificationError("no-match", "No signature of this webhook fits the secret.");
  const type = headerOr(headers, "x-event-type");
  const event = webhookEventOf(type, parse(payload));
  if (event) return { id, timestamp: sentAt, isTest: headerOr(headers, "x-event-test") === "true", ...event };
  throw new WebhookVerificationError("bad-payload", `The signature fits, but the body is no ${type}.`);
}

function header(headers: ReceivedHeaders, name: string): string {
  const text = headerOr(headers, name);
  if (text) return text;
  throw new WebhookVerificationError("missing-header", `The header ${name} is missing.`);
}

function headerOr(headers: ReceivedHeaders, name: string): string | undefined {
  const value = isHeaders(headers)
    ? headers.get(name)
    : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof value === "string" ? value : value?.length === 1 ? value[0] : undefined;
}

function isHeaders(headers: ReceivedHeaders): headers is { get(name: string): string | null } {
  return typeof headers.get === "function";
}

function checkTimestamp(text: string, { now = new Date(), toleranceSeconds = TOLERANCE_SECONDS }: VerifyWebhookOrder) {
  if (!/^\d{1,12}$/.test(text)) {
    throw new WebhookVerificationError("bad-timestamp", "The header webhook-timestamp is no number of seconds.");
  }
  const age = Math.floor(now.getTime() / 1000) - Number(text);
  if (age > toleranceSeconds) {
    throw new WebhookVerificationError("too-old", `This webhook was signed ${age} s ago.`);
  }
  if (-age > toleranceSeconds) {
    throw new WebhookVerificationError("too-new", `This webhook was signed ${-age} s ahead of our clock.`);
  }
  return new Date(Number(text) * 1000);
}

async function signatureWanted(...parts: Parameters<typeof signatureOf>): Promise<string> {
  try {
    return await signatureOf(...parts);
  } catch (error) {
    if (error instanceof WebhookSecretError) throw new WebhookVerificationError("bad-secret", error.message);
    throw error;
  }
}

/** Compares in constant time. */
function isSame(given: string, wanted: string): boolean {
  let difference = given.length ^ wanted.length;
  for (let at = 0; at < wanted.length; at++) difference |= given.charCodeAt(at) ^ wanted.charCodeAt(at);
  return difference === 0;
}

function parse(payload: string | Uint8Array): unknown {
  try {
    return JSON.parse(typeof payload === "string" ? payload : new TextDecoder().decode(payload));
  } catch {
    throw new WebhookVerificationError("bad-payload", "The signature fits, but the body is no JSON.");
  }
}
