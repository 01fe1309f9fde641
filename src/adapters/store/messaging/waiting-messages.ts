// Messages that wait to be sent: rows of outbound_queue. They are made ready when their time comes, placed when they
// were stored without a route or under other rules, loaded into the sender's memory, and expired. Nothing here claims
// a message: what takes one out of the queue to send it is in send-queue.ts.

import type {
  LoadedKeys,
  LoadOrder,
  NewMessage,
  Outgoing,
  Placer,
  SendQueue,
  WaitingKey,
} from "../../../domain/messaging/index.ts";
import { MESSAGE_MOVES, PRIORITIES } from "../../../domain/messaging/index.ts";
import { textArray } from "../engine/array-text.ts";
import type { RowOf } from "../engine/columns.ts";
import type { Database } from "../engine/database.ts";
import { named } from "../engine/named-statements.ts";
import { inBatches } from "../engine/sweeps.ts";
import { mayMove, moveMessages, soleSource, TOLD } from "./message-changes.ts";
import { OUTBOUND } from "./message-table.ts";
import { boundsOf, type MessageWeeks, namedByWeek, spanOf } from "./message-weeks.ts";

const SENT_FIELDS = OUTBOUND.only([
  "sid",
  "accountSid",
  "from",
  "to",
  "recipients",
  "text",
  "mediaUrls",
  "segmentCount",
  "priority",
  "carrier",
  "isReply",
  "expiresOn",
]);
type SentRow = RowOf<typeof SENT_FIELDS> & { readonly deferrals: number };

export function outgoingOf(message: NewMessage): Outgoing {
  return toOutgoing(message, message, PRIORITIES.indexOf(message.priority), message.createdOn, 0);
}

/** Written out for speed, because it runs for every message. */
function toOutgoing(
  message: Pick<
    Outgoing,
    "sid" | "accountSid" | "from" | "text" | "segmentCount" | "carrier" | "isReply" | "expiresOn"
  >,
  { recipients, mediaUrls }: Pick<Outgoing, "recipients" | "mediaUrls">,
  priority: number,
  checkedOn: Date,
  deferrals: number,
): Outgoing {
  const { sid, accountSid, from, text, segmentCount, carrier, isReply, expiresOn } = message;
  return {
    sid,
    accountSid,
    from,
    recipients,
    text,
    mediaUrls,
    segmentCount,
    priority,
    carrier,
    isReply,
    expiresOn,
    checkedOn,
    deferrals,
  };
}

function rowToOutgoing(row: SentRow): Outgoing {
  const { to, recipients, mediaUrls, priority, deferrals } = row;
  return toOutgoing(row, { recipients: recipients ?? [to], mediaUrls: mediaUrls ?? [] }, priority, LONG_AGO, deferrals);
}

/** SQL: the columns of a message in the queue, without its place. */
export const WAITING_COLUMNS = "sid, account_sid, from_number, priority, expires_at";

const MAKE_READY = named(
  "make-ready",
  `
update outbound_queue set is_ready = true
 where sid = any (array(select sid from outbound_queue where not is_ready and due_at <= $1 order by due_at limit $2))
returning 1`,
);

// The routes with ready messages, one look into the index for each.
const READY_ROUTES = named(
  "ready-routes",
  `
with recursive found as (
  (select route from outbound_queue where is_ready order by route limit 1)
  union all
  select (select route from outbound_queue where is_ready and route > found.route order by route limit 1)
    from found where found.route is not null
)
select route from found where route is not null`,
);

const UNPLACED = `
select account_sid as "accountSid", sid from outbound_queue where is_ready and route = $1 limit $2`;

const PLACE = `
update outbound_queue as queued set route = given.route, shard = given.shard
  from unnest($1::text[], $2::text[], $3::smallint[]) as given (sid, route, shard)
 where queued.sid = any (array[given.sid])`;

const load = (accounts: string) => `
with recursive ${accounts}, share as materialized (
  select greatest($5 / greatest(count(*), 1), 1) as count from chosen
)
select chosen.account_sid, array(
    select sid from outbound_queue
     where is_ready and route = $1 and account_sid = chosen.account_sid and shard = any ($3) and expires_at > $4
     order by priority, sid limit (select count from share)) as sids, share.count::int as "perAccount"
  from chosen, share order by chosen.account_sid`;

// The first messages of each of the next accounts: many of a few accounts, one of each of many.
const LOAD_ROUND = named(
  "load-messages",
  load(`account as (
  (select account_sid from outbound_queue where is_ready and route = $1 and account_sid > $2 order by account_sid limit 1)
  union all
  select (select account_sid from outbound_queue
           where is_ready and route = $1 and account_sid > account.account_sid order by account_sid limit 1)
    from account where account.account_sid is not null
), chosen as materialized (
  select account_sid from account where account_sid is not null limit $5
)`),
);

const LOAD_ACCOUNTS = named(
  "load-messages-of",
  load("chosen as materialized (select account_sid from unnest($2::text[]) as account_sid)"),
);

const READ = namedByWeek(
  "read-messages",
  (messages) => `
select message.*, queued.deferrals from unnest($1::text[], $2::text[]) with ordinality as given (account_sid, sid, place)
 cross join lateral (select deferrals from outbound_queue where sid = given.sid offset 0) as queued
 cross join lateral (
    select ${SENT_FIELDS.columns} from ${messages}
     where account_sid = given.account_sid and sid = given.sid and sid between $3 and $4 and status = 'Queued' offset 0) as message
 order by given.place`,
);

const FIND_LATE = named(
  "find-late-messages",
  `
select sid from outbound_queue where expires_at <= $1 order by expires_at limit $2 for update skip locked`,
);

// Not named: it is planned for the weeks of its messages.
const EXPIRE = `
with late as (
  select sid, account_sid from outbound_queue where sid = any ($2) and (expires_at <= $1) is true for update skip locked
), gone as (
  delete from outbound_queue using late where outbound_queue.sid = late.sid
), ${moveMessages(
  `update outbound_messages as message
   set status = '${MESSAGE_MOVES.Queued.expired}', status_reason = 'It expired before it could be sent', ${TOLD}
  from late where message.account_sid = late.account_sid and message.sid = late.sid and message.sid between $3 and $4 and ${mayMove(["expired"])}`,
  soleSource(["expired"]),
  "$1::timestamptz",
)}`;

const EXPIRED_AT_ONCE = 500;
const READY_AT_ONCE = 5_000;
const PLACED_AT_ONCE = 1_000;
const LOADED_AT_ONCE = 2_048;
const LONG_AGO = new Date(0);

export class WaitingMessages implements Pick<SendQueue, "ready" | "load" | "read"> {
  readonly #db: Database;
  readonly #placer: Placer;
  readonly #weeks: MessageWeeks;

  constructor(db: Database, placer: Placer, weeks: MessageWeeks) {
    this.#db = db;
    this.#placer = placer;
    this.#weeks = weeks;
  }

  async ready(now: Date): ReturnType<SendQueue["ready"]> {
    const made = await this.#db.query(MAKE_READY, [now, READY_AT_ONCE]);
    const routes = (await this.#db.query<{ route: string }>(READY_ROUTES, [])).map(({ route }) => route);
    const unknown = routes.filter((route) => !this.#placer.routes.includes(route));
    let isMore = made.length === READY_AT_ONCE;
    for (const route of unknown) if ((await this.#place(route)) === PLACED_AT_ONCE) isMore = true;
    return { routes: unknown.length > 0 ? this.#placer.routes : routes, isMore };
  }

  /** Places messages that were stored without a route, or under other rules. Returns how many. */
  async #place(route: string): Promise<number> {
    const messages = await this.read(await this.#db.query<WaitingKey>(UNPLACED, [route, PLACED_AT_ONCE]));
    const places = messages.map((message) => this.#placer.placeOf(message));
    await this.#db.query(PLACE, [
      messages.map(({ sid }) => sid),
      places.map((place) => place.route),
      places.map(({ shard }) => shard),
    ]);
    return messages.length;
  }

  async load({ route, shards, after = "", accounts }: LoadOrder, now: Date): Promise<LoadedKeys> {
    const rows = await this.#db.query<{ account_sid: string; sids: string[]; perAccount: number }>(
      accounts ? LOAD_ACCOUNTS : LOAD_ROUND,
      [route, accounts ?? after, shards, now, LOADED_AT_ONCE],
    );
    return {
      keys: rows.flatMap(({ account_sid: accountSid, sids }) => sids.map((sid) => ({ accountSid, sid }))),
      perAccount: rows[0]?.perAccount ?? LOADED_AT_ONCE,
      last: accounts || rows.length < LOADED_AT_ONCE ? undefined : rows.at(-1)?.account_sid,
    };
  }

  async read(keys: readonly WaitingKey[]): Promise<readonly Outgoing[]> {
    const span = spanOf(keys.map(({ sid }) => sid));
    const rows = await this.#db.query<SentRow>(READ(this.#weeks.tableOf(span)), [
      textArray(keys.map(({ accountSid }) => accountSid)),
      textArray(keys.map(({ sid }) => sid)),
      ...[span.least, span.greatest],
    ]);
    return rows.map(rowToOutgoing);
  }
}

/** Expires messages that could not be sent in time. Returns how many. */
export function expireMessages(db: Database, now: Date): Promise<number> {
  return inBatches(EXPIRED_AT_ONCE, async () => {
    const late = await db.query<{ sid: string }>(FIND_LATE, [now, EXPIRED_AT_ONCE]);
    if (late.length === 0) return 0;
    const sids = late.map(({ sid }) => sid);
    const [row] = await db.query<{ stored: number }>(EXPIRE, [now, sids, ...boundsOf(sids)]);
    return row?.stored ?? 0;
  });
}
