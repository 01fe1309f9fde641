// Sends an event whose receiver must answer: it decides what happens to an inbound call. The subscription's URL has
// five seconds, then the backup URL has five. The exchange is recorded like a delivery, but not retried: the caller
// waits.

import { isSuccess } from "../../../rules/webhook-retries.ts";
import type { CookieJar } from "../../base/cookie-jar.ts";
import { SCRIPT_BYTES_MAX } from "../../base/script-xml.ts";
import type { EventFields, NewEvent, StoredEvent } from "../events.ts";
import { asSent, type FormWriter, payloadOf } from "./payload.ts";
import type { AskedWebhooks, SubscriptionTarget, WebhookPoster, WebhookSigner } from "./ports.ts";
import type { Attempt, HttpMethod, PayloadShape } from "./subscription.ts";
import { headersOf, notPosted, postOrder, toAttempt } from "./try-delivery.ts";

export const ASK_DEADLINE_MS = 5_000;

type AskedType = "InboundCallReceivedWebhook";

export interface AskDeps {
  readonly asked: AskedWebhooks;
  /** Runs a write of the record; its failure must not cost the call its answer. */
  readonly record: (write: () => Promise<void>) => Promise<void>;
  readonly poster: WebhookPoster;
  readonly signer: WebhookSigner;
  readonly writeForm: FormWriter;
  readonly newDeliverySid: () => string;
  readonly now: () => Date;
}

export type AskOutcome =
  | {
      readonly kind: "answered";
      readonly body: Uint8Array;
      readonly contentType: string | null;
      /** The subscription's; the answer is in the language of that shape. */
      readonly payloadShape: PayloadShape;
      readonly deliverySid: string;
      /** What answered, and what else can be asked. */
      readonly document: AskedPlace;
      readonly fallback: AskedPlace | undefined;
    }
  /** There is no subscription, or neither URL gave a usable answer. */
  | { readonly kind: "unanswered"; readonly reason: string; readonly deliverySid: string | null };

export interface AskedPlace {
  readonly url: string;
  readonly method: HttpMethod;
}

/** Cookies that the answers set go into the jar. */
export async function askWebhook(deps: AskDeps, event: NewEvent<AskedType>, cookies: CookieJar): Promise<AskOutcome> {
  const subscription = await deps.asked.find(event);
  if (!subscription) {
    await deps.record(() => deps.asked.recordUnsubscribed(event, deps.now()));
    return { kind: "unanswered", reason: "Nobody is subscribed to this event.", deliverySid: null };
  }
  const deliverySid = deps.newDeliverySid();
  const createdOn = deps.now();
  const attempts: Attempt[] = [];
  let answer: Pick<Extract<AskOutcome, { kind: "answered" }>, "body" | "contentType" | "document"> | undefined;
  for (const [url, method] of [
    [subscription.url, subscription.method],
    [subscription.backupUrl, subscription.backupMethod],
  ] as const) {
    if (url === null) continue;
    const made = await postOnce(deps, { subscription, deliverySid, url, method, event: stored(event, createdOn) });
    attempts.push(made.attempt);
    cookies.keep(url, made.cookies, deps.now());
    answer = made.answer && { ...made.answer, document: { url, method: method ?? "POST" } };
    if (answer) break;
  }
  const exchange = {
    event,
    subscriptionSid: subscription.sid,
    deliverySid,
    createdOn,
    attempts,
    isAnswered: answer !== undefined,
  };
  await deps.record(() => deps.asked.record(exchange));
  const { backupUrl, backupMethod, payloadShape } = subscription;
  const fallback = backupUrl === null ? undefined : { url: backupUrl, method: backupMethod ?? "POST" };
  if (answer) return { kind: "answered", ...answer, payloadShape, deliverySid, fallback };
  const last = attempts.at(-1);
  return { kind: "unanswered", reason: last?.failure ?? `The receiver answered ${last?.status}.`, deliverySid };
}

interface Post {
  readonly subscription: SubscriptionTarget;
  readonly deliverySid: string;
  readonly url: string;
  readonly method: HttpMethod | null | undefined;
  readonly event: StoredEvent;
}

async function postOnce(deps: AskDeps, { subscription, deliverySid, url, method, event }: Post) {
  const at = deps.now();
  const sent = asSent(url, payloadOf(event, subscription.payloadShape, deliverySid, deps.writeForm), method);
  const headers = await headersOf(deps.signer, { deliverySid, sent, subscription, event, withBearer: true, now: at });
  const outcome = headers.ok
    ? await deps.poster.post({
        ...postOrder(event, sent, headers.value, ASK_DEADLINE_MS),
        keepBytes: SCRIPT_BYTES_MAX,
      })
    : notPosted(headers.refusal);
  const attempt = toAttempt(at, url, outcome, true);
  const cookies = outcome.valuesOf?.("set-cookie") ?? [];
  if (!isSuccess(attempt)) return { attempt, cookies, answer: undefined };
  if (outcome.isCut) {
    const failure = `The answer is longer than ${SCRIPT_BYTES_MAX} bytes, or its end did not come.`;
    return { attempt: { ...attempt, failure }, cookies, answer: undefined };
  }
  return { attempt, cookies, answer: { body: outcome.answer, contentType: outcome.contentType } };
}

/** It is the first event of its call, so its sequence is 1. */
function stored(event: NewEvent<AskedType>, createdOn: Date): StoredEvent {
  const { accountSid, type, resourceSid } = event;
  const fields: EventFields[AskedType] = event.fields;
  return { accountSid, type, resourceSid, sequence: 1, fields: { ...fields }, createdOn };
}
