// The requests that were refused, as the log asks for them and tells them apart.

import type { RefusedRequest } from "@tandem/sdk";

const EVERY_MS = 5000;

/** Each look of an operator is entered in the audit log, and the stream shows what comes: they look once. */
export function lookAgainMs(isOperator: boolean, isPaused: boolean): number | false {
  return isOperator || isPaused ? false : EVERY_MS;
}

/** Callers may give the same id to many requests, and the same trace. */
export function refusalId({ traceId, requestId, createdOn }: RefusedRequest): string {
  return `${traceId}-${requestId}-${createdOn}`;
}
