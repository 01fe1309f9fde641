// The records of conferences. One under way belongs to the process that mixes it, which alone changes it; when that
// process is dead, another one ends it.

import type { Clock } from "../../../base/clock.ts";
import { firstSidAt } from "../../../base/ids.ts";
import type { NewEvent } from "../../../domain/events.ts";
import {
  CONFERENCES_MAX,
  type Conference,
  type ConferenceLedger,
  type ConferenceRecording,
  type ConferenceStore,
  conferenceEvent,
  happenings,
  type Participant,
  stepConference,
} from "../../../domain/voice/index.ts";
import { CALLS_ASKED, notify } from "../engine/channels.ts";
import { table } from "../engine/columns.ts";
import type { Condition } from "../engine/conditions.ts";
import { createdBetween, createdWithin } from "../engine/created-span.ts";
import type { Database, Queryable } from "../engine/database.ts";
import { jsonText } from "../engine/json-text.ts";
import { CALL_LOCKS } from "../engine/locks.ts";
import { fetchPage } from "../engine/pages.ts";
import { countOf, hasRow } from "../engine/statements.ts";
import { cutoff, sweep } from "../engine/sweeps.ts";
import { emitEvents } from "../webhooks/outbox.ts";
import type { CallLease } from "./call-lease.ts";
import { RAW_SEGMENTS, rawSegments } from "./call-ledger.ts";
import { CONFERENCE_RECORDINGS, conferenceRecordings } from "./call-table.ts";

type StoredParticipant = Omit<Participant, "joinedOn"> & { readonly joinedOn: string };
type ConferenceRow = Omit<Conference, "participants" | "recording"> & {
  readonly participants: readonly StoredParticipant[];
  readonly recordingSid: string | null;
};

const CONFERENCES = table<ConferenceRow>("conferences", {
  sid: "sid",
  accountSid: "account_sid",
  name: "name",
  status: "status",
  createdOn: "created_at timestamptz",
  startedOn: "started_at timestamptz",
  completedOn: "completed_at timestamptz",
  endReason: "end_reason",
  participants: "participants json",
  callback: "callback json",
  recordingSid: "recording_sid",
});

const STORED = table<ConferenceRow & { readonly process: number; readonly place: string | null }>("conferences", {
  ...CONFERENCES.fields,
  process: "process integer",
  place: "place",
});

const CHANGED = STORED.only(["status", "startedOn", "completedOn", "endReason", "participants", "recordingSid"]);

function conferenceOf(
  { participants, recordingSid: _, ...row }: ConferenceRow,
  recording: ConferenceRecording | null,
): Conference {
  return {
    ...{ ...row, recording },
    participants: participants.map((one) => ({ ...one, joinedOn: new Date(one.joinedOn) })),
  };
}

async function wholeConferences(db: Queryable, rows: readonly ConferenceRow[]): Promise<readonly Conference[]> {
  const recordings = await conferenceRecordings(
    db,
    rows.flatMap(({ recordingSid }) => recordingSid ?? []),
  );
  return rows.map((row) => conferenceOf(row, recordings.get(row.recordingSid ?? "") ?? null));
}

export function conferenceStore(db: Queryable): ConferenceStore {
  return {
    async find(accountSid, sid) {
      const rows = await db.query<ConferenceRow>(`${CONFERENCES.select} where account_sid = $1 and sid = $2`, [
        accountSid,
        sid,
      ]);
      const [found] = await wholeConferences(db, rows);
      return found;
    },
    async list(accountSid, page, { status, name, ...created }) {
      const own = { account_sid: accountSid };
      const isOpen = status !== undefined && status !== "Completed";
      const { items, ...rest } = await fetchPage<ConferenceRow>(db, page, {
        of: CONFERENCES,
        sources: [{ where: own, ...(isOpen && { few: { ...own, "status <> 'Completed'": true } }) }],
        where: createdWithin("CF", created),
        filter: { status, name, ...createdBetween(created) },
        key: ["sid"],
      });
      return { items: await wholeConferences(db, items), ...rest };
    },
    ask: (asked) => notify(db, CALLS_ASKED, jsonText(asked)),
  };
}

const DAY_MS = 24 * 3_600_000;

/** SQL: it ended before this, and so did its recording. */
export const hasEnded = (before: string) =>
  `(status = 'Completed' and completed_at < ${before}
       and not exists (select from call_recordings where call_recordings.sid = recording_sid and call_recordings.status in ('Recording', 'Processing')))`;

/** Deletes conferences that ended so long ago. */
export function sweepConferences(db: Queryable, now: Date, keptDays: number): Promise<number> {
  const before = cutoff(now, keptDays * DAY_MS);
  return sweep(db, "conferences", `sid < $1 and ${hasEnded("$2")}`, [firstSidAt("CF", before), before]);
}

/** Those of dead processes, and those of this process ($1) that it does not have: it had the ones of $4 at $3. */
const ABANDONED = `
with owners as materialized (
  select distinct process as id from conferences where status <> 'Completed' and process <> $1 and process <> all ($2::int[])
), dead as materialized (
  select id from owners where pg_try_advisory_xact_lock(${CALL_LOCKS}, id)
)
select ${CONFERENCES.columns} from conferences
 where status <> 'Completed'
   and (process in (select id from dead) or (process = $1 and created_at < $3 and sid <> all ($4::text[])))
 order by sid for update`;

const END = `
update conferences set status = 'Completed', completed_at = $2, end_reason = 'Failed', participants = '[]'
 where sid = any ($1::text[])`;

/** Where its process did not close the segment, a process with the same data directory does it (`recordings.ts`). */
const END_RECORDINGS = `
update call_recordings as recording set status =
   case when exists (select from recording_segments where recording_sid = recording.sid) then 'Processing' else 'Completed' end
 where sid = any ($1::text[]) and status = 'Recording'`;

/** A call that was deleted meanwhile leaves nothing to be stored. */
const SAVE_RECORDING = `
insert into call_recordings (${CONFERENCE_RECORDINGS.names.join(", ")})
select ${CONFERENCE_RECORDINGS.names.map((name) => `given.${name}`).join(", ")}
  from ${CONFERENCE_RECORDINGS.given} join calls on calls.sid = given.call_sid
on conflict (sid) do update set status = excluded.status, fault = coalesce(call_recordings.fault, excluded.fault)
returning 1`;

const SAVE_SEGMENTS = `
${RAW_SEGMENTS.insert}
on conflict (recording_sid, index) do update set samples = excluded.samples, state = excluded.state, due_at = excluded.due_at
 where recording_segments.state = 'Recording' and excluded.state = 'Waiting'`;

/** What is stored of the process that has a conference. */
export interface ConferenceNode {
  /** Its data directory, where recordings are written. */
  readonly rawHost: string;
  /** Where SIP reaches it; by default, calls of other processes do not get there. */
  readonly place?: () => string | undefined;
}

export class StoredConferences implements ConferenceLedger {
  readonly #db: Database;
  readonly #lease: Pick<CallLease, "id" | "living">;
  readonly #clock: Clock;
  readonly #rawHost: string;
  readonly #place: () => string | undefined;

  constructor(db: Database, lease: Pick<CallLease, "id" | "living">, clock: Clock, node: ConferenceNode) {
    this.#db = db;
    this.#lease = lease;
    this.#clock = clock;
    this.#rawHost = node.rawHost;
    this.#place = node.place ?? (() => undefined);
  }

  /** Holds when conferences belong to other processes, which may be dead. */
  readonly hasOthers: Condition = (bind) =>
    `(select count(*) from conferences where status <> 'Completed' and process <> ${bind(this.#lease.id)}::int) > 0`;

  async open(conference: Conference, held: readonly string[]): ReturnType<ConferenceLedger["open"]> {
    if (await this.#insert(conference)) return "opened";
    // The one of this name may be of a process that has died.
    await this.endAbandoned(conference.createdOn, held);
    if (await this.#insert(conference)) return "opened";
    return (await this.#countOf(conference.accountSid)) >= CONFERENCES_MAX ? "full" : "elsewhere";
  }

  async save(conference: Conference, events: readonly NewEvent[]): Promise<boolean> {
    return this.#db.transaction(async (unit) => {
      const isOurs = await this.#update(unit, conference);
      if (!isOurs) return false;
      await this.#saveRecording(unit, conference);
      await emitEvents(unit, events, this.#clock.now());
      return true;
    });
  }

  async #saveRecording(unit: Queryable, { sid: conferenceSid, accountSid, recording }: Conference): Promise<void> {
    if (!recording) return;
    const row = { ...recording, accountSid, conferenceSid };
    if (!(await hasRow(unit, SAVE_RECORDING, [CONFERENCE_RECORDINGS.rows([row])]))) return;
    await unit.query(SAVE_SEGMENTS, [RAW_SEGMENTS.rows(rawSegments(row, this.#rawHost, this.#clock.now()))]);
  }

  #update(unit: Queryable, conference: Conference): Promise<boolean> {
    const { sid } = conference;
    return hasRow(
      unit,
      `update conferences set (${CHANGED.names.join(", ")}) = (select ${CHANGED.names.join(", ")} from ${CHANGED.given})
        where sid = $2 and process = $3 and status <> 'Completed' returning 1`,
      [CHANGED.rows([rowOf(conference)]), sid, this.#lease.id],
    );
  }

  async endAbandoned(now: Date, held: readonly string[]): Promise<void> {
    const living = await this.#lease.living();
    if (!living) return;
    await this.#db.transaction(async (unit) => {
      const rows = await unit.query<ConferenceRow>(ABANDONED, [this.#lease.id, living, now, held]);
      if (rows.length === 0) return;
      const sids = rows.map(({ sid }) => sid);
      await unit.query(END, [sids, now]);
      await unit.query(END_RECORDINGS, [rows.flatMap(({ recordingSid }) => recordingSid ?? [])]);
      const ended = rows.map((row) => conferenceOf(row, null));
      await emitEvents(unit, ended.flatMap(eventsOfEnd(now)), now);
    });
  }

  #insert(conference: Conference): Promise<boolean> {
    return hasRow(
      this.#db,
      `${STORED.insert} where (select count(*) from conferences where account_sid = $2 and status <> 'Completed') < $3
       on conflict do nothing returning 1`,
      [this.#rowsOf(conference), conference.accountSid, CONFERENCES_MAX],
    );
  }

  #rowsOf(conference: Conference): string {
    return STORED.rows([{ ...rowOf(conference), process: this.#lease.id, place: this.#place() ?? null }]);
  }

  #countOf(accountSid: string): Promise<number> {
    return countOf(this.#db, "select count(*) from conferences where account_sid = $1 and status <> 'Completed'", [
      accountSid,
    ]);
  }
}

function eventsOfEnd(at: Date) {
  return (conference: Conference): readonly NewEvent[] => {
    const end = { kind: "end", reason: "Failed" } as const;
    const [ended] = stepConference(conference, end, at);
    return happenings(conference, ended, end).map((happening) => conferenceEvent(ended, happening));
  };
}

function rowOf({ participants, recording, ...conference }: Conference): ConferenceRow {
  return {
    ...conference,
    recordingSid: recording?.sid ?? null,
    participants: participants.map((one) => ({ ...one, joinedOn: one.joinedOn.toISOString() })),
  };
}
