// The errors of a call: the server refused it (TandemError), or no usable response arrived (TandemNetworkError).

import { type RateLimit, rateLimitOf, retryAfterSecondsOf } from "./answer-headers.ts";
import type { ProblemCode, ValidationProblem } from "./api.generated.ts";

/** Any string, while editors still suggest the known ones. */
type OtherText = string & Record<never, never>;

/** The server refused the request. */
export class TandemError extends Error {
  override readonly name = "TandemError";
  readonly status: number;
  /** Stable; codes newer than this package are other strings. Undefined if a proxy responded. */
  readonly code: ProblemCode | OtherText | undefined;
  /** The error code of a refused message. */
  readonly errorCode: number | undefined;
  readonly errorMessage: string | undefined;
  readonly detail: string | undefined;
  /** Field name → messages; empty unless fields of the request were invalid. */
  readonly errors: Readonly<Record<string, readonly string[]>>;
  readonly traceId: string | undefined;
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly rateLimit: RateLimit | undefined;

  constructor(status: number, headers: Headers, body: unknown) {
    const problem = problemIn(body);
    super(messageOf(status, problem));
    this.status = status;
    this.code = textOr(problem.code);
    this.errorCode = Number.isSafeInteger(problem.errorCode) ? (problem.errorCode as number) : undefined;
    this.errorMessage = textOr(problem.errorMessage);
    this.detail = textOr(problem.detail);
    this.errors = errorsOf(problem.errors);
    this.traceId = textOr(problem.traceId);
    this.requestId = headers.get("X-Request-Id") ?? undefined;
    this.retryAfterSeconds = retryAfterSecondsOf(headers);
    this.rateLimit = rateLimitOf(headers);
  }
}

/**
 * `unreachable`: no connection, or it broke; `timeout`: no complete response in time; `aborted`: by the caller's
 * signal; `garbled`: the response is not one of this API.
 */
export type NetworkFault = "unreachable" | "timeout" | "aborted" | "garbled";

/** No usable response arrived: it is unknown whether the server carried out the request. */
export class TandemNetworkError extends Error {
  override readonly name = "TandemNetworkError";
  readonly fault: NetworkFault;

  constructor(fault: NetworkFault, message: string, cause?: unknown) {
    super(message, { cause });
    this.fault = fault;
  }
}

type ProblemLike = Partial<Record<keyof ValidationProblem | "errorCode" | "errorMessage", unknown>>;

function problemIn(body: unknown): ProblemLike {
  return body !== null && typeof body === "object" ? body : {};
}

function messageOf(status: number, problem: ProblemLike): string {
  const faults = Object.values(errorsOf(problem.errors)).flat();
  if (faults.length > 0) return faults.join(" ");
  const [title, detail] = [textOr(problem.title), textOr(problem.detail)];
  if (title === undefined) return `The server answered ${status}.`;
  return detail === undefined ? title : `${title.replace(/\.?$/, ".")} ${detail}`;
}

function errorsOf(errors: unknown): Record<string, readonly string[]> {
  if (errors === null || typeof errors !== "object") return {};
  const entries = Object.entries(errors).filter(([, messages]) => Array.isArray(messages));
  return Object.fromEntries(entries.map(([field, messages]) => [field, messages.map(String)]));
}

function textOr(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
