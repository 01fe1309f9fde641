// The closed catalogue of refusals. Every code has a title here and a status in the http adapter; neither compiles without the other.

export const PROBLEM_TITLES = {
  validation: "One or more validation errors occurred.",
  unauthorized: "The credentials are missing or wrong.",
  "feature-off": "This feature is not switched on for the account.",
  "account-suspended": "The account is suspended.",
  "not-found": "There is nothing here.",
  "method-not-allowed": "This address does not take that method.",
  "request-timeout": "The request did not arrive in time.",
  conflict: "The request does not fit the present state.",
  "idempotency-running": "The first request with this Idempotency-Key is still running.",
  "body-too-large": "The body is too large.",
  "uri-too-long": "The address is too long.",
  "unsupported-media-type": "The body's media type is not one that is read here.",
  "idempotency-key-reused": "This Idempotency-Key was used for another request.",
  "rate-limited": "Too many requests.",
  "headers-too-large": "The headers are too large.",
  internal: "The server failed to answer.",
  unavailable: "The server cannot answer just now.",
} as const;

export type ProblemCode = keyof typeof PROBLEM_TITLES;

export type FieldErrors = Readonly<Record<string, readonly string[]>>;

export interface Problem {
  readonly code: ProblemCode;
  readonly detail?: string;
  /** Field name → messages; only of `validation`. */
  readonly errors?: FieldErrors;
}

export function problem(code: ProblemCode, detail?: string): Problem {
  return detail === undefined ? { code } : { code, detail };
}

export function invalid(errors: FieldErrors): Problem {
  return { code: "validation", errors };
}
