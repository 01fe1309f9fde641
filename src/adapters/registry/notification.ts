// The registry's notifications: whether one is genuine and new, and what it says.
//
// Guarantees: any bytes give a notification or a refusal. Signed is the parsed body, so what was judged is what is
// told. A signature holds neither time nor chance, hence a notification is known again by its signature, for as long as
// the window lasts and the room for remembering; two that say the same within the window are one. That costs nothing: a
// notification only says which campaign to ask about, and asking is done in intervals as well.

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
  /** Absent where the event is of something else. */
  readonly campaignId?: string;
  /** Sent on request, to try the way out. */
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

/** The door that notifications come through, for one endpoint. */
export class NotificationDoor {
  readonly #key: NotificationKey;
  readonly #clock: Clock;
  readonly #rules: ReplayRules;
  /** Signature → when it came, oldest first. Only genuine ones get in. */
  readonly #heard = new Map<string, number>();

  constructor(key: NotificationKey, clock: Clock, rules: ReplayRules = REPLAY_RULES) {
    this.#key = key;
    this.#clock = clock;
    this.#rules = rules;
  }

  /** Acts on what is genuine and new. What could not be acted upon may come again. */
  async take(
    headers: Headers,
    rawBody: Uint8Array,
    act: (notification: RegistryNotification) => Promise<void>,
  ): Promise<Result<RegistryNotification, NotificationRefusal>> {
    const verified = verifyRegistryNotification(headers, rawBody, this.#key);
    if (!verified.ok) return verified;
    const signature = String(headers[SIGNATURE_HEADER]);
    this.#forgetOld();
    if (this.#heard.has(signature)) return refused("replayed");
    this.#heard.set(signature, this.#clock.now().getTime());
    try {
      await act(verified.value);
    } catch (error) {
      this.#heard.delete(signature);
      throw error;
    }
    return verified;
  }

  #forgetOld(): void {
    const oldest = this.#clock.now().getTime() - this.#rules.windowMs;
    for (const [signature, at] of this.#heard) {
      if (at > oldest && this.#heard.size < this.#rules.rememberedMax) return;
      this.#heard.delete(signature);
    }
  }
}

/** JSON.parse takes the last of two members of one name, and the registry's own example has two. */
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
