// The refused requests: how often the log fetches them, and what identifies them.

import type { RefusedRequest } from "@tandem/sdk";

const EVERY_MS = 5000;

/**
 * Each list request of an operator is written to the audit log, and the stream shows new refusals: operators fetch
 * once.
 */
export function lookAgainMs(isOperator: boolean, isPaused: boolean): number | false {
  return isOperator || isPaused ? false : EVERY_MS;
}

/** Callers may use the same request id for many requests, and the same trace. */
export function refusalId({ traceId, requestId, createdOn }: RefusedRequest): string {
  return `${traceId}-${requestId}-${createdOn}`;
}
