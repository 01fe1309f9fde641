// The closed catalogue of refusals. Every code has a title here and a status in the http adapter; a code that lacks one
// does not compile.

export const PROBLEM_TITLES = {
  validation: "One or more validation errors occurred.",
  unauthorized: "The credentials are missing or wrong.",
  "feature-off": "This feature is not switched on for the account.",
  "account-suspended": "The account is suspended.",
  "admin-only": "Only operators with the role admin may do this.",
  "cross-site": "A page of another site may not do this.",
  "not-found": "There is nothing here.",
  "method-not-allowed": "This address does not take that method.",
  "request-timeout": "The request did not arrive in time.",
  "other-account": "This browser is signed in to another account.",
  conflict: "The request does not fit the present state.",
  "call-not-in-progress": "The call is not in progress.",
  "too-many-webhooks": "The account has as many webhooks as it may have.",
  "idempotency-running": "The first request with this Idempotency-Key is still running.",
  "body-too-large": "The body is too large.",
  "uri-too-long": "The address is too long.",
  "range-not-satisfiable": "The file has no such part.",
  "unsupported-media-type": "The body's media type is not one that is read here.",
  "idempotency-key-reused": "This Idempotency-Key was used for another request.",
  "rate-limited": "Too many requests.",
  "headers-too-large": "The headers are too large.",
  "sender-invalid": "The sender is not a phone number.",
  "sender-not-yours": "The sender is not a number of this account.",
  "sender-without-config": "The sender has no MessagingConfig.",
  "sender-not-active": "The sender is not active yet.",
  "sender-changing-campaign": "The sender is changing its campaign.",
  "sender-lacks-feature": "The sender cannot send such messages.",
  "campaign-suspended": "The sender's campaign is suspended.",
  "campaign-not-approved": "The sender's campaign is not approved.",
  "campaign-expired": "The sender's campaign has expired.",
  "recipient-invalid": "The recipient is not a phone number.",
  "recipient-opted-out": "The recipient has opted out.",
  "country-not-allowed": "The recipient's country is not allowed.",
  "text-empty": "There is neither text nor media.",
  "text-too-long": "The text is too long.",
  "callback-url-refused": "The callback URL is too long or cannot be used.",
  "expiry-in-the-past": "The message would expire before it is sent.",
  "bad-date": "A date cannot be read, lies in the past or too far ahead.",
  "bad-media": "The media cannot be sent.",
  "bad-priority": "There is no such priority.",
  "queue-full": "The account's queue is full.",
  "campaign-not-linked": "The MessagingConfig is not linked to an active campaign.",
  "emergency-number": "This is an emergency number.",
  "premium-number": "This is a premium-rate number.",
  "not-available": "This is not available.",
  "call-not-reached": "The process that has the call does not answer just now.",
  internal: "The server failed to answer.",
  unavailable: "The server cannot answer just now.",
} as const;

export type ProblemCode = keyof typeof PROBLEM_TITLES;

export type FieldErrors = Readonly<Record<string, readonly string[]>>;

export interface Problem {
  readonly code: ProblemCode;
  readonly detail?: string;
  /** Field name → messages; only for problems answered with 400. */
  readonly errors?: FieldErrors;
  /** For a refused message: the first error code that applies, and its meaning. */
  readonly errorCode?: number;
  readonly errorMessage?: string;
  /** How long the client should wait before it tries again. */
  readonly retryAfterSeconds?: number;
  /** Size of the file, when it does not have the requested range. */
  readonly sizeBytes?: number;
}

export function problem(code: ProblemCode, detail?: string): Problem {
  return detail === undefined ? { code } : { code, detail };
}

/** The most fields that one answer reports. */
export const ERRORS_MAX = 250;

/** Joins the messages of each field. */
export function mergeErrors(...several: readonly FieldErrors[]): FieldErrors {
  const merged = new Map<string, readonly string[]>();
  for (const errors of several) {
    for (const [field, messages] of Object.entries(errors)) {
      if (merged.size < ERRORS_MAX || merged.has(field)) merged.set(field, [...(merged.get(field) ?? []), ...messages]);
    }
  }
  return Object.fromEntries(merged);
}

export function invalid(errors: FieldErrors): Problem {
  return { code: "validation", errors };
}
