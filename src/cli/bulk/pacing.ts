// Decides the size of the next batch and the pause before it from the server's rate limit and its faults. A pure state
// machine; retrying-caller.ts makes the calls and the pauses.

import { type RateLimit, TandemError, TandemNetworkError } from "../../../sdk/src/index.ts";
import { backoffMs } from "../../base/backoff.ts";

const AFTER_FAULT = { msMin: 500, msMax: 30_000 };
const AFTER_DENIAL = { msMin: 500, msMax: 32_000 };
/** If the pause would be longer, the command gives up and the user starts it again later. */
const WAIT_MS_MAX = 15 * 60 * 1000;
/** Gives up after this many rate-limit refusals in a row, although it waited as requested each time. */
const DENIALS_MAX = 100;

export interface Pace {
  /** The largest batch, whatever the server allows. */
  readonly sizeMax: number;
  readonly batchMax: number;
  /** The remaining allowance of the window that ends at `windowEndMs`. */
  readonly remaining: number;
  readonly windowEndMs: number;
  /** In a row, without an answer between them. */
  readonly failures: number;
  readonly denials: number;
}

export type Reaction =
  | { readonly kind: "wait"; readonly ms: number; readonly why: "limit" | "fault"; readonly pace: Pace }
  | { readonly kind: "giveUp" };

export function firstPace(sizeMax: number): Pace {
  return {
    sizeMax,
    batchMax: sizeMax,
    remaining: Number.POSITIVE_INFINITY,
    windowEndMs: 0,
    failures: 0,
    denials: 0,
  };
}

/** The size of the next batch; 0 until the next window. */
export function batchSize(pace: Pace, nowMs: number): number {
  return nowMs < pace.windowEndMs ? Math.min(pace.batchMax, pace.remaining) : pace.batchMax;
}

export function afterAnswer(pace: Pace, limit: RateLimit | undefined, nowMs: number): Pace {
  return { ...learn(pace, limit, nowMs), failures: 0, denials: 0 };
}

/** What to do after a call without an answer. */
export function afterFault(pace: Pace, error: unknown, nowMs: number, retriesMax: number): Reaction {
  if (error instanceof TandemError && error.status === 429) return afterDenial(pace, error, nowMs);
  if (!mayPass(error) || pace.failures >= retriesMax) return { kind: "giveUp" };
  const pauseMs = backoffMs(AFTER_FAULT, pace.failures + 1);
  const askedMs = error instanceof TandemError ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
  return wait(Math.max(pauseMs, askedMs), "fault", { ...pace, failures: pace.failures + 1 });
}

function afterDenial(pace: Pace, error: TandemError, nowMs: number): Reaction {
  if (pace.denials >= DENIALS_MAX) return { kind: "giveUp" };
  const seconds = error.retryAfterSeconds ?? error.rateLimit?.resetSeconds;
  const ms = seconds === undefined ? backoffMs(AFTER_DENIAL, pace.denials + 1) : seconds * 1000;
  // After the pause a new window begins; only its size is known.
  const next = { ...learn(pace, error.rateLimit, nowMs), windowEndMs: 0, denials: pace.denials + 1 };
  return wait(ms, "limit", next);
}

function wait(ms: number, why: "limit" | "fault", pace: Pace): Reaction {
  return ms > WAIT_MS_MAX ? { kind: "giveUp" } : { kind: "wait", ms, why, pace };
}

function learn(pace: Pace, limit: RateLimit | undefined, nowMs: number): Pace {
  if (!limit) return { ...pace, windowEndMs: 0 };
  return {
    ...pace,
    // A batch costs its size, so one larger than the window would never be accepted.
    batchMax: Math.max(1, Math.min(pace.sizeMax, limit.limit)),
    remaining: limit.remaining,
    windowEndMs: nowMs + limit.resetSeconds * 1000,
  };
}

function mayPass(error: unknown): boolean {
  // An earlier request with the same key is still running; a retry gets its answer.
  if (error instanceof TandemError && error.code === "idempotency-running") return true;
  if (error instanceof TandemError) return error.status >= 500 || error.status === 408;
  return error instanceof TandemNetworkError && error.fault !== "aborted";
}
