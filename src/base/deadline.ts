// A signal that aborts after some time, or with another signal. It replaces `AbortSignal.timeout` inside
// `AbortSignal.any`: that timeout may be garbage-collected while it is awaited, and then it never fires.

export interface Deadline {
  readonly signal: AbortSignal;
  /** To be called when the work has ended, in time or not. */
  clear(): void;
}

export function deadlineAfter(ms: number, outer: AbortSignal): Deadline {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), ms);
  return { signal: AbortSignal.any([outer, controller.signal]), clear: () => clearTimeout(timer) };
}
