// Reads the headers of a response: rate limits and Retry-After.

export interface RateLimit {
  /** Allowed per window. */
  readonly limit: number;
  /** Left in this window. */
  readonly remaining: number;
  /** Until the next window. */
  readonly resetSeconds: number;
}

export function rateLimitOf(headers: Headers): RateLimit | undefined {
  const limit = wholeNumber(headers.get("RateLimit-Limit"));
  const remaining = wholeNumber(headers.get("RateLimit-Remaining"));
  const resetSeconds = wholeNumber(headers.get("RateLimit-Reset"));
  if (limit === undefined || remaining === undefined || resetSeconds === undefined) return undefined;
  return { limit, remaining, resetSeconds };
}

/** RFC 9110 10.2.3: seconds, or a date. */
export function retryAfterSecondsOf(headers: Headers): number | undefined {
  const text = headers.get("Retry-After");
  const seconds = wholeNumber(text);
  if (text === null || seconds !== undefined) return seconds;
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? undefined : Math.max(0, Math.ceil((atMs - Date.now()) / 1000));
}

function wholeNumber(text: string | null): number | undefined {
  return text !== null && /^\d{1,10}$/.test(text.trim()) ? Number(text) : undefined;
}
