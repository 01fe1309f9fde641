// One attempt at a delivery: the subscription's URL, and at once the backup URL when that fails. Answers what became of
// it.

import type { EventType } from "../events.ts";
import { type Payload, payloadOf } from "./payload.ts";
import type {
  AskedSubscription,
  ClaimedDelivery,
  PostOrder,
  PostOutcome,
  SettledDelivery,
  WebhookPoster,
  WebhookSigner,
} from "./ports.ts";
import { type AttemptOutcome, isSuccess, outcomeOf } from "./retry.ts";
import type { Attempt } from "./subscription.ts";

export const DEADLINE_MS = 15_000;
const ANSWER_BYTES_KEPT = 4096;
const DECODER = new TextDecoder();

export interface TryDeps {
  readonly poster: WebhookPoster;
  readonly signer: WebhookSigner;
  readonly now: () => Date;
  readonly chance: () => number;
}

export interface Tried {
  readonly settled: SettledDelivery;
  readonly outcome: AttemptOutcome["kind"] | "canceled";
  /** It went to another URL than the subscription's: what happened there says nothing of the subscription. */
  readonly isElsewhere: boolean;
  /** Why the subscription is to be switched off. */
  readonly switchOff?: string;
}

export async function tryDelivery(deps: TryDeps, delivery: ClaimedDelivery): Promise<Tried> {
  const isElsewhere = delivery.url !== null;
  const tried = (outcome: Tried["outcome"], settled: SettledDelivery) => ({ settled, outcome, isElsewhere });
  if (!delivery.isWanted) return tried("canceled", settle(delivery, "Canceled", null, []));
  const attempts: Attempt[] = [];
  let retryAfterMs: number | undefined;
  for (const url of urlsOf(delivery)) {
    const made = await postOnce(deps, delivery, url);
    attempts.push(made.attempt);
    // Whoever asked for the longer pause gets it: next time both are tried again.
    retryAfterMs = maxOf(retryAfterMs, made.retryAfterMs);
    if (isSuccess(made.attempt) || made.attempt.status === 410) break;
  }
  const last = attempts.at(-1) as Attempt;
  const now = deps.now();
  const outcome = outcomeOf({
    count: delivery.attempt,
    last,
    retryAfterMs,
    failingSince: (isElsewhere ? null : delivery.subscription.failingSince) ?? now,
    now,
    chance: deps.chance(),
  });
  switch (outcome.kind) {
    case "delivered":
      return tried("delivered", settle(delivery, "Delivered", null, attempts));
    case "retry":
      return tried("retry", settle(delivery, "Pending", outcome.at, attempts));
    case "failed":
      return tried("failed", settle(delivery, "Failed", null, attempts));
    case "switchOff": {
      const settled = settle(delivery, "Failed", null, attempts);
      return isElsewhere ? tried("failed", settled) : { ...tried("switchOff", settled), switchOff: outcome.reason };
    }
  }
}

function maxOf(one: number | undefined, other: number | undefined): number | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return Math.max(one, other);
}

function urlsOf({ url, subscription }: ClaimedDelivery): readonly string[] {
  if (url !== null) return [url];
  return subscription.backupUrl === null ? [subscription.url] : [subscription.url, subscription.backupUrl];
}

async function postOnce(deps: TryDeps, delivery: ClaimedDelivery, url: string) {
  const at = deps.now();
  const outcome = await deps.poster.post(postOrderOf(deps.signer, delivery, url, at));
  return { attempt: toAttempt(at, url, outcome), retryAfterMs: outcome.retryAfterMs };
}

/** Apart, so that nothing of it is held while the answer is waited for. */
function postOrderOf(signer: WebhookSigner, delivery: ClaimedDelivery, url: string, now: Date): PostOrder {
  const { event, subscription } = delivery;
  const payload = payloadOf(event, subscription.payloadShape, delivery.sid);
  const headers = headersOf(signer, {
    deliverySid: delivery.sid,
    url,
    payload,
    subscription,
    type: event.type,
    // To another URL the bearer would be given to a stranger.
    withBearer: delivery.url === null,
    now,
  });
  return { url, body: payload.text, deadlineMs: DEADLINE_MS, headers };
}

export interface HeaderOrder {
  readonly deliverySid: string;
  readonly url: string;
  readonly payload: Payload;
  readonly subscription: AskedSubscription;
  readonly type: EventType;
  readonly withBearer: boolean;
  readonly now: Date;
}

export function headersOf(signer: WebhookSigner, order: HeaderOrder): Readonly<Record<string, string>> {
  const { deliverySid, url, payload, subscription, type, withBearer, now } = order;
  const headers = signer.sign({ webhookSid: deliverySid, url, payload, secrets: subscription.secrets, now });
  headers["content-type"] = payload.contentType;
  headers["x-event-type"] = type;
  headers["x-request-id"] = deliverySid;
  if (subscription.bearer !== null && withBearer) headers.authorization = `Bearer ${subscription.bearer}`;
  return headers;
}

/** Most answers are a word; making a string of those by hand is ten times faster. */
function textOf(bytes: Uint8Array): string {
  if (bytes.length <= 64 && bytes.every((byte) => byte > 0 && byte < 128)) return String.fromCharCode(...bytes);
  // PostgreSQL stores no NUL in text. Made to be no UTF-8 while they are bytes, they come out as U+FFFD; replaced in
  // the string, each would make it a link longer, and an answer of NULs thirty times as large.
  return DECODER.decode(bytes.includes(0) ? bytes.map((byte) => byte || 0xff) : bytes);
}

export function toAttempt(at: Date, url: string, outcome: PostOutcome): Attempt {
  const { status, failure, ms } = outcome;
  const kept = outcome.answer.subarray(0, ANSWER_BYTES_KEPT);
  return { at, url, status, failure, ms, answer: kept.length === 0 ? null : textOf(kept) };
}

function settle(
  delivery: ClaimedDelivery,
  status: SettledDelivery["status"],
  nextAttemptOn: Date | null,
  attempts: readonly Attempt[],
): SettledDelivery {
  return {
    sid: delivery.sid,
    createdOn: delivery.createdOn,
    queuedOn: delivery.queuedOn,
    subscriptionSid: delivery.subscription.sid,
    resourceSid: delivery.event.resourceSid,
    status,
    nextAttemptOn,
    attempts,
  };
}
