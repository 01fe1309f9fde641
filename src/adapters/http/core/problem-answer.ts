// The HTTP status and body of a refusal. A code without a status does not compile.

import { randomBytes } from "node:crypto";
import { digitsOfUuid, isUuid } from "../../../base/ids.ts";
import { readTraceparent, requestSpanOf, traceparentOf } from "../../../base/trace-context.ts";
import { PROBLEM_TITLES, type Problem, type ProblemCode } from "../../../domain/problems.ts";

export const PROBLEM_STATUS: Readonly<Record<ProblemCode, number>> = {
  validation: 400,
  "sender-invalid": 400,
  "sender-not-yours": 400,
  "sender-without-config": 400,
  "sender-not-active": 400,
  "sender-changing-campaign": 400,
  "sender-lacks-feature": 400,
  "campaign-suspended": 400,
  "campaign-not-approved": 400,
  "campaign-expired": 400,
  "recipient-invalid": 400,
  "recipient-opted-out": 400,
  "country-not-allowed": 400,
  "text-empty": 400,
  "text-too-long": 400,
  "callback-url-refused": 400,
  "expiry-in-the-past": 400,
  "bad-date": 400,
  "bad-media": 400,
  "bad-priority": 400,
  "queue-full": 400,
  "campaign-not-linked": 400,
  "emergency-number": 400,
  "premium-number": 400,
  "not-available": 400,
  unauthorized: 401,
  "feature-off": 403,
  "account-suspended": 403,
  "admin-only": 403,
  "cross-site": 403,
  "not-found": 404,
  "method-not-allowed": 405,
  "request-timeout": 408,
  "other-account": 409,
  conflict: 409,
  "too-many-webhooks": 409,
  "call-not-in-progress": 409,
  "idempotency-running": 409,
  "body-too-large": 413,
  "uri-too-long": 414,
  "unsupported-media-type": 415,
  "range-not-satisfiable": 416,
  "idempotency-key-reused": 422,
  "rate-limited": 429,
  "headers-too-large": 431,
  internal: 500,
  "call-not-reached": 503,
  unavailable: 503,
};

const RFC_SECTIONS: Readonly<Record<number, string>> = {
  400: "15.5.1",
  401: "15.5.2",
  403: "15.5.4",
  404: "15.5.5",
  405: "15.5.6",
  408: "15.5.9",
  409: "15.5.10",
  413: "15.5.14",
  414: "15.5.15",
  415: "15.5.16",
  416: "15.5.17",
  422: "15.5.21",
  500: "15.6.1",
  503: "15.6.4",
};

/** RFC 6585 defines the two statuses that RFC 9110 does not. */
const RFC_6585_SECTIONS: Readonly<Record<number, string>> = { 429: "4", 431: "5" };

function typeOf(status: number): string {
  const extra = RFC_6585_SECTIONS[status];
  if (extra !== undefined) return `https://tools.ietf.org/html/rfc6585#section-${extra}`;
  return `https://tools.ietf.org/html/rfc9110#section-${RFC_SECTIONS[status] ?? "15"}`;
}

export interface ProblemBody {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string | null;
  readonly instance: string | null;
  readonly code: ProblemCode;
  readonly traceId: string;
  readonly errors?: Readonly<Record<string, readonly string[]>>;
  readonly errorCode?: number;
  readonly errorMessage?: string;
}

export function problemBody(problem: Problem, instance: string | null, traceId: string): ProblemBody {
  const status = PROBLEM_STATUS[problem.code];
  return {
    type: typeOf(status),
    title: PROBLEM_TITLES[problem.code],
    status,
    detail: problem.detail ?? null,
    instance,
    code: problem.code,
    ...(status === 400 ? { errors: problem.errors ?? {} } : {}),
    ...(problem.errorCode === undefined
      ? {}
      : { errorCode: problem.errorCode, errorMessage: problem.errorMessage ?? "" }),
    traceId,
  };
}

/** The request's own span within the caller's trace, or within a trace that has the digits of the request's id. */
export function traceIdFor(traceparent: string | readonly string[] | undefined, requestId?: string): string {
  const isOurs = requestId !== undefined && isUuid(requestId);
  const digits = isOurs ? digitsOfUuid(requestId) : randomBytes(16).toString("hex");
  const { traceId = digits, isSampled = false } = readTraceparent(traceparent) ?? {};
  return traceparentOf({ traceId, spanId: requestSpanOf(digits), isSampled });
}
