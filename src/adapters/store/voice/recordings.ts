// Closes the segments of recordings whose process died: their calls or conferences have ended, and no more is written
// to their raw files. Only a process with the same data directory can determine how long the files are.

import type { Condition } from "../engine/conditions.ts";
import type { Queryable } from "../engine/database.ts";

/** A living process closes its segments with its call or within this time after it, however slow its disk is. */
const LEFT_AFTER_MS = 10_000;

export interface LeftSegment {
  readonly recordingSid: string;
  readonly index: number;
  readonly rawFile: string;
}

/** Holds when segments are open whose process may be dead. */
export function hasOpenSegments(rawHost: string): Condition {
  return (bind) =>
    `(select count(*) from recording_segments where state = 'Recording' and raw_host = ${bind(rawHost)}) > 0`;
}

const isOver = (owner: "calls" | "conferences") => `${owner}.status = 'Completed' and ${owner}.completed_at < $2`;

export function leftSegments(db: Queryable, rawHost: string, now: Date): Promise<readonly LeftSegment[]> {
  return db.query<LeftSegment>(
    `select segment.recording_sid as "recordingSid", index, raw_file as "rawFile" from recording_segments as segment
       join call_recordings on call_recordings.sid = segment.recording_sid join calls on calls.sid = call_sid
       left join conferences on conferences.sid = conference_sid
      where state = 'Recording' and raw_host = $1 and (${isOver("conferences")} or (conference_sid is null and ${isOver("calls")}))
      order by segment.recording_sid, index limit 1000`,
    [rawHost, new Date(now.getTime() - LEFT_AFTER_MS)],
  );
}

/** Hands the segment to the queue of encoders. */
export async function closeLeft(
  db: Queryable,
  { recordingSid, index }: LeftSegment,
  samples: number,
  now: Date,
): Promise<void> {
  await db.query(
    `update recording_segments set samples = $3, state = 'Waiting', due_at = $4
      where recording_sid = $1 and index = $2 and state = 'Recording'`,
    [recordingSid, index, samples, now],
  );
}
