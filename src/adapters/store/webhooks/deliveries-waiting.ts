// Deliveries that wait are found by the queue: they are few beside those that were made, and may be old. Where an
// account has more of them than a page may look at, they are looked for among its deliveries instead.

import { timeOfSid } from "../../../base/ids.ts";
import type { PageRequest } from "../../../base/page.ts";
import type { Queryable } from "../engine/database.ts";
import { type Piece, READ_MAX } from "../engine/pages.ts";
import { placedOf } from "./batch-sids.ts";

/** A short queue is read as a whole. */
const SHORT = 1_000;
const PIECE = 1_000;
/** The time in a sid is that of the delivery, rounded. */
const SLACK_MS = 1_000;

const WHOLE_QUEUE = "select delivery_sid as sid from delivery_queue limit $1";

// What a replay queued for a subscription that is gone is sent for the account's callbacks.
const OF_ACCOUNT = `
select queue.sid from (
    select sid from webhook_subscriptions where account_sid = $1 and $2::text is null
    union select $2::text where $2::text is not null
    union select 'WS' || substr($1, 3)) as endpoint
  cross join lateral (
    (select delivery_sid as sid from delivery_queue where subscription_sid = endpoint.sid and is_ready limit $3)
    union all
    (select delivery_sid as sid from delivery_queue where subscription_sid = endpoint.sid and not is_ready limit $3)) as queue
 limit $3`;

/** Among others, if the queue is short. Undefined: there are too many. */
export async function waitingSids(
  db: Queryable,
  accountSid: string,
  subscriptionSid: string | undefined,
  { readMax = READ_MAX }: Pick<PageRequest, "readMax">,
): Promise<readonly string[] | undefined> {
  const short = Math.min(SHORT, readMax);
  const whole = await db.query<{ sid: string }>(WHOLE_QUEUE, [short + 1]);
  if (whole.length <= short) return sorted(whole);
  const own = await db.query<{ sid: string }>(OF_ACCOUNT, [accountSid, subscriptionSid ?? null, readMax + 1]);
  return own.length <= readMax ? sorted(own) : undefined;
}

const sorted = (rows: readonly { readonly sid: string }[]) => [...new Set(rows.map(({ sid }) => sid))].sort();

/** In the order of the page, from where it begins. */
export async function* piecesOfSids(
  sids: readonly string[],
  { after, direction }: Pick<PageRequest, "after" | "direction">,
): AsyncGenerator<Piece> {
  const begun = after === undefined ? undefined : placedOf(after)?.batchSid;
  const isDown = direction === "Descending";
  const left = sids.filter((sid) => begun === undefined || (isDown ? sid <= begun : sid >= begun));
  if (isDown) left.reverse();
  for (let at = 0; at < left.length; at += PIECE) {
    const piece = left.slice(at, at + PIECE);
    const times = [piece[0], piece.at(-1)].map((sid) => timeOfSid(sid as string)).sort((one, other) => one - other);
    const [first = 0, last = 0] = times;
    yield {
      where: {
        "batch.sid": piece,
        "batch.created_at >=": new Date(first - SLACK_MS),
        "batch.created_at <=": new Date(last + SLACK_MS),
      },
    };
  }
}
