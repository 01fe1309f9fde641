// For speed alone (`bench -- webhooks` would notice): a time in ISO 8601. The events of a moment share it, and writing
// it takes a microsecond.

const WRITTEN = 64;
const written = Array.from({ length: WRITTEN }, () => ({ ms: 0, text: new Date(0).toISOString() }));

export function isoTime(date: Date): string {
  const ms = date.getTime();
  const place = Math.abs(ms % WRITTEN);
  const known = written[place];
  if (known?.ms === ms) return known.text;
  const text = date.toISOString();
  written[place] = { ms, text };
  return text;
}
