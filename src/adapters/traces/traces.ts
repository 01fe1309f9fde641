// Traces: which spans there are, and to which trace each belongs.
//
// What a request makes (a message, a call) belongs to the trace of that request. Without a `traceparent` from the
// caller that trace has the digits of the record's sid as its id, so every process knows it. A caller's trace is
// continued: the process that answered the request remembers it for the newest records. Other processes, and this one
// after a restart, use the trace of the record's own instead.
//
// Whether a trace is sampled follows from its id, before any span is made, so all processes decide alike. A caller that
// does not sample its trace is obeyed.

import { randomBytes } from "node:crypto";
import type { Clock } from "../../base/clock.ts";
import { forgetOldest } from "../../base/forget-oldest.ts";
import { digitsOfUuid, isUuid, timeOfSid } from "../../base/ids.ts";
import { readTraceparent, requestSpanOf, type TraceContext, traceparentOf } from "../../base/trace-context.ts";
import type { CarrierReceipt, SettledMessage } from "../../domain/messaging/index.ts";
import type { Call } from "../../domain/voice/index.ts";
import type { PostOrder, PostOutcome, WebhookPoster } from "../../domain/webhooks/index.ts";
import type { Span, SpanSink } from "./span.ts";

export interface TracesDeps {
  /** From 0 to 1. */
  readonly share: number;
  readonly clock: Pick<Clock, "now">;
  readonly sink: SpanSink;
}

interface TracedOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
}

interface TracedRequest {
  readonly id: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly startedMs: number;
  readonly caller: { readonly kind: "account"; readonly account: { readonly sid: string } } | object | null;
}

/** The trace of a record, and the span that others of it stand below. */
interface Place {
  readonly traceId: string;
  readonly parentSpanId: string | undefined;
}

interface Awaited extends Place {
  readonly sinceMs: number;
  readonly sid: string;
}

type SpanFacts = Pick<Span, "name" | "kind" | "startMs" | "endMs" | "attributes"> & { readonly fault?: string };

const CONTINUED_MAX = 10_000;
const AWAITED_MAX = 10_000;
const SID = /^[A-Z]{2}[0-9a-f]{32}$/;
/** Records begin with their sid. */
const RECORD = /^\{"sid":"([A-Z]{2}[0-9a-f]{32})"/;
/** No request makes these. */
const OF_CARRIERS = /^(?:IM|EV)/;
/** Of the digits that decide, which a number holds exactly. */
const DECIDING_DIGITS = 13;
const DECIDING = 16 ** DECIDING_DIGITS;

export class Traces {
  readonly #deps: TracesDeps;
  /** Traces of callers, by the digits of what their requests made. */
  readonly #continued = new Map<string, TraceContext>();
  /** Sampled messages that a carrier has accepted, by carrier and its id. */
  readonly #awaited = new Map<string, Awaited>();

  constructor(deps: TracesDeps) {
    this.#deps = deps;
  }

  /** A request was answered. */
  request(
    { id: operation, method, path }: TracedOperation,
    request: TracedRequest,
    { status, text }: { readonly status: number; readonly text: string },
  ): void {
    const endMs = this.#nowMs();
    const startMs = endMs - (performance.now() - request.startedMs);
    const record = method === "GET" ? undefined : madeSince(startMs, text);
    const digits = digitsOf(request, record);
    const incoming = readTraceparent(request.headers.traceparent);
    // Refused requests make nothing. A given id may be that of another account's record: only the answer tells what was
    // made.
    const mayHaveMade = method !== "GET" && status < 400 && (record !== undefined || !hasGivenId(request));
    if (incoming && mayHaveMade) {
      this.#continued.set(digits, incoming);
      forgetOldest(this.#continued, CONTINUED_MAX);
    }
    const traceId = incoming?.traceId ?? digits;
    if (incoming?.isSampled === false || !this.#isSampled(traceId)) return;
    const { caller } = request;
    this.#deps.sink.add({
      ...{ name: `${method} ${path}`, kind: "server", startMs, endMs },
      ...{ traceId, spanId: requestSpanOf(digits), parentSpanId: incoming?.spanId },
      attributes: {
        "http.request.method": method,
        "http.route": path,
        "http.response.status_code": status,
        "tandem.operation": operation,
        "tandem.request_id": request.id,
        ...(caller && "account" in caller && { "tandem.account_sid": caller.account.sid }),
      },
      fault: status < 500 ? undefined : `${status}`,
    });
  }

  /** A link has answered for a message, or will not. */
  submitted({ message, link, outcome, leftOn, at }: SettledMessage): void {
    const place = this.#placeOf(message.sid, message.isReply);
    if (!place) return;
    const [leftMs, endMs] = [leftOn.getTime(), at.getTime()];
    const { sid, accountSid } = message;
    const about = { "tandem.sid": sid, "tandem.account_sid": accountSid };
    const isLast = outcome.kind === "accepted" || outcome.kind === "rejected" || outcome.kind === "unknown";
    if (isLast) {
      const startMs = Math.min(timeOfSid(sid), leftMs);
      this.#add(place, { name: "message wait", kind: "internal", startMs, endMs: leftMs, attributes: about });
    }
    this.#add(place, {
      name: "message submit",
      kind: "client",
      startMs: leftMs,
      endMs,
      attributes: {
        ...about,
        "tandem.link": link.name,
        "tandem.carrier": link.carrier,
        "tandem.outcome": outcome.kind,
        "tandem.segments": message.segmentCount,
      },
      ...(outcome.kind !== "accepted" && { fault: outcome.kind }),
    });
    if (outcome.kind !== "accepted") return;
    for (const carrierId of outcome.carrierIds) {
      this.#awaited.set(`${link.carrier} ${carrierId}`, { ...place, sid, sinceMs: endMs });
    }
    forgetOldest(this.#awaited, AWAITED_MAX);
  }

  /** A carrier's receipt is stored. */
  received({ carrier, carrierId, state, errorCode }: CarrierReceipt): void {
    const key = `${carrier} ${carrierId}`;
    const awaited = this.#awaited.get(key);
    if (!awaited) return;
    const isFinal = state !== "enroute";
    if (isFinal) this.#awaited.delete(key);
    this.#add(awaited, {
      name: "message receipt",
      kind: "consumer",
      startMs: awaited.sinceMs,
      endMs: Math.max(awaited.sinceMs, this.#nowMs()),
      attributes: {
        "tandem.sid": awaited.sid,
        "tandem.carrier": carrier,
        "tandem.receipt": state,
        ...(errorCode !== null && { "tandem.carrier_code": errorCode }),
      },
      ...(isFinal && state !== "delivered" && { fault: state }),
    });
  }

  /** A call of this process has ended: its set-up, and the call as a whole. */
  ended({ sid, accountSid, direction, createdOn, answeredOn, completedOn, endReason, legs }: Call): void {
    const place = this.#placeOf(sid, direction === "Inbound");
    if (!place) return;
    const startMs = createdOn.getTime();
    const endMs = completedOn?.getTime() ?? this.#nowMs();
    const attributes = { "tandem.sid": sid, "tandem.account_sid": accountSid, "tandem.direction": direction };
    const setUp = this.#add(place, {
      name: "call set-up",
      kind: direction === "Inbound" ? "server" : "client",
      startMs,
      endMs: answeredOn?.getTime() ?? endMs,
      attributes: { ...attributes, "tandem.end_reason": endReason ?? "" },
      ...(answeredOn === null && { fault: endReason ?? "not answered" }),
    });
    for (const leg of legs) {
      const began = Math.max(startMs, timeOfSid(leg.sid));
      const ended = (leg.answeredOn ?? leg.completedOn)?.getTime() ?? endMs;
      this.#add(
        { ...place, parentSpanId: setUp },
        {
          name: `leg ${leg.leg}`,
          kind: leg.direction === "Inbound" ? "server" : "client",
          startMs: Math.min(began, ended),
          endMs: ended,
          attributes: {
            "tandem.leg_sid": leg.sid,
            ...(leg.rangOn && { "tandem.rang_after_ms": Math.max(0, leg.rangOn.getTime() - began) }),
            ...(leg.sipCode !== null && { "tandem.sip_code": leg.sipCode }),
          },
          ...(leg.answeredOn === null && { fault: leg.endReason ?? "not answered" }),
        },
      );
    }
    if (answeredOn) {
      this.#add(place, { name: "call", kind: "internal", startMs: answeredOn.getTime(), endMs, attributes });
    }
  }

  /** Posts with `traceparent`, if what it tells of is sampled. */
  async post(order: PostOrder, poster: WebhookPoster): Promise<PostOutcome> {
    const { resourceSid, accountSid, headers, method } = order;
    const place = this.#placeOf(resourceSid, OF_CARRIERS.test(resourceSid));
    if (!place) return poster.post(order);
    const spanId = randomHex(8);
    const traceparent = traceparentOf({ traceId: place.traceId, spanId, isSampled: true });
    const startMs = this.#nowMs();
    const outcome = await poster.post({ ...order, headers: { ...headers, traceparent } });
    const { status, failure, ms } = outcome;
    this.#deps.sink.add({
      ...{ name: `webhook ${method}`, kind: "client", startMs, endMs: startMs + ms },
      ...place,
      spanId,
      attributes: {
        "http.request.method": method,
        ...(status !== null && { "http.response.status_code": status }),
        "tandem.sid": resourceSid,
        "tandem.account_sid": accountSid,
        ...(headers["x-event-type"] !== undefined && { "tandem.event": headers["x-event-type"] }),
        ...(headers["x-request-id"] !== undefined && { "tandem.delivery_sid": headers["x-request-id"] }),
      },
      fault: status === null ? reasonOf(failure) : status >= 300 ? `${status}` : undefined,
    });
    return outcome;
  }

  /** Undefined where it is not sampled. `isRoot`: no request made it. */
  #placeOf(sid: string, isRoot: boolean): Place | undefined {
    // Numbers and campaigns have no sid of this form: their webhooks have traces of their own.
    if (!SID.test(sid)) return this.#placeIn(randomHex(16), undefined);
    const digits = sid.slice(2);
    const continued = this.#continued.get(digits);
    if (continued?.isSampled === false) return undefined;
    return this.#placeIn(continued?.traceId ?? digits, isRoot ? undefined : requestSpanOf(digits));
  }

  #placeIn(traceId: string, parentSpanId: string | undefined): Place | undefined {
    return this.#isSampled(traceId) ? { traceId, parentSpanId } : undefined;
  }

  /** W3C Trace Context level 2: the last digits of an id are random. */
  #isSampled(traceId: string): boolean {
    const { share } = this.#deps;
    return share === 1 || Number.parseInt(traceId.slice(-DECIDING_DIGITS), 16) < share * DECIDING;
  }

  #add(place: Place, { fault, ...facts }: SpanFacts): string {
    const spanId = randomHex(8);
    const { traceId, parentSpanId } = place;
    this.#deps.sink.add({ ...facts, traceId, parentSpanId, spanId, fault });
    return spanId;
  }

  #nowMs(): number {
    return this.#deps.clock.now().getTime();
  }
}

/** The digits of what the request made, or would have made. */
function digitsOf(request: TracedRequest, record: string | undefined): string {
  if (hasGivenId(request) && record !== undefined) return record.slice(2);
  return isUuid(request.id) ? digitsOfUuid(request.id) : randomHex(16);
}

function hasGivenId({ id, headers }: TracedRequest): boolean {
  return headers["x-request-id"] === id;
}

/** The record in an answer, if the request made it. */
function madeSince(startMs: number, text: string): string | undefined {
  const sid = RECORD.exec(text)?.[1];
  return sid !== undefined && timeOfSid(sid) >= Math.floor(startMs) ? sid : undefined;
}

/** Without what follows the colon, which may name the receiver. */
function reasonOf(failure: string | null): string {
  return failure?.split(":", 1)[0] ?? "no answer";
}

const randomHex = (bytes: number) => randomBytes(bytes).toString("hex");
