// What is recorded of an exchange in addition to its status and body: the headers of both sides, and how long its steps
// took. Made only of exchanges that are recorded. Bounded, and without credentials.

import type { AttemptExchange, AttemptHeader } from "../../domain/webhooks/index.ts";

const HEADERS_MAX = 50;
const VALUE_LENGTH_MAX = 500;
const LENGTH_MAX = 4_096;

/** The values of these headers are hidden, except for the scheme of Authorization. */
const SECRET = /^(authorization|proxy-authorization|cookie|set-cookie)$/i;
const HIDDEN = "hidden";

/** `text` begins with the head of a request or an answer. */
export function headersIn(text: string): readonly AttemptHeader[] {
  const end = text.indexOf("\r\n\r\n");
  const [, ...lines] = (end < 0 ? text : text.slice(0, end)).split("\r\n", HEADERS_MAX + 1);
  const headers: AttemptHeader[] = [];
  let length = 0;
  for (const line of lines) {
    const colon = line.indexOf(":");
    const name = line.slice(0, colon);
    const value = shown(name, line.slice(colon + 1).trim());
    length += name.length + value.length;
    if (colon < 1 || length > LENGTH_MAX) break;
    headers.push({ name, value });
  }
  return headers;
}

/** The values of a header, whole and shown to no one. `head` is that of an answer, without its empty line. */
export function valuesIn(head: string, wanted: string): readonly string[] {
  return head.split("\r\n").flatMap((line) => {
    const colon = line.indexOf(":");
    return line.slice(0, Math.max(0, colon)).toLowerCase() === wanted ? [line.slice(colon + 1).trim()] : [];
  });
}

function shown(name: string, value: string): string {
  if (!SECRET.test(name)) return value.slice(0, VALUE_LENGTH_MAX);
  const [, scheme] = /^([A-Za-z]{1,20}) /.exec(value) ?? [];
  return scheme && /authorization$/i.test(name) ? `${scheme} ${HIDDEN}` : HIDDEN;
}

/** When the steps of an exchange ended, in ms; 0 when one did not happen. */
export interface ExchangeTimes {
  readonly startedMs: number;
  readonly firstByteMs: number;
  readonly endedMs: number;
  /** Of a connection that was made for this exchange. */
  readonly opening:
    | { readonly startedMs: number; readonly resolvedMs: number; readonly connectedMs: number }
    | undefined;
}

export function timingOf({ startedMs, firstByteMs, endedMs, opening }: ExchangeTimes): AttemptExchange["timing"] {
  const between = (from: number, to: number) => (from === 0 || to === 0 ? null : Math.round(to - from));
  return {
    dnsMs: opening ? between(opening.startedMs, opening.resolvedMs) : null,
    connectMs: opening ? between(opening.resolvedMs, opening.connectedMs) : null,
    firstByteMs: between(startedMs, firstByteMs),
    totalMs: Math.round(endedMs - startedMs),
  };
}
