// What is still to be delivered. A subscription is a lane: claims take from lanes that have room, so that a receiver that hangs holds
// up nobody else. A claim is a lease: `due_at` moves ahead, and a claim whose process died comes due again (worker-seat.ts sees to it
// at once, the lease in any case); the event is then delivered again under the same webhook-id. Within a lane the events of one
// resource go one after the other; a later one waits for an earlier one that is still queued, but no longer than a minute. A replay
// begins another round (`queued_at`): an attempt of the round before is recorded, but decides nothing any more.

import type { EventType } from "../../domain/events.ts";
import type {
  ClaimedDelivery,
  DeliveryQueue,
  LaneRoom,
  SettledDelivery,
  Subscription,
} from "../../domain/webhooks/index.ts";
import type { SecretBox } from "../secrets.ts";
import type { Database } from "./database.ts";

const ORDER_WAIT = "interval '60 seconds'";
// A blocked delivery is let go by the one before it; looking again after a while mends the rare race in which it is not.
const BLOCKED_RECHECK = "interval '5 seconds'";

const CLAIM = `
with lane as (
  select * from unnest($1::text[], $2::int[]) as lane (sid, room)
), picked as (
  select taken.* from lane cross join lateral (
    select * from delivery_queue where subscription_sid = lane.sid and due_at <= $3
     order by due_at, sequence limit lane.room for update skip locked
  ) as taken
), judged as (
  select delivery_sid, queued_at > $3 - ${ORDER_WAIT} and exists (
           select from delivery_queue as earlier
            where earlier.subscription_sid = picked.subscription_sid and earlier.resource_sid = picked.resource_sid
              and earlier.sequence < picked.sequence) as blocked
    from picked
), claimed as (
  update delivery_queue as queue
     set due_at = case when blocked then least(queued_at + ${ORDER_WAIT}, $3 + ${BLOCKED_RECHECK}) else $4 end,
         attempt = case when blocked then attempt else attempt + 1 end,
         claimed_by = case when not blocked then $5::int end
    from judged where queue.delivery_sid = judged.delivery_sid
  returning queue.*, blocked
)
select json_agg(row) as rows from (
  select claimed.delivery_sid, claimed.subscription_sid, claimed.resource_sid, claimed.sequence, claimed.created_at, claimed.queued_at,
         claimed.attempt, claimed.url, claimed.forced, claimed.blocked, event.account_sid, event.type, event.fields::text as fields
    from claimed
    left join events as event on event.id = claimed.event_id and event.created_at = claimed.created_at
) as row`;

// Once a lane, not once a delivery.
const READ_LANES = `select sid, url, backup_url, payload_shape, enabled, failing_since, secret, bearer,
       case when previous_until > $2 then previous_secret end as previous_secret
  from webhook_subscriptions where sid = any($1)`;

/** As JSON: one value for the driver to read instead of a dozen a row. */
interface ClaimedRow {
  readonly delivery_sid: string;
  readonly subscription_sid: string;
  readonly created_at: string;
  readonly queued_at: string;
  readonly attempt: number;
  readonly url: string | null;
  readonly forced: boolean;
  readonly blocked: boolean;
  /** Null when the event is gone already. */
  readonly account_sid: string | null;
  readonly type: EventType;
  readonly resource_sid: string;
  readonly sequence: number;
  readonly fields: string;
}

interface LaneRow {
  readonly sid: string;
  readonly url: string;
  readonly backup_url: string | null;
  readonly payload_shape: Subscription["payloadShape"];
  readonly enabled: boolean;
  readonly failing_since: Date | null;
  readonly secret: Buffer;
  readonly bearer: Buffer | null;
  readonly previous_secret: Buffer | null;
}

type LaneSubscription = ClaimedDelivery["subscription"] & { readonly isEnabled: boolean };

function toDelivery(row: ClaimedRow, subscription: LaneSubscription | undefined): ClaimedDelivery {
  const createdOn = new Date(row.created_at);
  return {
    sid: row.delivery_sid,
    createdOn,
    queuedOn: new Date(row.queued_at),
    attempt: row.attempt,
    url: row.url,
    isWanted: row.account_sid !== null && subscription !== undefined && (subscription.isEnabled || row.forced),
    event: {
      accountSid: row.account_sid ?? "",
      type: row.type,
      resourceSid: row.resource_sid,
      sequence: row.sequence,
      get fields() {
        return JSON.parse(row.fields) as Record<string, unknown>;
      },
      fieldsText: row.fields,
      createdOn,
    },
    subscription: subscription ?? { ...NO_SUBSCRIPTION, sid: row.subscription_sid },
  };
}

/** Of a delivery whose subscription is gone; it is not sent anywhere. */
const NO_SUBSCRIPTION = {
  url: "",
  backupUrl: null,
  payloadShape: "A",
  failingSince: null,
  secrets: [],
  bearer: null,
} as const;

// Sealed secrets are opened once: the same bytes are the same secret.
const OPENED_MAX = 10_000;

export class StoredQueue implements DeliveryQueue {
  readonly #db: Database;
  readonly #box: SecretBox;
  readonly #worker: { readonly id: number };
  readonly #opened = new Map<string, string>();

  /** `worker` says under which id to claim; it changes when the worker had to take its seat anew. */
  constructor(db: Database, box: SecretBox, worker: { readonly id: number }) {
    this.#db = db;
    this.#box = box;
    this.#worker = worker;
  }

  /** Lanes in which something is due. Costs as much as there are lanes, not as there are deliveries. */
  async dueLanes(now: Date): Promise<readonly string[]> {
    const rows = await this.#db.prepared<{ sid: string | null }>(
      "due-lanes",
      `with recursive lane as (
         (select subscription_sid as sid from delivery_queue order by subscription_sid limit 1)
         union all
         select (select subscription_sid from delivery_queue where subscription_sid > lane.sid order by subscription_sid limit 1)
           from lane where lane.sid is not null
       )
       select sid from lane
        where sid is not null and exists (select from delivery_queue where subscription_sid = lane.sid and due_at <= $1)`,
      [now],
    );
    return rows.map((row) => row.sid as string);
  }

  async claim(
    lanes: readonly LaneRoom[],
    now: Date,
    leaseMs: number,
  ): Promise<{ readonly claimed: readonly ClaimedDelivery[]; readonly more: readonly string[] }> {
    const sids = lanes.map((lane) => lane.subscriptionSid);
    const rooms = lanes.map((lane) => lane.room);
    const leaseEnd = new Date(now.getTime() + leaseMs);
    const [[claims], laneRows] = await Promise.all([
      this.#db.prepared<{ rows: ClaimedRow[] | null }>("claim-deliveries", CLAIM, [
        sids,
        rooms,
        now,
        leaseEnd,
        this.#worker.id,
      ]),
      this.#db.prepared<LaneRow>("read-lanes", READ_LANES, [sids, now]),
    ]);
    const rows = claims?.rows ?? [];
    const subscriptions = new Map(laneRows.map((row) => [row.sid, this.#toSubscription(row)]));
    const taken = new Map<string, number>();
    const blocked = new Set<string>();
    for (const row of rows) {
      taken.set(row.subscription_sid, (taken.get(row.subscription_sid) ?? 0) + 1);
      if (row.blocked) blocked.add(row.subscription_sid);
    }
    const isLeft = ({ subscriptionSid: sid, room }: LaneRoom) => blocked.has(sid) || (taken.get(sid) ?? 0) >= room;
    return {
      claimed: rows
        .filter((row) => !row.blocked)
        .map((row) => toDelivery(row, subscriptions.get(row.subscription_sid))),
      more: lanes.filter(isLeft).map((lane) => lane.subscriptionSid),
    };
  }

  #toSubscription(row: LaneRow): LaneSubscription {
    return {
      sid: row.sid,
      url: row.url,
      backupUrl: row.backup_url,
      payloadShape: row.payload_shape,
      failingSince: row.failing_since,
      isEnabled: row.enabled,
      secrets: [row.secret, row.previous_secret].flatMap((sealed) => (sealed ? [this.#open(sealed)] : [])),
      bearer: row.bearer && this.#open(row.bearer),
    };
  }

  #open(sealed: Buffer): string {
    const key = sealed.toString("latin1");
    let text = this.#opened.get(key);
    if (text === undefined) {
      text = this.#box.open(sealed);
      if (this.#opened.size >= OPENED_MAX) this.#opened.clear();
      this.#opened.set(key, text);
    }
    return text;
  }

  /** Records attempts and what became of the deliveries, and lets go what waited behind those that are done. */
  async settle(settled: readonly SettledDelivery[], now: Date): Promise<readonly string[]> {
    const attempts = settled.flatMap(({ sid, attempts: made }) => made.map((attempt) => ({ sid, ...attempt })));
    const outcomes = settled.map(({ attempts: made, subscriptionSid: _, resourceSid: __, ...rest }) => ({
      ...rest,
      attempts: made.length,
    }));
    await this.#db.prepared("settle-deliveries", SETTLE, [JSON.stringify(outcomes), JSON.stringify(attempts), now]);
    const done = settled.filter((entry) => entry.status !== "Pending");
    if (done.length === 0) return [];
    // After the commit, so that whoever was blocked by these rows has either seen them go or is seen here.
    const released = await this.#db.prepared<{ subscription_sid: string }>("release-deliveries", RELEASE, [
      done.map((entry) => entry.subscriptionSid),
      done.map((entry) => entry.resourceSid),
      now,
    ]);
    return [...new Set(released.map((row) => row.subscription_sid))];
  }

  async noteSuccess(subscriptionSids: readonly string[], now: Date): Promise<void> {
    await this.#db.query(NOTE_SUCCESS, [subscriptionSids, now]);
  }

  async noteFailure(subscriptionSids: readonly string[], now: Date): Promise<void> {
    await this.#db.query(NOTE_FAILURE, [subscriptionSids, now]);
  }

  async switchOff(subscriptionSid: string, reason: string): Promise<void> {
    await this.#db.query(SWITCH_OFF, [subscriptionSid, reason]);
  }
}

// How subscriptions fare. A busy one is noted at most once a second, so that it is no hot row.
export const NOTE_SUCCESS = `update webhook_subscriptions set last_success_at = $2, failing_since = null
  where sid = any($1) and (failing_since is not null or last_success_at is null or last_success_at < $2::timestamptz - interval '1 second')`;
export const NOTE_FAILURE =
  "update webhook_subscriptions set failing_since = $2 where sid = any($1) and failing_since is null";
const SWITCH_OFF = "update webhook_subscriptions set enabled = false, disabled_reason = $2 where sid = $1 and enabled";

const SETTLE = `
with settled as (
  select given.*, exists (select from delivery_queue where delivery_sid = given.sid and queued_at <> given.queued_at) as is_replayed
    from (select sid, "createdOn" as created_at, status, "nextAttemptOn" as next_attempt_at, attempts as attempt_count, "queuedOn" as queued_at
            from json_to_recordset($1)
              as given (sid text, "createdOn" timestamptz, status text, "nextAttemptOn" timestamptz, attempts int, "queuedOn" timestamptz)
         ) as given
), gone as (
  delete from delivery_queue as queue using settled
   where queue.delivery_sid = settled.sid and queue.queued_at = settled.queued_at and settled.status <> 'Pending'
), later as (
  update delivery_queue as queue set due_at = settled.next_attempt_at, claimed_by = null from settled
   where queue.delivery_sid = settled.sid and queue.queued_at = settled.queued_at and settled.status = 'Pending'
), recorded as (
  update deliveries
     set status = case when is_replayed then deliveries.status else settled.status end,
         next_attempt_at = case when is_replayed then deliveries.next_attempt_at else settled.next_attempt_at end,
         attempt_count = deliveries.attempt_count + settled.attempt_count,
         finished_at = case when not is_replayed and settled.status <> 'Pending' then $3::timestamptz end
    from settled where deliveries.sid = settled.sid and deliveries.created_at = settled.created_at
)
insert into attempts (delivery_sid, at, url, status, failure, ms, answer)
select sid, at, url, status, failure, ms, answer from json_to_recordset($2)
  as made (sid text, at timestamptz, url text, status int, failure text, ms int, answer text)`;

const RELEASE = `
update delivery_queue set due_at = $3
  from (select distinct * from unnest($1::text[], $2::text[]) as done (subscription_sid, resource_sid)) as done
 where delivery_queue.subscription_sid = done.subscription_sid and delivery_queue.resource_sid = done.resource_sid
   and attempt = 0 and due_at > $3
   and not exists (select from delivery_queue as earlier
                    where earlier.subscription_sid = done.subscription_sid and earlier.resource_sid = done.resource_sid
                      and earlier.sequence < delivery_queue.sequence)
returning delivery_queue.subscription_sid`;
