// Posts an event to a receiver as the server would: shape A, signed by Standard Webhooks, with its own id. Does not
// retry.

import { type AccountEvent, signWebhook } from "../../../../sdk/src/index.ts";
import { deadlineAfter } from "../../../base/deadline.ts";

export interface ForwardOrder {
  readonly url: string;
  readonly secret: string;
  readonly signal: AbortSignal;
  /** Default: 15 s, the server's own timeout. */
  readonly deadlineMs?: number;
}

export interface Forwarded {
  readonly webhookSid: string;
  /** The receiver's HTTP status; null when there was no answer. */
  readonly status: number | null;
  /** Why there was no answer. */
  readonly failure: string | null;
  readonly ms: number;
}

const DEADLINE_MS = 15_000;

/** Never throws. */
export async function forwardEvent(order: ForwardOrder, event: AccountEvent): Promise<Forwarded> {
  const { deadlineMs = DEADLINE_MS } = order;
  const webhookSid = `listen-${event.id}`;
  const startedMs = performance.now();
  const deadline = deadlineAfter(deadlineMs, order.signal);
  const done = (status: number | null, failure: string | null) => {
    return { webhookSid, status, failure, ms: Math.round(performance.now() - startedMs) };
  };
  try {
    return done(await post(order, event, webhookSid, deadline.signal), null);
  } catch (error) {
    if (order.signal.aborted) return done(null, "given up");
    return done(null, deadline.signal.aborted ? `no answer within ${deadlineMs / 1000} s` : reasonOf(error));
  } finally {
    deadline.clear();
  }
}

async function post(order: ForwardOrder, event: AccountEvent, webhookSid: string, signal: AbortSignal) {
  const body = JSON.stringify({ WebhookSid: webhookSid, ...event.payload });
  const signed = await signWebhook({ id: webhookSid, timestamp: new Date(), payload: body, secret: order.secret });
  const response = await fetch(order.url, {
    method: "POST",
    headers: {
      ...signed,
      "Content-Type": "application/json",
      "X-Event-Type": event.type,
      "X-Request-Id": webhookSid,
    },
    body,
    redirect: "manual",
    signal,
  });
  // Only the status is needed, and an unread body keeps the connection busy.
  await response.body?.cancel();
  return response.status;
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  const first = cause instanceof AggregateError ? cause.errors[0] : cause;
  const { code, message } = first as { code?: string; message?: string };
  if (code === "ECONNREFUSED") return "nothing listens there";
  return message || code || String(first);
}
