// Verifies and reads the registry's notifications.
//
// Guarantees: any bytes give a notification or a refusal. The signature covers the canonical form of the parsed body.
// It contains neither time nor nonce, so a replay is recognised by its signature, within the window and while the
// signature is remembered; two equal notifications within the window count as one. Nothing is lost by that: a
// notification only names the campaign to read from the registry, which is polled as well.

import { createHmac } from "node:crypto";
import type { Clock } from "../../base/clock.ts";
import { canonicalJson } from "../../base/jcs.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import { parseJson } from "../json-exchange.ts";
import { isSameSignature } from "../secrets.ts";
import { isCampaignId } from "./registry-documents.ts";

export interface RegistryNotification {
  /** Such as CAMPAIGN_SHARE_ADD. */
  readonly event: string;
  /** Absent when the event concerns something else. */
  readonly campaignId?: string;
  /** A test notification that was sent on request. */
  readonly isMock: boolean;
}

export type NotificationRefusal = "unsigned" | "forged" | "unreadable" | "too-large" | "replayed";

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface NotificationKey {
  /** The account's SECRET. */
  readonly secret: string;
  /** The webhook's URL as the registry has it. */
  readonly endpoint: string;
}

export const NOTIFICATION_BYTES_MAX = 64 * 1024;
const SIGNATURE_HEADER = "x-registry-signature";
const EVENT = /^[A-Z][A-Z0-9_]{0,79}$/;

export function verifyRegistryNotification(
  headers: Headers,
  rawBody: Uint8Array,
  key: NotificationKey,
): Result<RegistryNotification, Exclude<NotificationRefusal, "replayed">> {
  const signature = headers[SIGNATURE_HEADER];
  if (typeof signature !== "string" || signature === "") return refused("unsigned");
  if (rawBody.length > NOTIFICATION_BYTES_MAX) return refused("too-large");
  const body = parseBody(rawBody);
  const canonical = body && canonicalJson(body);
  if (canonical === undefined) return refused("unreadable");
  if (!isSignature(signature, canonical, key)) return refused("forged");
  return body && typeof body.eventType === "string" && EVENT.test(body.eventType)
    ? ok(notificationOf(body.eventType, body))
    : refused("unreadable");
}

export interface ReplayRules {
  readonly windowMs: number;
  readonly rememberedMax: number;
}

const REPLAY_RULES: ReplayRules = { windowMs: 60_000, rememberedMax: 10_000 };

/** Accepts each genuine notification of one endpoint once. */
export class NotificationReceiver {
  readonly #key: NotificationKey;
  readonly #clock: Clock;
  readonly #rules: ReplayRules;
  /** Signature → when it arrived, oldest first. Only genuine ones are remembered. */
  readonly #seen = new Map<string, number>();

  constructor(key: NotificationKey, clock: Clock, rules: ReplayRules = REPLAY_RULES) {
    this.#key = key;
    this.#clock = clock;
    this.#rules = rules;
  }

  /** Calls `act` when the notification is genuine and new. One whose `act` failed may be sent again. */
  async take(
    headers: Headers,
    rawBody: Uint8Array,
    act: (notification: RegistryNotification) => Promise<void>,
  ): Promise<Result<RegistryNotification, NotificationRefusal>> {
    const verified = verifyRegistryNotification(headers, rawBody, this.#key);
    if (!verified.ok) return verified;
    const signature = String(headers[SIGNATURE_HEADER]);
    this.#forgetOld();
    if (this.#seen.has(signature)) return refused("replayed");
    this.#seen.set(signature, this.#clock.now().getTime());
    try {
      await act(verified.value);
    } catch (error) {
      this.#seen.delete(signature);
      throw error;
    }
    return verified;
  }

  #forgetOld(): void {
    const oldest = this.#clock.now().getTime() - this.#rules.windowMs;
    for (const [signature, at] of this.#seen) {
      if (at > oldest && this.#seen.size < this.#rules.rememberedMax) return;
      this.#seen.delete(signature);
    }
  }
}

/** Not strict JSON: the registry's own example has two members of one name, of which JSON.parse takes the last. */
function parseBody(rawBody: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  const value = parseJson(rawBody)?.value;
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? (value as Readonly<Record<string, unknown>>) : undefined;
}

function isSignature(given: string, canonical: string, { secret, endpoint }: NotificationKey): boolean {
  const wanted = createHmac("sha1", secret).update(endpoint).update(canonical).digest("base64");
  return isSameSignature(Buffer.from(given), Buffer.from(wanted));
}

function notificationOf(event: string, body: Readonly<Record<string, unknown>>): RegistryNotification {
  const { campaignId, mock } = body;
  return {
    event,
    ...(typeof campaignId === "string" && isCampaignId(campaignId) && { campaignId }),
    isMock: mock === true || mock === "true",
  };
}
