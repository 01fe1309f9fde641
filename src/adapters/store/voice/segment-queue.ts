// The segments that wait to be encoded into files. A claim names its process by the lease of its calls: once that
// process is dead its claims are free again (call-lease.ts). A recording ends in one transaction with its event.
//
// Accounts take turns: a claim goes from account to account, in the order of their sids, and begins after the account
// where the last one ended. It reads one index entry for each account, however many segments an account has waiting.

import type { OwnedRecord } from "../../../domain/give-back.ts";
import { recordingEvent } from "../../../domain/voice/call-events.ts";
import type {
  RecordingCallback,
  RecordingSegment,
  RecordingSource,
  RecordingUrl,
  SegmentQueue,
  WaitingSegment,
} from "../../../domain/voice/index.ts";
import type { Condition } from "../engine/conditions.ts";
import type { Database, Queryable } from "../engine/database.ts";
import { CALL_LOCKS } from "../engine/locks.ts";
import { named } from "../engine/named-statements.ts";
import { AS_READ, asRead } from "../engine/owned-records.ts";
import { run } from "../engine/statements.ts";
import { emitEvents } from "../webhooks/outbox.ts";
import type { CallLease } from "./call-lease.ts";

export interface SegmentQueueOptions {
  readonly lease: Pick<CallLease, "id" | "living">;
  /** The data directory of this process: only its raw files can be read here. */
  readonly host: string;
  /** The link to the file of a segment, for the event. */
  readonly urlOf: RecordingUrl;
}

const BATCH_MAX = 100;

const RELEASE = `
with owners as materialized (
  select distinct leased_by::int as id from recording_segments where raw_host = $1 and state = 'Encoding' and leased_by <> $2 and leased_by::int <> all ($3::int[])
), dead as materialized (
  select id from owners where pg_try_advisory_xact_lock(${CALL_LOCKS}, id)
)
update recording_segments set state = 'Waiting', leased_by = null from dead
 where raw_host = $1 and state = 'Encoding' and leased_by = dead.id::text`;

const CLAIM = named(
  "claim-segments",
  `
with recursive waiting as (
  (select account_sid from recording_segments
    where raw_host = $1 and state = 'Waiting' and account_sid > $6 order by account_sid limit 1)
  union all
  select (select account_sid from recording_segments
           where raw_host = $1 and state = 'Waiting' and account_sid > waiting.account_sid order by account_sid limit 1)
    from waiting where waiting.account_sid is not null
), due as materialized (
  select oldest.recording_sid, oldest.index from waiting cross join lateral (
    select recording_sid, index from recording_segments
     where raw_host = $1 and state = 'Waiting' and account_sid = waiting.account_sid and due_at <= $3
     order by due_at limit 1 for update skip locked) as oldest
   where waiting.account_sid <> all ($5)
   limit $4
)
update recording_segments as segment set state = 'Encoding', leased_by = $2,
       -- Known from now on, so that whoever deletes it has its file removed, too.
       key = recording.account_sid || '/' || recording.call_sid || '/' || recording.sid || '-' || segment.index || '.mp3'
  from due, call_recordings as recording
 where segment.recording_sid = due.recording_sid and segment.index = due.index and recording.sid = due.recording_sid
returning recording.account_sid as "accountSid", recording.call_sid as "callSid", recording.sid as "recordingSid",
          segment.index, case when recording.source is null then 2 else 1 end as channels, segment.raw_file as "rawFile", segment.samples, segment.attempts, segment.key`,
);

const OWNED = `
select recording_sid || '/' || index as id, xmin::text as version from recording_segments
 where raw_host = $1 and state = 'Encoding' and leased_by = $2`;

const GIVE_BACK = `
update recording_segments as segment set state = 'Waiting', leased_by = null from ${AS_READ}
 where segment.recording_sid = split_part(given.id, '/', 1) and segment.index = split_part(given.id, '/', 2)::integer
   and segment.xmin::text = given.version and segment.state = 'Encoding' and segment.leased_by = $3`;

/** SQL: the claim of this process; parameters from `$4` on are free. */
const OURS = "recording_sid = $1 and index = $2 and state = 'Encoding' and leased_by = $3";

/** Recordings of programs and of ended calls whose segments need no more work. */
const ENDED = `
select recording.sid, recording.call_sid as "callSid", recording.account_sid as "accountSid", calls.phone,
       calls.messaging_config_sid as "messagingConfigSid", calls.events_told as "eventsTold", recording.source, recording.callback, recording.conference_sid as "conferenceSid",
       (select json_agg(json_build_object('index', index, 'samples', samples, 'sizeBytes', size_bytes, 'sha256', sha256, 'state', state) order by index)
          from recording_segments where recording_sid = recording.sid) as segments
  from call_recordings as recording join calls on calls.sid = recording.call_sid
 where recording.status = 'Processing' and (calls.status = 'Completed' or recording.source is not null)
   and not exists (select from recording_segments where recording_sid = recording.sid and state in ('Recording', 'Waiting', 'Encoding'))
 limit ${BATCH_MAX} for update of recording, calls skip locked`;

interface EndedRecording {
  readonly sid: string;
  readonly callSid: string;
  readonly accountSid: string;
  readonly phone: string;
  readonly messagingConfigSid: string | null;
  readonly eventsTold: number;
  readonly source: RecordingSource | null;
  readonly callback: RecordingCallback | null;
  readonly conferenceSid: string | null;
  readonly segments: readonly (Pick<RecordingSegment, "index" | "samples" | "sizeBytes" | "sha256"> & {
    readonly state: string;
  })[];
}

/** Holds when segments wait or are claimed, raw files are to be removed, or recordings may be complete. */
export function hasSegmentWork(host: string): Condition {
  return (bind) => `
     (select count(*) from recording_segments where raw_host = ${bind(host)} and state in ('Waiting', 'Encoding')) > 0
  or (select count(*) from recording_segments where raw_host = ${bind(host)} and state = 'Done' and raw_file is not null) > 0
  or (select count(*) from call_recordings where status = 'Processing') > 0`;
}

export function segmentQueue(db: Database, { lease, host, urlOf }: SegmentQueueOptions): SegmentQueue {
  const us = () => String(lease.id);
  /** The account where the last claim ended. */
  let lastServed = "";
  const ours = ({ recordingSid, index }: WaitingSegment) => [recordingSid, index, us()];
  return {
    async release() {
      const living = await lease.living();
      if (living) await run(db, RELEASE, [host, us(), living]);
    },
    owned: () => db.query<OwnedRecord>(OWNED, [host, us()]),
    giveBackStrays: (strays) => run(db, GIVE_BACK, [...asRead(strays), us()]),
    async claim({ countMax, now, notOf }) {
      const claimAfter = (account: string, count: number, leftOut: readonly string[]) =>
        db.query<WaitingSegment>(CLAIM, [host, us(), now, count, leftOut, account]);
      const after = await claimAfter(lastServed, countMax, notOf);
      const served = after.map(({ accountSid }) => accountSid);
      const isRound = after.length < countMax && lastServed !== "";
      const before = isRound ? await claimAfter("", countMax - after.length, [...notOf, ...served]) : [];
      const claimed = [...inOrder(after), ...inOrder(before)];
      lastServed = claimed.at(-1)?.accountSid ?? lastServed;
      return claimed;
    },
    async done(segment, { samples, sizeBytes, sha256 }) {
      const changed = await db.query(
        `update recording_segments set state = 'Done', leased_by = null, fault = null, samples = $4, size_bytes = $5, sha256 = $6
          where ${OURS} returning 1`,
        [...ours(segment), samples, sizeBytes, sha256],
      );
      if (changed.length > 0) return "done";
      const { recordingSid, index } = segment;
      const left = await db.query("select 1 from recording_segments where recording_sid = $1 and index = $2", [
        recordingSid,
        index,
      ]);
      return left.length > 0 ? "lost" : "deleted";
    },
    putOff: (segment, { until, reason }) =>
      run(
        db,
        `update recording_segments set state = 'Waiting', leased_by = null, due_at = $4, fault = coalesce($5, fault),
                attempts = attempts + case when $5::text is null then 0 else 1 end
          where ${OURS}`,
        [...ours(segment), until, reason],
      ),
    giveUp: (segment, reason) =>
      run(
        db,
        `with failed as (
           update recording_segments set state = 'Failed', leased_by = null, fault = $4, attempts = attempts + 1
            where ${OURS} returning recording_sid)
         update call_recordings set fault = coalesce(fault, $4) from failed where sid = failed.recording_sid`,
        [...ours(segment), reason],
      ),
    complete: (now) => completeEnded(db, urlOf, now),
    async needlessRawFiles() {
      const rows = await db.query<{ file: string }>(
        `select raw_file as file from recording_segments
          where raw_host = $1 and state = 'Done' and raw_file is not null limit ${BATCH_MAX}`,
        [host],
      );
      return rows.map(({ file }) => file);
    },
    rawRemoved: (rawFiles) =>
      run(
        db,
        `update recording_segments set raw_file = null
          where raw_host = $1 and state = 'Done' and raw_file = any ($2)`,
        [host, rawFiles],
      ),
  };
}

function inOrder(segments: readonly WaitingSegment[]): readonly WaitingSegment[] {
  return segments.toSorted((one, other) => (one.accountSid < other.accountSid ? -1 : 1));
}

async function completeEnded(db: Database, urlOf: SegmentQueueOptions["urlOf"], now: Date): Promise<void> {
  // Checked without a transaction first: mostly there are none.
  const [any] = await db.query("select 1 from call_recordings where status = 'Processing' limit 1");
  if (!any) return;
  await db.transaction(async (unit) => {
    const ended = await unit.query<EndedRecording>(ENDED);
    if (ended.length === 0) return;
    const isGood = ({ segments }: EndedRecording) => segments.every(({ state }) => state === "Done");
    await setStatus(unit, "Completed", ended.filter(isGood));
    await setStatus(
      unit,
      "Failed",
      ended.filter((recording) => !isGood(recording)),
    );
    const complete = ended.filter(isGood);
    await unit.query("update calls set events_told = events_told + 1 where sid = any ($1)", [
      complete.filter(({ source }) => source === null).map(({ callSid }) => callSid),
    ]);
    const events = complete.map((recording) => {
      const { callSid, source, sid } = recording;
      return recordingEvent(recording, (index) => urlOf(callSid, source === null ? index : sid));
    });
    await emitEvents(unit, events, now);
  });
}

async function setStatus(unit: Queryable, status: string, recordings: readonly EndedRecording[]): Promise<void> {
  if (recordings.length === 0) return;
  await unit.query("update call_recordings set status = $1 where sid = any ($2)", [
    status,
    recordings.map(({ sid }) => sid),
  ]);
}
