// Verifies the clearing house's notifications: HMAC-SHA256 over timestamp, a dot and the raw body. A timestamp more
// than five minutes off is refused, so that a recorded notification cannot be replayed later. A replay within that time
// is read again, which changes nothing: an update that is known already has no effect.

import { createHmac } from "node:crypto";
import { ok, type Result, refused } from "../../base/result.ts";
import { parseStrictJson } from "../../base/strict-json.ts";
import { isSameSignature } from "../secrets.ts";
import { type ReadUpdates, readUpdates } from "./clearing-house-documents.ts";

export const TIMESTAMP_HEADER = "clearing-house-timestamp";
/** `v1=` and 64 hex digits; several, separated by commas, while the secret is being replaced. */
export const SIGNATURE_HEADER = "clearing-house-signature";

export interface ReceivedNotification {
  /** With names in lower case, as Node gives them. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Uint8Array;
  readonly secret: string;
  readonly now: Date;
}

export type NotificationFault = "missing-header" | "too-old" | "too-new" | "no-match" | "bad-body";

const BODY_BYTES_MAX = 256 * 1024;
const TOLERANCE_SECONDS = 300;
const SIGNATURES_MAX = 4;

export function verifyClearingHouseNotification(
  received: ReceivedNotification,
): Result<ReadUpdates, NotificationFault> {
  const { headers, body, secret, now } = received;
  const timestamp = headers[TIMESTAMP_HEADER];
  const signatures = headers[SIGNATURE_HEADER];
  if (typeof timestamp !== "string" || !/^\d{1,12}$/.test(timestamp)) return refused("missing-header");
  if (typeof signatures !== "string") return refused("missing-header");
  if (body.length > BODY_BYTES_MAX) return refused("bad-body");
  const ageSeconds = Math.floor(now.getTime() / 1000) - Number(timestamp);
  if (ageSeconds > TOLERANCE_SECONDS) return refused("too-old");
  if (ageSeconds < -TOLERANCE_SECONDS) return refused("too-new");
  const wanted = createHmac("sha256", secret).update(`${timestamp}.`).update(body).digest();
  if (!signaturesIn(signatures).some((given) => isSameSignature(given, wanted))) return refused("no-match");
  const parsed = parseStrictJson(body);
  const list = parsed.ok && typeof parsed.value === "object" && parsed.value !== null && "news" in parsed.value;
  return list ? ok(readUpdates((parsed.value as { news: unknown }).news)) : refused("bad-body");
}

function signaturesIn(header: string): readonly Buffer[] {
  const parts = header.split(",", SIGNATURES_MAX).map((part) => /^\s*v1=([0-9a-f]{64})\s*$/i.exec(part)?.[1]);
  return parts.flatMap((hex) => (hex === undefined ? [] : [Buffer.from(hex, "hex")]));
}
