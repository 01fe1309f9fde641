// Makes a start again while PostgreSQL is starting, recovering from a crash, or too busy to answer in time. What a
// start has opened it closes before it fails.

import { type Clock, pause } from "../../base/clock.ts";
import { Unavailable } from "../../base/unavailable.ts";

export interface StartWait {
  readonly clock: Clock;
  readonly progress: (step: string) => void;
  /** Aborted by a request to stop, which ends the wait. */
  readonly stop: AbortSignal;
}

const WAIT_MS_MAX = 60_000;
const RETRY_MS = 200;
/** PostgreSQL accepts no connections yet. */
const IS_STARTING = "57P03";

export async function untilDatabaseAnswers<Started>(
  start: () => Promise<Started>,
  { clock, progress, stop }: StartWait,
): Promise<Started> {
  let told: string | undefined;
  for (const deadlineMs = clock.elapsedMs() + WAIT_MS_MAX; ; ) {
    try {
      return await start();
    } catch (fault) {
      const reason = passingReason(fault);
      stop.throwIfAborted();
      if (reason === undefined || clock.elapsedMs() >= deadlineMs) throw fault;
      if (reason !== told) progress(`waiting for PostgreSQL: ${reason}`);
      told = reason;
    }
    await pause(clock, RETRY_MS);
    stop.throwIfAborted();
  }
}

/** Undefined when waiting does not help. */
function passingReason(fault: unknown): string | undefined {
  if (fault instanceof Unavailable) return fault.message;
  const { cause = fault } = fault as { readonly cause?: unknown };
  const { code, message } = cause as { readonly code?: string; readonly message?: string };
  return code === IS_STARTING ? message : undefined;
}
