// Connects again and again, with pauses that grow to a bound, until the server refuses. The SDK does so for a stream
// that was open once; this is for one that was not, as when a page is loaded while its server is away.
//
// Guarantees: it gives up only where no pause can help, because the session has ended, is another account's, or has no
// right to the stream. A pause that the server asks for is made, up to ASKED_PAUSE_MS_MAX.

import { TandemError } from "@tandem/sdk";

const PAUSE_MS_MIN = 250;
const PAUSE_MS_MAX = 10_000;
const ASKED_PAUSE_MS_MAX = 60_000;

interface Trying {
  /** Returns when the signal was aborted, and throws when there is no connection, or none any more. */
  readonly connect: (opened: () => void) => Promise<void>;
  readonly failed: (error: unknown, retryMs: number) => void;
  /** Ends early when the signal is aborted. */
  readonly pause: (ms: number) => Promise<void>;
  readonly signal: AbortSignal;
}

/** Throws the refusal. */
export async function keepTrying({ connect, failed, pause, signal }: Trying): Promise<void> {
  let failures = 0;
  const opened = () => {
    failures = 0;
  };
  while (!signal.aborted) {
    try {
      await connect(opened);
    } catch (error) {
      if (signal.aborted) return;
      if (isRefusal(error)) throw error;
      const retryMs = pauseMsAfter(failures++, error);
      failed(error, retryMs);
      await pause(retryMs);
    }
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof TandemError && ([401, 403].includes(error.status) || error.code === "other-account");
}

/** Half of it is random, so that tabs do not all come back at the same moment. */
function pauseMsAfter(failures: number, error: unknown): number {
  const grown = Math.min(PAUSE_MS_MAX, PAUSE_MS_MIN * 2 ** Math.min(failures, 10));
  const askedMs = error instanceof TandemError ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
  return Math.max(Math.min(askedMs, ASKED_PAUSE_MS_MAX), Math.round(grown * (0.5 + Math.random() / 2)));
}
