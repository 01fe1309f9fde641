// RFC 9110 10.2.3: Retry-After is a number of seconds or a date in one of three formats (5.6.7).

const DATE =
  /^(?:[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT|[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4})$/;
const WAIT_MS_MAX = 365 * 24 * 3600 * 1000;

/** How long to wait from now, between zero and a year; undefined when the value is malformed. */
export function parseRetryAfter(text: string, now: Date): number | undefined {
  const value = text.trim();
  if (/^\d+$/.test(value)) return Math.min(Number(value) * 1000, WAIT_MS_MAX);
  if (!DATE.test(value)) return undefined;
  const ms = Date.parse(value.endsWith("GMT") ? value : `${value} GMT`);
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms - now.getTime(), 0), WAIT_MS_MAX);
}
