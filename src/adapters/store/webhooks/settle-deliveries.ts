// Records attempts and the outcomes of their deliveries: the second of the two writes that a delivery costs, many in
// one statement. A delivery that a replay has queued again meanwhile stays queued: the attempt is only recorded.

import type { SettledDelivery } from "../../../domain/webhooks/index.ts";
import { plainArray, textArray } from "../engine/array-text.ts";
import type { Database } from "../engine/database.ts";
import { named } from "../engine/named-statements.ts";
import { exchangeText } from "./attempt-exchange.ts";
import { heldUntil } from "./claim-deliveries.ts";

// `= any (array[…])` means the same as `=`, but cannot be used by a merge join. With `=` the planner would read a whole
// table in the order of an index, which it finds cheaper than many lookups when the queue is, or was lately, empty.
// Times are given in ms, which both sides convert many times faster than dates.
const SETTLE = named(
  "settle-deliveries",
  `
with settled as materialized (
  select sid, to_timestamp(created_ms / 1000) as created_at, to_timestamp(coalesce(queued_ms, created_ms) / 1000) as queued_at,
         status, to_timestamp(tried_ms / 1000) as tried_at, to_timestamp(next_attempt_ms / 1000) as next_attempt_at, attempt_count
    from unnest($1::text[], $2::float8[], $3::float8[], $4::text[], $5::float8[], $6::float8[], $7::int[])
      as given (sid, created_ms, queued_ms, status, tried_ms, next_attempt_ms, attempt_count)
), gone as (
  delete from delivery_queue as queue using settled
   where queue.delivery_sid = any (array[settled.sid]) and queue.queued_at = settled.queued_at and settled.status <> 'Pending'
  returning settled.sid
), later as (
  update delivery_queue as queue
     set due_at = settled.next_attempt_at, leased_until = null, claimed_by = null,
         first_tried_at = coalesce(queue.first_tried_at, settled.tried_at)
    from settled
   where queue.delivery_sid = any (array[settled.sid]) and queue.queued_at = settled.queued_at and settled.status = 'Pending'
  returning settled.sid
), judged as materialized (
  select settled.*, sid not in (select sid from gone union all select sid from later)
                    and exists (select from delivery_queue
                                 where delivery_sid = settled.sid and queued_at <> settled.queued_at) as is_replayed
    from settled
), recorded as (
  update deliveries
     set status = case when is_replayed then deliveries.status else judged.status end,
         next_attempt_at = case when is_replayed then deliveries.next_attempt_at else judged.next_attempt_at end,
         attempt_count = deliveries.attempt_count + judged.attempt_count,
         finished_at = case when not is_replayed and judged.status <> 'Pending' then $8::timestamptz end
    from judged where deliveries.sid = any (array[judged.sid]) and deliveries.created_at = judged.created_at
)
insert into attempts (delivery_sid, at, url, status, failure, ms, answer, exchange)
select sid, to_timestamp(ms_at / 1000), url, status, failure, ms, answer, exchange
  from unnest($9::text[], $10::float8[], $11::text[], $12::int[], $13::text[], $14::int[], $15::text[], $16::text[])
    as made (sid, ms_at, url, status, failure, ms, answer, exchange)`,
);

export async function recordSettled(db: Database, settled: readonly SettledDelivery[], now: Date): Promise<void> {
  const made = settled.flatMap(({ sid, attempts }) => attempts.map((attempt) => ({ sid, attempt })));
  await db.query(SETTLE, [
    plainArray(settled.map(({ sid }) => sid)),
    plainArray(settled.map(({ createdOn }) => createdOn.getTime())),
    plainArray(settled.map(({ createdOn, queuedOn }) => (queuedOn === createdOn ? null : queuedOn.getTime()))),
    plainArray(settled.map(({ status }) => status)),
    plainArray(
      settled.map(({ status, attempts: [made] }) => (status === "Pending" && made ? made.at.getTime() : null)),
    ),
    plainArray(settled.map(({ nextAttemptOn }) => nextAttemptOn?.getTime() ?? null)),
    plainArray(settled.map(({ attempts }) => attempts.length)),
    now,
    plainArray(made.map(({ sid }) => sid)),
    plainArray(made.map(({ attempt }) => attempt.at.getTime())),
    textArray(made.map(({ attempt }) => attempt.url)),
    plainArray(made.map(({ attempt }) => attempt.status)),
    textArray(made.map(({ attempt }) => attempt.failure)),
    plainArray(made.map(({ attempt }) => attempt.ms)),
    textArray(made.map(({ attempt }) => attempt.answer)),
    textArray(made.map(({ attempt }) => exchangeText(attempt))),
  ]);
}

// Ordered, so that it uses the index of blocked deliveries.
const WAITING_ENDPOINTS = named(
  "waiting-endpoints",
  `
select sid from unnest($1::text[]) as endpoint (sid)
 where (select true from delivery_queue where blocked and subscription_sid = endpoint.sid order by resource_sid limit 1)`,
);

// The first delivery of a resource that is blocked and no longer has to be. It keeps its position among those that are
// due: otherwise a backlog would delay it once more. Rows are changed in the order in which they are given.
const RELEASE = named(
  "release-deliveries",
  `
with first as materialized (
  select queued.place from unnest($1::text[], $2::text[]) as done (subscription_sid, resource_sid) cross join lateral (
    select ctid as place, subscription_sid, resource_sid, sequence from delivery_queue
     where blocked and subscription_sid = done.subscription_sid and resource_sid = done.resource_sid
     order by sequence limit 1
  ) as queued where ${heldUntil("queued", "$3::timestamptz")} is null
)
update delivery_queue set due_at = least(queued_at, $3), blocked = false from first where ctid = first.place
returning subscription_sid`,
);

/** The endpoint and the resource of a delivery that is, or may be, blocked. */
export type BlockedDelivery = Pick<SettledDelivery, "subscriptionSid" | "resourceSid">;

/**
 * Makes the deliveries due that were blocked by these; returns their endpoints. Runs after these are recorded. A claim
 * that saw them queued may be recorded even later: then it calls `releaseBlocked`. Mostly nothing is blocked, so the
 * endpoint is checked before its resources.
 */
export async function releaseWaiting(
  db: Database,
  done: readonly SettledDelivery[],
  now: Date,
): Promise<readonly string[]> {
  const endpoints = [...new Set(done.map((entry) => entry.subscriptionSid))];
  const rows = await db.query<{ sid: string }>(WAITING_ENDPOINTS, [plainArray(endpoints)]);
  if (rows.length === 0) return [];
  const waiting = new Set(rows.map((row) => row.sid));
  return releaseBlocked(
    db,
    done.filter((entry) => waiting.has(entry.subscriptionSid)),
    now,
  );
}

/**
 * Makes the first blocked delivery of each resource due if it need not wait; returns the endpoints of those that became
 * due. Sorted to avoid deadlocks, because a claim and a settlement may release the same ones at the same time.
 */
export async function releaseBlocked(
  db: Database,
  given: readonly BlockedDelivery[],
  now: Date,
): Promise<readonly string[]> {
  const distinct = new Map(given.map((entry) => [`${entry.subscriptionSid} ${entry.resourceSid}`, entry]));
  const blocked = [...distinct].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, entry]) => entry);
  const released = await db.query<{ subscription_sid: string }>(RELEASE, [
    plainArray(blocked.map((entry) => entry.subscriptionSid)),
    textArray(blocked.map((entry) => entry.resourceSid)),
    now,
  ]);
  return [...new Set(released.map((row) => row.subscription_sid))];
}
