// A filter that says `since:2h` shows something else every hour. What is shown to another person names the moment.

import { parseFilter, sinceOf, TIME_FIELDS } from "./filter.ts";

/** An address of the portal, with the moments that its filter means now. */
export function withMoments(address: string, now: Date): string {
  const [path = "", query] = address.split("?", 2);
  if (query === undefined) return address;
  const search = new URLSearchParams(query);
  const q = search.get("q");
  if (q === null) return address;
  search.set("q", momentsIn(q, now));
  return `${path}?${search.toString()}`;
}

const toSecond = (at: Date): Date => new Date(at.getTime() - (at.getTime() % 1000));

function momentsIn(q: string, now: Date): string {
  const terms = parseFilter(q, TIME_FIELDS).map(({ field, value, isNot, text }) => {
    const moment = TIME_FIELDS.some(({ name }) => name === field) ? sinceOf(value, now) : undefined;
    return moment ? `${isNot ? "-" : ""}${field}:${toSecond(moment).toISOString()}` : text;
  });
  return terms.join(" ");
}
