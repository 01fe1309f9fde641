// Waits until the process that holds a call has made a change, as far as the stored record shows it.

import { type Clock, pause } from "../../base/clock.ts";
import type { Call } from "./call.ts";
import type { CallStore } from "./ports.ts";

const WAIT_MS = 5_000;
const POLL_MS = 25;

/** Returns the call as it is when the condition holds, or after a short time. */
export function untilCall(
  { calls, clock }: { readonly calls: Pick<CallStore, "find">; readonly clock: Clock },
  accountSid: string,
  sid: string,
  isSo: (call: Call) => boolean,
): Promise<Call | undefined> {
  return until(
    clock,
    () => calls.find(accountSid, sid),
    (call) => !call || isSo(call),
  );
}

/** Looks until the condition holds, or for a short time. Returns what was seen last. */
export async function until<Seen>(
  clock: Clock,
  look: () => Promise<Seen>,
  isSo: (seen: Seen) => boolean,
): Promise<Seen> {
  for (const deadlineMs = clock.elapsedMs() + WAIT_MS; ; ) {
    const seen = await look();
    if (isSo(seen) || clock.elapsedMs() >= deadlineMs) return seen;
    await pause(clock, POLL_MS);
  }
}
