// Calls as accounts order, list, read and delete them.

import { firstSidAt } from "../../../base/ids.ts";
import type {
  CallFilters,
  CallStore,
  CallTrailStep,
  RecordedSegment,
  StoredSipMessage,
} from "../../../domain/voice/index.ts";
import { CALLS_ASKED, notify, REDIRECTED } from "../engine/channels.ts";
import { table } from "../engine/columns.ts";
import { createdBetween, createdWithin } from "../engine/created-span.ts";
import type { Queryable } from "../engine/database.ts";
import { jsonText } from "../engine/json-text.ts";
import { fetchPage, type Source } from "../engine/pages.ts";
import { countOf, first, hasRow } from "../engine/statements.ts";
import { cutoff } from "../engine/sweeps.ts";
import { COUNTED_CALLS, callerIdOf, numbersOf } from "./call-directory.ts";
import { STORED_CALLS } from "./call-ledger.ts";
import { CALLS, type CallRow, LEGS, RECORDINGS, wholeCalls } from "./call-table.ts";

const STEPS_MAX = 200;
const FIRST_MESSAGES = 150;
const LAST_MESSAGES = 50;

const ORDERED = table("calls", {
  ...STORED_CALLS.fields,
  ringSeconds: "ring_seconds integer",
  maxSeconds: "max_seconds integer",
  secondRingSeconds: "second_ring_seconds integer",
  keyPrompt: "key_prompt",
  program: "program json",
  requestId: "request_id",
});

const SEGMENT_LIST = {
  columns: `segment.recording_sid as "recordingSid", recording.call_sid as "callSid", recording.status as "recordingStatus",
    segment.index, segment.started_at as "startedOn", segment.samples, segment.size_bytes as "sizeBytes", segment.sha256,
    recording.source, recording.conference_sid as "conferenceSid"`,
  from: "call_recordings as recording",
  joined: {
    tables: "join recording_segments as segment on segment.recording_sid = recording.sid",
    placesMax: 2 ** 31 - 1,
  },
};

/** A segment begins while its call goes on, long after the recording was made. */
const SEGMENT_AFTER_RECORDING_MS = 24 * 3_600_000;
const CLOCKS_APART_MS = 600_000;

const SIP_MESSAGES = table<StoredSipMessage>("sip_messages", {
  leg: "leg",
  at: "at timestamptz",
  direction: "direction",
  peer: "peer",
  local: "local",
  transport: "transport",
  text: "text",
});

const CALLED = "(select to_party from call_legs where call_sid = calls.sid and leg = 'First')";

/** By the account, or by what is rarer: an account has few calls at the same time. */
function sourceOf(accountSid: string, { status, from, to }: CallFilters): Source {
  if (to !== undefined) return { where: { to_party: to } };
  if (from !== undefined) return { where: { from_party: from } };
  const own = { account_sid: accountSid };
  const isActive = status !== undefined && status !== "Completed";
  return { where: own, ...(isActive && { few: { ...own, "status <> 'Completed'": true } }) };
}

export function callStore(db: Queryable): CallStore {
  const find: CallStore["find"] = async (accountSid, sid) => {
    const rows = await db.query<CallRow>(`${CALLS.select} where account_sid = $1 and sid = $2`, [accountSid, sid]);
    const [call] = await wholeCalls(db, rows);
    return call;
  };
  /** Empty where there is none. */
  const recordingOf = async (accountSid: string, conferenceSid: string): Promise<string> => {
    const text = "select recording_sid as sid from conferences where account_sid = $1 and sid = $2";
    return (await first<{ sid: string | null }>(db, text, [accountSid, conferenceSid]))?.sid ?? "";
  };
  return {
    async insert({ call, scope, ...wishes }, steps = []) {
      const row = { ...call, ...scope, process: null, ...wishes };
      await db.query(ORDERED.insert, [ORDERED.rows([row])]);
      await db.query(LEGS.insert, [LEGS.rows(call.legs.map((leg) => ({ ...leg, callSid: call.sid })))]);
      const { sid: callSid, accountSid, recording } = call;
      if (recording) await db.query(RECORDINGS.insert, [RECORDINGS.rows([{ ...recording, callSid, accountSid }])]);
      for (const { at, step, details } of steps) {
        await db.query("insert into call_steps (call_sid, at, step, details) values ($1, $2, $3, $4)", [
          callSid,
          at,
          step,
          jsonText(details),
        ]);
      }
      await notify(db, CALLS_ASKED);
    },
    find,
    async findByParty(accountSid, legSid) {
      const [call] = await wholeCalls(
        db,
        await db.query<CallRow>(
          `${CALLS.select} where account_sid = $1 and sid = (select call_sid from call_legs where sid = $2 and leg = 'Second')`,
          [accountSid, legSid],
        ),
      );
      return call;
    },
    async list(accountSid, page, filters) {
      const { items, ...rest } = await fetchPage<CallRow>(db, page, {
        of: CALLS,
        sources: [sourceOf(accountSid, filters)],
        where: createdWithin("CA", filters),
        filter: {
          account_sid: filters.from === undefined && filters.to === undefined ? undefined : accountSid,
          status: filters.status,
          direction: filters.direction,
          from_party: filters.to === undefined ? undefined : filters.from,
          caller_id: filters.callerId,
          [CALLED]: filters.called,
          ...createdBetween(filters),
        },
        key: ["sid"],
      });
      return { items: await wholeCalls(db, items), ...rest };
    },
    async remove(accountSid, sid) {
      const deleted = await db.query(
        `delete from calls where account_sid = $1 and sid = $2 and status = 'Completed'
            and not exists (select from call_recordings where call_sid = calls.sid and status = 'Recording') returning 1`,
        [accountSid, sid],
      );
      if (deleted.length > 0) return "removed";
      return (await find(accountSid, sid)) ? "active" : "unknown";
    },
    countActive: (accountSid) =>
      countOf(db, `select ${COUNTED_CALLS} from calls where account_sid = $1 and status <> 'Completed'`, [accountSid]),
    async segments(accountSid, page, filters) {
      const { conferenceSid } = filters;
      const ofConference = conferenceSid === undefined ? undefined : await recordingOf(accountSid, conferenceSid);
      return fetchPage<RecordedSegment>(db, page, {
        of: SEGMENT_LIST,
        sources: [
          {
            where: { "recording.account_sid": accountSid },
            ...(filters.callSid !== undefined && { few: { "recording.call_sid": filters.callSid } }),
            ...(ofConference !== undefined && { few: { "recording.sid": ofConference } }),
            ...(ofConference !== undefined && { filter: { "recording.call_sid": filters.callSid } }),
          },
        ],
        where: {
          "recording.sid >=":
            filters.startedFrom && firstSidAt("RE", cutoff(filters.startedFrom, SEGMENT_AFTER_RECORDING_MS)),
          "recording.sid <": filters.startedTo && firstSidAt("RE", cutoff(filters.startedTo, -CLOCKS_APART_MS)),
        },
        filter: {
          "segment.started_at >=": filters.startedFrom,
          "segment.started_at <=": filters.startedTo,
        },
        // `bigint`, because a forged position may contain an index that exceeds an integer.
        key: ["recording.sid", "segment.index bigint"],
      });
    },
    segment: (accountSid, recordingSid, index) =>
      first<RecordedSegment>(
        db,
        `select ${SEGMENT_LIST.columns} from ${SEGMENT_LIST.from} ${SEGMENT_LIST.joined.tables}
          where recording.account_sid = $1 and recording.sid = $2 and segment.index = $3`,
        [accountSid, recordingSid, index],
      ),
    trail: (accountSid, sid) =>
      db.query<CallTrailStep>(
        `select at, step, details from call_steps where call_sid = (select sid from calls where account_sid = $1 and sid = $2)
          order by id limit ${STEPS_MAX}`,
        [accountSid, sid],
      ),
    sipMessages: (accountSid, sid) =>
      db.query<StoredSipMessage>(
        `select ${SIP_MESSAGES.columns} from (
           select *, row_number() over (order by at, id) as place, row_number() over (order by at desc, id desc) as last
             from sip_messages where call_sid = (select sid from calls where account_sid = $1 and sid = $2)) as message
          where place <= ${FIRST_MESSAGES} or last <= ${LAST_MESSAGES} order by place`,
        [accountSid, sid],
      ),
    async askToHangUp(accountSid, sid) {
      const rows = await db.query(
        "update calls set hangup_asked = true where account_sid = $1 and sid = $2 and status <> 'Completed' returning 1",
        [accountSid, sid],
      );
      if (rows.length > 0) await notify(db, CALLS_ASKED, sid);
    },
    async askToHangUpParty(legSid) {
      await db.query("update call_legs set hangup = coalesce(hangup, 'Asked') where sid = $1", [legSid]);
      await notify(db, CALLS_ASKED, legSid);
    },
    withdrawPartyHangUp: (legSid) =>
      hasRow(db, "update call_legs set hangup = null where sid = $1 and hangup is distinct from 'Taken' returning 1", [
        legSid,
      ]),
    async askToSwitch(accountSid, sid, action) {
      const [row] = await db.query<{ sid: string; switches: number }>(
        `update call_recordings set switches_asked = switches_asked + case when switches_asked % 2 = $3 then 1 else 0 end
           from calls where source is null and calls.sid = call_recordings.call_sid and calls.account_sid = $1
            and calls.sid = $2 and calls.status <> 'Completed'
         returning call_recordings.sid, switches_asked as switches`,
        [accountSid, sid, action === "Pause" ? 0 : 1],
      );
      if (row) await notify(db, CALLS_ASKED, row.sid);
      return row?.switches;
    },
    withdrawSwitch: (accountSid, sid, switches) =>
      hasRow(
        db,
        `update call_recordings set switches_asked = greatest(switches_taken, switches_done)
           from calls where source is null and calls.sid = call_recordings.call_sid and calls.account_sid = $1
            and calls.sid = $2 and greatest(switches_taken, switches_done) < $3
         returning 1`,
        [accountSid, sid, switches],
      ),
    async askToRedirect(accountSid, sid, program) {
      const [row] = await db.query<{ number: number }>(
        `update calls set redirection = $3, redirections_asked = redirections_asked + 1
          where account_sid = $1 and sid = $2 and status <> 'Completed'
         returning redirections_asked as number`,
        [accountSid, sid, jsonText(program)],
      );
      if (row) await notify(db, CALLS_ASKED, REDIRECTED);
      return row?.number;
    },
    async redirectionsOf(accountSid, sid, number) {
      const row = await first<{ done: number }>(
        db,
        `select redirections_done as done from calls
          where account_sid = $1 and sid = $2 and (status <> 'Completed' or redirections_done >= $3)`,
        [accountSid, sid, number],
      );
      return row?.done;
    },
    withdrawRedirection: (accountSid, sid, number) =>
      hasRow(
        db,
        `update calls set redirection = null
          where account_sid = $1 and sid = $2 and redirections_asked = $3 and redirections_taken < $3
         returning 1`,
        [accountSid, sid, number],
      ),
    numbersOf: (accountSid) => numbersOf(db, accountSid),
    findCallerId: (accountSid, wanted) => callerIdOf(db, accountSid, wanted),
  };
}
