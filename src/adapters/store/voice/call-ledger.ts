// The calls of one process: the record of each with its events, many in one statement. A record is changed only while
// its call belongs to this process and is not Completed, and its events are stored only if the record was. Under load a
// call's steps that follow each other within a few milliseconds (answered, dialled, ringing) are stored together.

import type { Clock } from "../../../base/clock.ts";
import type { NewEvent } from "../../../domain/events.ts";
import type { OwnedRecord } from "../../../domain/give-back.ts";
import {
  type AbandonedCall,
  type AskedRedirection,
  type Call,
  type CallChange,
  type CallLedger,
  type CallRecording,
  type CallScope,
  type CallTrailStep,
  rawFileOf,
  type WaitingCall,
} from "../../../domain/voice/index.ts";
import { CALLS_ASKED, notify } from "../engine/channels.ts";
import { type Fields, table } from "../engine/columns.ts";
import type { Condition } from "../engine/conditions.ts";
import type { Database, Queryable } from "../engine/database.ts";
import { type Gatherer, gather } from "../engine/gather.ts";
import { jsonText } from "../engine/json-text.ts";
import { named } from "../engine/named-statements.ts";
import { AS_READ, asRead } from "../engine/owned-records.ts";
import { storeEvents } from "../webhooks/outbox.ts";
import type { CallLease } from "./call-lease.ts";
import { CALLS, type CallRow, LEGS, type LegRow, RECORDINGS, SEGMENTS, wholeCalls } from "./call-table.ts";

const SCOPE: Fields<CallScope> = {
  phone: "phone",
  messagingConfigSid: "messaging_config_sid",
  eventsTold: "events_told integer",
  callback: "callback json",
};

export const STORED_CALLS = table<CallRow & CallScope & { readonly process: number | null }>("calls", {
  ...CALLS.fields,
  ...SCOPE,
  process: "process integer",
});

/** The columns written by the process that has the call. */
const SAVED_CALLS = table("calls", {
  ...STORED_CALLS.fields,
  forwardingFrom: "forwarding_from",
  forwardingTo: "forwarding_to",
  forwardingOthers: "forwarding_others text[]",
  forwardingChain: "forwarding_chain text[]",
});

export const STORED_LEGS = table<LegRow & { readonly dialog: string | null }>("call_legs", {
  ...LEGS.fields,
  dialog: "dialog",
});

/** The columns written by the process that records: a closed segment goes to the queue of encoders. */
export const RAW_SEGMENTS = table("recording_segments", {
  ...SEGMENTS.only(["recordingSid", "index", "startedOn", "samples"]).fields,
  accountSid: "account_sid",
  rawFile: "raw_file",
  rawHost: "raw_host",
  state: "state",
  dueAt: "due_at timestamptz",
});

/** The segments of a recording that this process records. */
export function rawSegments(
  {
    sid: recordingSid,
    accountSid,
    segments,
  }: Pick<CallRecording, "sid" | "segments"> & { readonly accountSid: string },
  rawHost: string,
  now: Date,
) {
  return segments.map(({ index, startedOn, samples }) => {
    const state = samples === null ? "Recording" : "Waiting";
    const rawFile = rawFileOf(recordingSid, index);
    return { recordingSid, index, startedOn, samples, accountSid, rawFile, rawHost, state, dueAt: now };
  });
}

const columnsGiven = ({ names }: { readonly names: readonly string[] }) =>
  names.map((name) => `given.${name}`).join(", ");

/** The parameters of a write: these, then the lists of calls, then those of legs. */
const STEPS = "$1";
const EVENTS = "$2";
const NOW = "$3::timestamptz";
const WRITTEN_RECORDINGS = "$4";
const WRITTEN_SEGMENTS = "$5";
const CALLS_FROM = 6;
const LEGS_FROM = CALLS_FROM + SAVED_CALLS.names.length;

const SAVE = named(
  "save-calls",
  `
with saved as (
  insert into calls (${SAVED_CALLS.names.join(", ")}) select ${columnsGiven(SAVED_CALLS)} from ${SAVED_CALLS.listed(CALLS_FROM)}
  on conflict (sid) do update set status = excluded.status, end_reason = excluded.end_reason, ended_by = excluded.ended_by,
     answered_at = excluded.answered_at, completed_at = excluded.completed_at, events_told = excluded.events_told,
     forwarding_from = excluded.forwarding_from, forwarding_to = excluded.forwarding_to,
     forwarding_others = excluded.forwarding_others, forwarding_chain = excluded.forwarding_chain
   where calls.process = excluded.process and calls.status <> 'Completed'
  returning sid
), saved_legs as (
  insert into call_legs (${STORED_LEGS.names.join(", ")})
  select ${columnsGiven(STORED_LEGS)} from ${STORED_LEGS.listed(LEGS_FROM)} join saved on saved.sid = given.call_sid
  on conflict (sid) do update set ${STORED_LEGS.excluded}
), saved_steps as (
  insert into call_steps (call_sid, at, step, details)
  select call_sid, at, step, details from json_to_recordset(${STEPS}) as given (call_sid text, at timestamptz, step text, details json)
    join saved on saved.sid = given.call_sid
), saved_recordings as (
  insert into call_recordings (${RECORDINGS.names.join(", ")})
  select ${columnsGiven(RECORDINGS)} from ${RECORDINGS.given.replace("$1", WRITTEN_RECORDINGS)} join saved on saved.sid = given.call_sid
  on conflict (sid) do update set switches_done = excluded.switches_done,
     fault = coalesce(call_recordings.fault, excluded.fault),
     -- That of a program is made while its call goes on.
     status = case when call_recordings.status in ('Completed', 'Failed') then call_recordings.status else excluded.status end
  returning sid
), saved_segments as (
  insert into recording_segments (${RAW_SEGMENTS.names.join(", ")})
  select ${columnsGiven(RAW_SEGMENTS)} from ${RAW_SEGMENTS.given.replace("$1", WRITTEN_SEGMENTS)} join saved_recordings on saved_recordings.sid = given.recording_sid
  on conflict (recording_sid, index) do update set samples = excluded.samples, state = excluded.state, due_at = excluded.due_at
   where recording_segments.state = 'Recording' and excluded.state = 'Waiting'
), ${storeEvents(
    `select account_sid, type, resource_sid, sequence, fields, phone, messaging_config_sid, only_to, callback_url, callback_shape
     from rows from (json_to_recordset(${EVENTS}) as (call_sid text, account_sid text, type text, resource_sid text, sequence integer, fields json, phone text, messaging_config_sid text,
                                              only_to text, callback_url text, callback_shape text))
       with ordinality as given (call_sid, account_sid, type, resource_sid, sequence, fields, phone, messaging_config_sid, only_to, callback_url, callback_shape, place)
     join saved on saved.sid = given.call_sid order by place`,
    NOW,
    { further: ", (select array_agg(sid) from saved) as saved" },
  )}`,
);

const CLAIM = `
with waiting as materialized (
  select sid from calls
   where process is null and status <> 'Completed'
     and not (created_at > $4 and case when from_party ~ '^[0-9]+$' or to_party ~ '^[0-9]+$' then $3
                                       else $2 and (from_party like '+%' or to_party like '+%') end)
   order by sid limit 50 for update skip locked
), switched as (
  update call_recordings set switches_taken = switches_asked from waiting
   where source is null and call_sid = waiting.sid and switches_asked > 0 returning call_sid, switches_asked
)
update calls set process = $1 from waiting left join switched on switched.call_sid = waiting.sid, accounts
 where calls.sid = waiting.sid and accounts.sid = calls.account_sid
returning ${STORED_CALLS.columnsOf("calls")}, ring_seconds as "ringSeconds", max_seconds as "maxSeconds",
          second_ring_seconds as "secondRingSeconds",
          key_prompt as "keyPrompt", program, hangup_asked as "isHungUp",
          coalesce(switched.switches_asked, 0) as "switchesAsked",
          accounts.allowed_countries as "allowedCountries"`;

const OWNED = "select sid as id, xmin::text as version from calls where process = $1 and status <> 'Completed'";
const AS_OWNED = "calls.sid = given.id and calls.xmin::text = given.version and calls.process = $3";

// An outbound call that has not begun was never dialled, unless a process that died dialled it (`is_taken_over`).
const GIVE_BACK = `
update calls set process = null from ${AS_READ}
 where ${AS_OWNED} and direction = 'Outbound' and status = 'Started' and not is_taken_over
returning sid`;

const ABANDONED = `
select ${STORED_CALLS.columnsOf("calls")}, is_taken_over as "isTakenOver" from calls join ${AS_READ} on ${AS_OWNED}
 where status <> 'Completed'`;

/** Which calls other processes reach better. */
export interface LeftCalls {
  readonly numbers: boolean;
  /** To emergency numbers, which stand as dialled. */
  readonly emergencies: boolean;
}

const LEAVES_NONE: LeftCalls = { numbers: false, emergencies: false };
/** How long a call to a number is left to a process that reaches its trunk. */
const LEFT_MS = 3_000;
const BATCH_MAX = 200;
/** Under load, the shortest time from the start of a statement to that of the next. */
const PACE_MS = 20;

/** A recording of parties that are connected. */
const JOINED = { source: null, callback: null } as const;

/** Returns what is to be stored. */
type Save = () => CallChange | undefined;
type WaitingRow = CallRow & CallScope & Omit<WaitingCall, "call" | "scope">;
type TakenRow = CallRow & CallScope;

export class StoredLedger implements CallLedger {
  readonly #db: Database;
  readonly #lease: CallLease;
  readonly #clock: Clock;
  readonly #leaves: () => LeftCalls;
  readonly #saves: Gatherer<Save, boolean>;

  /** `rawHost` is the data directory of this process, where recordings are written. */
  constructor(db: Database, lease: CallLease, clock: Clock, rawHost: string, leaves = () => LEAVES_NONE) {
    this.#db = db;
    this.#lease = lease;
    this.#clock = clock;
    this.#leaves = leaves;
    this.#saves = gather(
      (saves) => {
        const changes = saves.map((save) => save());
        return saveAll(db, changes, { process: lease.id, rawHost }, clock.now());
      },
      BATCH_MAX,
      PACE_MS,
    );
  }

  save(take: () => CallChange | undefined): Promise<boolean> {
    // When a batch fails, it is tried again in parts, with what was taken.
    let taken: { readonly change: CallChange | undefined } | undefined;
    return this.#saves.ask(() => {
      taken ??= { change: take() };
      return taken.change;
    });
  }

  async note(callSid: string, { at, step, details }: CallTrailStep): Promise<void> {
    await this.#db.query(
      "insert into call_steps (call_sid, at, step, details) select sid, $2, $3, $4 from calls where sid = $1",
      [callSid, at, step, jsonText(details)],
    );
  }

  /** Holds when calls wait to be dialled, hung up, redirected, or switched in recording, or are of others. */
  readonly hasWork: Condition = (bind) => {
    const us = `${bind(this.#lease.id)}::int`;
    return `
         (select count(*) from calls where status <> 'Completed' and (process is null or process <> ${us} or hangup_asked or redirection is not null)) > 0
      or (select count(*) from call_recordings join calls on calls.sid = call_sid
           where switches_asked <> switches_done and calls.process = ${us} and calls.status <> 'Completed') > 0
      or (select count(*) from call_legs join calls on calls.sid = call_sid
           where hangup is not null and call_legs.status <> 'Completed' and calls.process = ${us} and calls.status <> 'Completed') > 0`;
  };

  async claim(): Promise<readonly WaitingCall[]> {
    const { numbers, emergencies } = this.#leaves();
    const rows = await this.#db.query<WaitingRow>(CLAIM, [
      this.#lease.id,
      numbers,
      emergencies,
      new Date(this.#clock.now().getTime() - LEFT_MS),
    ]);
    return (await wholeCalls(this.#db, rows)).map((row) => {
      const { ringSeconds, maxSeconds, secondRingSeconds, keyPrompt, program, ...others } = row;
      const { allowedCountries, isHungUp, switchesAsked, ...rest } = others;
      const wishes = { ringSeconds, maxSeconds, secondRingSeconds, keyPrompt, program };
      return { ...apart(rest), ...wishes, allowedCountries, isHungUp, switchesAsked };
    });
  }

  async askedToHangUp(): Promise<readonly string[]> {
    const rows = await this.#db.query<{ sid: string }>(
      "select sid from calls where process = $1 and status <> 'Completed' and hangup_asked",
      [this.#lease.id],
    );
    return rows.map(({ sid }) => sid);
  }

  async takeSwitches(sids: readonly string[]): ReturnType<CallLedger["takeSwitches"]> {
    if (sids.length === 0) return [];
    return this.#db.query(
      `update call_recordings set switches_taken = switches_asked
         from calls where source is null and calls.sid = call_sid and calls.sid = any ($1) and calls.process = $2
          and calls.status <> 'Completed' and switches_asked <> switches_done
       returning calls.sid, switches_asked as switches`,
      [sids, this.#lease.id],
    );
  }

  async takeRedirections(sids: readonly string[]): ReturnType<CallLedger["takeRedirections"]> {
    if (sids.length === 0) return [];
    return this.#db.query(
      `update calls set redirections_taken = redirections_asked
        where sid = any ($1) and process = $2 and status <> 'Completed' and redirection is not null
       returning sid, redirections_asked as number, redirection as program`,
      [sids, this.#lease.id],
    );
  }

  async redirected({ sid, number }: Pick<AskedRedirection, "sid" | "number">): Promise<void> {
    await this.#db.query(
      `update calls set redirections_done = $2, redirection = case when redirections_asked = $2 then null else redirection end
        where sid = $1 and process = $3 and redirections_done < $2`,
      [sid, number, this.#lease.id],
    );
  }

  async takePartyHangUps(legSids: readonly string[]): Promise<readonly string[]> {
    if (legSids.length === 0) return [];
    const rows = await this.#db.query<{ sid: string }>(
      `update call_legs set hangup = 'Taken' from calls
        where calls.sid = call_sid and call_legs.sid = any ($1) and hangup is not null and call_legs.status <> 'Completed'
          and calls.process = $2 and calls.status <> 'Completed'
       returning call_legs.sid`,
      [legSids, this.#lease.id],
    );
    return rows.map(({ sid }) => sid);
  }

  takeOver(): Promise<void> {
    return this.#lease.takeOver();
  }

  /** Holds when calls of dead processes were taken over and have not been ended. */
  readonly hasTakenOver: Condition = (bind) =>
    `(select count(*) from calls where status <> 'Completed' and is_taken_over and process = ${bind(this.#lease.id)}::int) > 0`;

  owned(): Promise<readonly OwnedRecord[]> {
    return this.#db.query<OwnedRecord>(OWNED, [this.#lease.id]);
  }

  async giveBackStrays(strays: readonly OwnedRecord[]): Promise<readonly AbandonedCall[]> {
    const given = await this.#db.query<{ sid: string }>(GIVE_BACK, [...asRead(strays), this.#lease.id]);
    if (given.length > 0) await notify(this.#db, CALLS_ASKED);
    const dialable = new Set(given.map(({ sid }) => sid));
    const others = strays.filter(({ id }) => !dialable.has(id));
    return others.length === 0 ? [] : this.#abandoned(others);
  }

  async #abandoned(strays: readonly OwnedRecord[]): Promise<readonly AbandonedCall[]> {
    const rows = await this.#db.query<TakenRow & Pick<AbandonedCall, "isTakenOver">>(ABANDONED, [
      ...asRead(strays),
      this.#lease.id,
    ]);
    const dialogs = await this.#db.query<{ sid: string; callSid: string; dialog: string }>(
      `select sid, call_sid as "callSid", dialog from call_legs where call_sid = any ($1) and dialog is not null`,
      [rows.map(({ sid }) => sid)],
    );
    return (await wholeCalls(this.#db, rows)).map(({ isTakenOver, ...row }) => ({
      ...apart(row),
      dialogs: new Map(dialogs.filter(({ callSid }) => callSid === row.sid).map(({ sid, dialog }) => [sid, dialog])),
      isTakenOver,
    }));
  }
}

function eventRow({ sid }: Call, event: NewEvent): Readonly<Record<string, unknown>> {
  return {
    call_sid: sid,
    account_sid: event.accountSid,
    type: event.type,
    resource_sid: event.resourceSid,
    sequence: event.sequence,
    fields: event.fields,
    phone: event.phone,
    messaging_config_sid: event.messagingConfigSid,
    only_to: event.onlyTo,
    callback_url: event.callbackUrl,
    callback_shape: event.callbackShape,
  };
}

/** What is undefined needs no storing. */
async function saveAll(
  db: Queryable,
  given: readonly (CallChange | undefined)[],
  { process, rawHost }: { readonly process: number; readonly rawHost: string },
  now: Date,
): Promise<readonly boolean[]> {
  const changes = given.filter((change) => change !== undefined);
  if (changes.length === 0) return given.map(() => true);
  // `Object.assign` makes large objects several times as fast as spreads do.
  const calls = changes.map(({ call, scope, forwarding }) => {
    const { from = null, to = null, others = null, chain = null } = forwarding ?? {};
    const forwarded = { forwardingFrom: from, forwardingTo: to, forwardingOthers: others, forwardingChain: chain };
    return Object.assign(forwarded, { process }, call, scope);
  });
  const legs = changes.flatMap(({ call, dialogs }) =>
    call.legs.map((leg) => {
      const dialog = leg.status === "Completed" ? null : (dialogs.get(leg.sid) ?? null);
      return Object.assign({ callSid: call.sid, dialog }, leg);
    }),
  );
  const steps = changes.flatMap(({ call, steps: noted }) => noted.map((step) => ({ call_sid: call.sid, ...step })));
  const events = changes.flatMap(({ call, events: emitted }) => emitted.map((event) => eventRow(call, event)));
  const recordings = changes.flatMap(({ call: { sid: callSid, accountSid, recording, programRecordings } }) =>
    // That of a conference is stored with the conference.
    [
      ...(recording ? [{ ...recording, ...JOINED }] : []),
      ...programRecordings.filter(({ source }) => source !== "Conference"),
    ].map((one) => ({ ...one, callSid, accountSid })),
  );
  const segments = recordings.flatMap((recording) => rawSegments(recording, rawHost, now));
  const [row] = await db.query<{ saved: readonly string[] | null }>(SAVE, [
    jsonText(steps),
    jsonText(events),
    now,
    RECORDINGS.rows(recordings),
    RAW_SEGMENTS.rows(segments),
    ...SAVED_CALLS.lists(calls),
    ...STORED_LEGS.lists(legs),
  ]);
  const saved = new Set(row?.saved);
  return given.map((change) => change === undefined || saved.has(change.call.sid));
}

function apart(row: TakenRow & Pick<Call, "legs" | "recording" | "programRecordings">): {
  readonly call: Call;
  readonly scope: CallScope;
} {
  const { phone, messagingConfigSid, eventsTold, callback, ...call } = row;
  return { call, scope: { phone, messagingConfigSid, eventsTold, callback } };
}
