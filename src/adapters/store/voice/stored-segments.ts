// The finished segments of recordings: where the file of one is, which files of deleted ones are still to be removed,
// and the deletion of calls that are older than calls are kept.

import { firstSidAt } from "../../../base/ids.ts";
import type { RemovedSegment, RemovedSegments, SegmentPlace, StoredSegment } from "../../../domain/voice/index.ts";
import type { Condition } from "../engine/conditions.ts";
import type { Queryable } from "../engine/database.ts";
import { first, hasRow, run } from "../engine/statements.ts";
import { cutoff, sweep } from "../engine/sweeps.ts";

const BATCH_MAX = 100;
const DAY_MS = 24 * 3_600_000;

const PLACED = {
  joined: "recording.source is null and segment.index = $2",
  program: "recording.source is not null and recording.sid = $2",
} as const;

/** Undefined while the segment has no file. */
export function findStoredSegment(
  db: Queryable,
  callSid: string,
  place: SegmentPlace,
): Promise<StoredSegment | undefined> {
  const isJoined = typeof place === "number";
  return first<StoredSegment>(
    db,
    `select recording.account_sid as "accountSid", segment.key, segment.samples, segment.size_bytes as "sizeBytes", segment.sha256
       from recording_segments as segment join call_recordings as recording on recording.sid = segment.recording_sid
      where recording.call_sid = $1 and ${PLACED[isJoined ? "joined" : "program"]} and segment.state = 'Done'`,
    [callSid, place],
  );
}

/** Whether the file of a program's recording is still to come. */
export function isSegmentAwaited(
  db: Queryable,
  accountSid: string,
  callSid: string,
  place: SegmentPlace,
): Promise<boolean> {
  if (typeof place === "number") return Promise.resolve(false);
  return hasRow(
    db,
    `select 1 from call_recordings as recording join recording_segments as segment on segment.recording_sid = recording.sid
      where recording.call_sid = $1 and ${PLACED.program} and recording.account_sid = $3
        and state in ('Recording', 'Waiting', 'Encoding')`,
    [callSid, place, accountSid],
  );
}

/** The account of a call. */
export async function findOwner(db: Queryable, callSid: string): Promise<string | undefined> {
  const row = await first<{ accountSid: string }>(db, `select account_sid as "accountSid" from calls where sid = $1`, [
    callSid,
  ]);
  return row?.accountSid;
}

/** Holds when files of deleted segments are to be removed, by this process or another one. */
export const hasRemovedSegments: Condition = () => "exists (select from removed_segments)";

/** `isShared`: every process can reach the finished files, wherever they were made. */
export function removedSegments(
  db: Queryable,
  { host, isShared }: { readonly host: string; readonly isShared: boolean },
): RemovedSegments {
  return {
    list: () =>
      db.query<RemovedSegment>(
        `select id::text, key, raw_file as "rawFile" from removed_segments
          where raw_host = $1 or (raw_file is null and $2) order by id limit ${BATCH_MAX}`,
        [host, isShared],
      ),
    forget: (ids) => run(db, "delete from removed_segments where id = any ($1::bigint[])", [ids]),
  };
}

/** SQL: the call is over, and so is its recording; `before` is when it has to have ended. */
export const isOver = (before: string) =>
  `(status = 'Completed' and completed_at < ${before}
       and not exists (select from call_recordings where call_sid = calls.sid and status in ('Recording', 'Processing')))`;

/** Deletes calls with their recordings; a call whose recording is not finished is kept until it is. */
export function sweepCalls(db: Queryable, now: Date, keptDays: number): Promise<number> {
  const before = cutoff(now, keptDays * DAY_MS);
  return sweep(db, "calls", `sid < $1 and ${isOver("$2")}`, [firstSidAt("CA", before), before]);
}
