// Which failed calls are retried, and after which pause. Only harmless retries: a request that may have been carried
// out is retried if its method is idempotent, or if it is a POST, which has an Idempotency-Key.

import { TandemError, TandemNetworkError } from "./errors.ts";

export interface FailedCall {
  readonly method: string;
  readonly error: unknown;
  /** Consecutive failures before this one. */
  readonly failures: number;
  readonly pauseMsMin: number;
}

const PAUSE_MS_MAX = 8_000;

/** Undefined: the call is not retried. */
export function retryPauseMs({ method, error, failures, pauseMsMin }: FailedCall): number | undefined {
  if (!mayPass(method, error)) return undefined;
  const askedMs = error instanceof TandemError ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
  return Math.max(askedMs, grownPauseMs(failures, pauseMsMin, PAUSE_MS_MAX));
}

function mayPass(method: string, error: unknown): boolean {
  // A PATCH may add something, and has no key: it is retried only if it was refused before anything was done.
  if (!(error instanceof TandemError)) return method !== "PATCH" && !(error instanceof TandemNetworkError);
  if (error.status === 429 || error.status === 503) return true;
  // The first request with the same key is still being carried out: a retry gets its response.
  if (error.code === "idempotency-running") return true;
  return method !== "PATCH" && isUnanswered(error);
}

/** Whether it is unknown if the request was carried out. */
export function isUnanswered(error: unknown): boolean {
  return !(error instanceof TandemError) || error.status === 502 || error.status === 504;
}

/** Half of the pause is random, so that clients do not all reconnect at the same moment after a restart. */
export function grownPauseMs(failures: number, msMin: number, msMax: number): number {
  const grown = Math.min(msMax, msMin * 2 ** Math.min(failures, 10));
  return Math.round(grown * (0.5 + Math.random() / 2));
}

/** Ends early, without an error, when the signal is aborted. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener("abort", end);
    if (signal?.aborted) end();
  });
}
