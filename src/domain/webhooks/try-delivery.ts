// One attempt at a delivery: posts to the subscription's URL, and immediately to the backup URL when that fails.

import { isSuccess } from "../../../rules/webhook-retries.ts";
import { andThen, type MaybePromise } from "../../base/maybe-promise.ts";
import type { Result } from "../../base/result.ts";
import { SCRIPT_BYTES_MAX } from "../../base/script-xml.ts";
import { type EventFields, isTestEvent, type StoredEvent } from "../events.ts";
import type { ExchangeSample } from "./exchange-sample.ts";
import { asSent, type FormWriter, payloadOf, type Sent } from "./payload.ts";
import type {
  ClaimedDelivery,
  PostOrder,
  PostOutcome,
  ReplyFault,
  ReplySender,
  SettledDelivery,
  SubscriptionTarget,
  WebhookPoster,
  WebhookSigner,
} from "./ports.ts";
import { type AttemptOutcome, nextAttemptOn, outcomeOf } from "./retry.ts";
import type { Attempt } from "./subscription.ts";

export const DEADLINE_MS = 15_000;
const ANSWER_BYTES_KEPT = 4096;
const DECODER = new TextDecoder();
const BY_HAND_MAX = 64;

export interface TryDeps {
  readonly poster: WebhookPoster;
  readonly signer: WebhookSigner;
  readonly writeForm: FormWriter;
  readonly reply: ReplySender;
  readonly now: () => Date;
  readonly chance: () => number;
  /** Which exchanges are kept with their headers. */
  readonly sample: ExchangeSample;
}

export interface TriedDelivery {
  readonly settled: SettledDelivery;
  /** The receiver's outcome: a delivery that it took is still repeated if a reply that it asked for has to wait. */
  readonly outcome: AttemptOutcome["kind"] | "canceled";
  /** It went to another URL than the subscription's, so its outcome says nothing about the subscription. */
  readonly isElsewhere: boolean;
  /** Why the subscription must be disabled. */
  readonly switchOff?: string;
}

export async function tryDelivery(deps: TryDeps, delivery: ClaimedDelivery): Promise<TriedDelivery> {
  const isElsewhere = delivery.url !== null;
  const tried = (outcome: TriedDelivery["outcome"], settled: SettledDelivery) => ({ settled, outcome, isElsewhere });
  if (!delivery.isWanted) return tried("canceled", settle(delivery, "Canceled", null, []));
  const attempts: Attempt[] = [];
  let retryAfterMs: number | undefined;
  let replyAfterMs: number | undefined;
  for (const url of urlsOf(delivery)) {
    const at = deps.now();
    const outcome = await post(deps, delivery, url, at);
    const isKept = deps.sample.takes(isSuccess(outcome), at.getTime());
    const attempt = toAttempt(at, url, outcome, isKept);
    // The longer Retry-After counts: the next attempt tries both URLs again.
    retryAfterMs = maxOf(retryAfterMs, outcome.retryAfterMs);
    if (isSuccess(attempt) && mayReply(delivery)) {
      const { reason = null, retryAfterSeconds } = (await replyTo(deps, delivery, outcome)) ?? {};
      replyAfterMs = retryAfterSeconds === undefined ? undefined : retryAfterSeconds * 1000;
      attempts.push({ ...attempt, failure: reason });
    } else attempts.push(attempt);
    if (isSuccess(attempt) || attempt.status === 410) break;
  }
  const last = attempts.at(-1) as Attempt;
  const now = deps.now();
  const facts = {
    count: delivery.attempt,
    last,
    retryAfterMs,
    failingSince: (isElsewhere ? null : delivery.subscription.failingSince) ?? now,
    now,
    chance: deps.chance(),
  };
  const outcome = outcomeOf(facts);
  switch (outcome.kind) {
    case "delivered": {
      const at = replyAfterMs === undefined ? undefined : nextAttemptOn({ ...facts, retryAfterMs: replyAfterMs });
      return tried("delivered", settle(delivery, at ? "Pending" : "Delivered", at ?? null, attempts));
    }
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

/** A test, or an answer from a URL other than the subscription's, cannot ask for replies. */
function mayReply({ url, event, subscription }: ClaimedDelivery): boolean {
  return (
    subscription.payloadShape === "Twilio" &&
    event.type === "InboundMessageReceived" &&
    url === null &&
    !isTestEvent(event)
  );
}

/** Sends the replies that the receiver asks for; returns why one was not sent. */
async function replyTo(
  deps: TryDeps,
  { sid, event }: ClaimedDelivery,
  outcome: PostOutcome,
): Promise<ReplyFault | undefined> {
  if (outcome.isCut)
    return { reason: `No reply was sent: the answer is longer than ${SCRIPT_BYTES_MAX} bytes, or was cut off.` };
  const { From: from, To: to } = event.fields as EventFields["InboundMessageReceived"];
  return deps.reply({ accountSid: event.accountSid, deliverySid: sid, from, to, answer: outcome.answer });
}

export function notPosted(failure: string): PostOutcome {
  const answer = new Uint8Array();
  return { status: null, failure, ms: 0, answer, isCut: false, contentType: null, retryAfterMs: undefined };
}

/** A separate function, so that payload and headers can be garbage-collected while the answer is awaited. */
function post(
  { poster, signer, writeForm }: TryDeps,
  delivery: ClaimedDelivery,
  url: string,
  now: Date,
): MaybePromise<PostOutcome> {
  const { event, subscription } = delivery;
  if (subscription.fault !== undefined) return notPosted(subscription.fault);
  const shape = delivery.payloadShape ?? subscription.payloadShape;
  const isBackup = delivery.url === null && url !== subscription.url;
  const sent = asSent(
    url,
    payloadOf(event, shape, delivery.sid, writeForm),
    delivery.url === null ? subscription[isBackup ? "backupMethod" : "method"] : undefined,
  );
  const headers = headersOf(signer, {
    deliverySid: delivery.sid,
    sent,
    subscription,
    event,
    // The bearer is meant for the subscription's own receiver only.
    withBearer: delivery.url === null,
    now,
  });
  return andThen(headers, (made) => {
    if (!made.ok) return notPosted(made.refusal);
    const order = postOrder(event, sent, made.value, DEADLINE_MS);
    return poster.post(mayReply(delivery) ? { ...order, keepBytes: SCRIPT_BYTES_MAX } : order);
  });
}

export function postOrder(
  { accountSid, resourceSid }: Pick<PostOrder, "accountSid" | "resourceSid">,
  { method, url, payload }: Sent,
  headers: PostOrder["headers"],
  deadlineMs: number,
): PostOrder {
  return { accountSid, resourceSid, method, url, headers, body: payload.text, deadlineMs };
}

export interface HeaderOrder {
  readonly deliverySid: string;
  readonly sent: Sent;
  readonly subscription: SubscriptionTarget;
  readonly event: Pick<StoredEvent, "accountSid" | "type" | "resourceSid">;
  readonly withBearer: boolean;
  readonly now: Date;
}

/** All headers, or why nothing can be sent. */
export function headersOf(
  signer: WebhookSigner,
  order: HeaderOrder,
): MaybePromise<Result<Readonly<Record<string, string>>, string>> {
  const { deliverySid, sent, subscription, event, withBearer, now } = order;
  const { url, payload } = sent;
  const { accountSid } = event;
  const { secrets } = subscription;
  return andThen(signer.sign({ accountSid, webhookSid: deliverySid, url, payload, secrets, now }), (signed) => {
    if (!signed.ok) return signed;
    const headers = signed.value;
    headers["content-type"] = payload.contentType;
    headers["x-event-type"] = event.type;
    if (isTestEvent(event)) headers["x-event-test"] = "true";
    headers["x-request-id"] = deliverySid;
    if (subscription.bearer !== null && withBearer) headers.authorization = `Bearer ${subscription.bearer}`;
    return signed;
  });
}

/** Most answers are short; converting them by hand is ten times faster than TextDecoder. */
function textOf(bytes: Uint8Array): string {
  let text = "";
  if (bytes.length <= BY_HAND_MAX)
    for (const byte of bytes) if (byte > 0 && byte < 128) text += String.fromCharCode(byte);
  if (text.length === bytes.length) return text;
  // PostgreSQL stores no NUL in text. 0xff is no UTF-8, so it decodes to U+FFFD. Replacing each NUL in the string
  // instead would make a chain of string pieces, thirty times as large for an answer of NULs.
  return DECODER.decode(bytes.includes(0) ? bytes.map((byte) => byte || 0xff) : bytes);
}

/** `isKept`: with its headers. */
export function toAttempt(at: Date, url: string, outcome: PostOutcome, isKept: boolean): Attempt {
  const { status, failure, ms } = outcome;
  const { answer } = outcome;
  const kept = answer.length > ANSWER_BYTES_KEPT ? answer.subarray(0, ANSWER_BYTES_KEPT) : answer;
  const exchange = isKept ? outcome.exchange?.() : undefined;
  return { at, url, status, failure, ms, answer: kept.length === 0 ? null : textOf(kept), exchange };
}

function settle(
  delivery: ClaimedDelivery,
  status: SettledDelivery["status"],
  nextAttemptOn: Date | null,
  attempts: readonly Attempt[],
): SettledDelivery {
  return {
    sid: delivery.sid,
    entry: delivery.entry,
    subscriptionSid: delivery.subscription.sid,
    resourceSid: delivery.event.resourceSid,
    sequence: delivery.event.sequence,
    payloadShape: delivery.payloadShape,
    status,
    nextAttemptOn,
    attempts,
  };
}
