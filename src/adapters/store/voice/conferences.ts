// The records of conferences. One under way belongs to the process that mixes it, which alone changes it; when that
// process is dead, another one ends it.

import type { Clock } from "../../../base/clock.ts";
import { firstSidAt } from "../../../base/ids.ts";
import type { NewEvent } from "../../../domain/events.ts";
import {
  CONFERENCES_MAX,
  type Conference,
  type ConferenceLedger,
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
import { countOf, first, hasRow } from "../engine/statements.ts";
import { cutoff, sweep } from "../engine/sweeps.ts";
import { emitEvents } from "../webhooks/outbox.ts";
import type { CallLease } from "./call-lease.ts";

type StoredParticipant = Omit<Participant, "joinedOn"> & { readonly joinedOn: string };
type ConferenceRow = Omit<Conference, "participants"> & { readonly participants: readonly StoredParticipant[] };

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
});

const STORED = table<ConferenceRow & { readonly process: number; readonly place: string | null }>("conferences", {
  ...CONFERENCES.fields,
  process: "process integer",
  place: "place",
});

const CHANGED = STORED.only(["status", "startedOn", "completedOn", "endReason", "participants"]);

function conferenceOf({ participants, ...row }: ConferenceRow): Conference {
  return { ...row, participants: participants.map((one) => ({ ...one, joinedOn: new Date(one.joinedOn) })) };
}

export function conferenceStore(db: Queryable): ConferenceStore {
  return {
    async find(accountSid, sid) {
      const row = await first<ConferenceRow>(db, `${CONFERENCES.select} where account_sid = $1 and sid = $2`, [
        accountSid,
        sid,
      ]);
      return row && conferenceOf(row);
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
      return { items: items.map(conferenceOf), ...rest };
    },
    ask: (asked) => notify(db, CALLS_ASKED, jsonText(asked)),
  };
}

const DAY_MS = 24 * 3_600_000;

/** SQL: it ended before this. */
export const hasEnded = (before: string) => `(status = 'Completed' and completed_at < ${before})`;

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

export class StoredConferences implements ConferenceLedger {
  readonly #db: Database;
  readonly #lease: Pick<CallLease, "id" | "living">;
  readonly #clock: Clock;
  readonly #place: () => string | undefined;

  /** `place`: where SIP reaches this process. */
  constructor(
    db: Database,
    lease: Pick<CallLease, "id" | "living">,
    clock: Clock,
    place: () => string | undefined = () => undefined,
  ) {
    this.#db = db;
    this.#lease = lease;
    this.#clock = clock;
    this.#place = place;
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
      if (isOurs) await emitEvents(unit, events, this.#clock.now());
      return isOurs;
    });
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
      await unit.query(END, [rows.map(({ sid }) => sid), now]);
      await emitEvents(unit, rows.map(conferenceOf).flatMap(eventsOfEnd(now)), now);
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
    const [ended] = stepConference(conference, { kind: "end", reason: "Failed" }, at);
    return happenings(conference, ended).map((happening) => conferenceEvent(ended, happening));
  };
}

function rowOf({ participants, ...conference }: Conference): ConferenceRow {
  return { ...conference, participants: participants.map((one) => ({ ...one, joinedOn: one.joinedOn.toISOString() })) };
}
