// A list of messages is read some weeks at a time: PostgreSQL plans a statement for every week that it may look into,
// which after some years takes far longer than reading a page. It begins with a few weeks; when they do not fill the
// page, it goes on at the next message that the account has, with four times as many.

import { firstSidAt, timeOfSid } from "../../../base/ids.ts";
import type { PageRequest } from "../../../base/page.ts";
import type { Queryable } from "../engine/database.ts";
import { named } from "../engine/named-statements.ts";
import type { Piece } from "../engine/pages.ts";
import { WEEK_MS } from "../engine/weeks.ts";

type Bounds = Readonly<Partial<Record<"sid >=" | "sid <", string | undefined>>>;

const WEEKS_AT_FIRST = 4;
const GROWTH = 4;

// Planned once: looks into the index of each week in turn until one has a message.
const LAST_BEFORE = named(
  "last-message-before",
  `
select sid from outbound_messages where account_sid = $1 and sid < $2 order by sid desc limit 1`,
);

const FIRST_FROM = named(
  "first-message-from",
  `
select sid from outbound_messages where account_sid = $1 and sid >= $2 order by sid limit 1`,
);

/** After and before every sid. */
const [NEWEST, OLDEST] = ["ON", "OM"];

/** In the direction of the page, from where it begins; `within` are the sids that the list is of. */
export async function* weeksOf(
  db: Queryable,
  accountSid: string,
  { after, direction }: PageRequest,
  within: Bounds,
): AsyncGenerator<Piece> {
  const isDown = direction === "Descending";
  const [start, end] = isDown ? (["sid <", "sid >="] as const) : (["sid >=", "sid <"] as const);
  let from = after ?? within[start] ?? (await nextSid(db, accountSid, isDown, isDown ? NEWEST : OLDEST));
  let read: string | undefined;
  for (let weeks = WEEKS_AT_FIRST; from !== undefined; weeks *= GROWTH) {
    const limit = sidWeeksFrom(from, isDown ? -weeks : weeks);
    yield { where: { [start]: read, [end]: limit } };
    const last = within[end];
    if (limit === undefined || (last !== undefined && (isDown ? limit <= last : limit >= last))) return;
    read = limit;
    from = await nextSid(db, accountSid, isDown, limit);
  }
}

async function nextSid(db: Queryable, accountSid: string, isDown: boolean, from: string): Promise<string | undefined> {
  const [row] = await db.query<{ sid: string }>(isDown ? LAST_BEFORE : FIRST_FROM, [accountSid, from]);
  return row?.sid;
}

/** Undefined where that is no time of a sid: then the rest is read at once. */
function sidWeeksFrom(sid: string, weeks: number): string | undefined {
  const ms = timeOfSid(sid) + weeks * WEEK_MS;
  return ms >= 0 && ms < 2 ** 48 ? firstSidAt("OM", new Date(ms)) : undefined;
}
