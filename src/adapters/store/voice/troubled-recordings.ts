// Recordings with faults, as operators see them, and another try for those that were given up.

import type { TroubledRecording, TroubledRecordings } from "../../../domain/voice/index.ts";
import type { Queryable } from "../engine/database.ts";
import { fetchPage } from "../engine/pages.ts";
import { first, hasRow } from "../engine/statements.ts";

const TROUBLED = {
  columns: `sid, call_sid as "callSid", account_sid as "accountSid", status, fault,
    (select coalesce(json_agg(json_build_object('index', index, 'state', state, 'attempts', attempts, 'fault', fault, 'rawFile', raw_file) order by index), '[]')
       from recording_segments as segment where segment.recording_sid = call_recordings.sid) as segments`,
  from: "call_recordings",
};

const RETRY = `
with waiting as (
  update recording_segments set state = 'Waiting', attempts = 0, due_at = $2 where recording_sid = $1 and state = 'Failed' returning 1
)
update call_recordings set fault = null, status = case when status = 'Failed' then 'Processing' else status end
 where sid = $1 and exists (select from waiting) returning 1`;

/** Each count uses an index of its own. */
const COUNT = `
select (select count(*)::int from recording_segments where state in ('Waiting', 'Encoding')) as waiting,
       (select count(*)::int from call_recordings where fault is not null and status = 'Failed') as failed`;

export async function countRecordings(db: Queryable): Promise<{ readonly waiting: number; readonly failed: number }> {
  const [counts] = await db.query<{ waiting: number; failed: number }>(COUNT);
  return counts ?? { waiting: 0, failed: 0 };
}

export function troubledRecordings(db: Queryable): TroubledRecordings {
  return {
    list: (page) =>
      fetchPage<TroubledRecording>(db, page, { of: TROUBLED, where: { "fault is not null": true }, key: ["sid"] }),
    find: (sid) =>
      first<TroubledRecording>(
        db,
        `select ${TROUBLED.columns} from ${TROUBLED.from} where sid = $1 and fault is not null`,
        [sid],
      ),
    retry: (sid, now) => hasRow(db, RETRY, [sid, now]),
  };
}
