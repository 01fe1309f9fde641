// The queue of messages to be sent, for the one process that sends (sending-lease.ts). A message that has not been sent
// is a row of outbound_queue while it waits, and is named by a row of `submits` while it is being sent. It may wait
// again before its submit is over: then its row in the queue names that submit (`back_from`). What takes a message from
// one to the other has an effect in the current term only. Carriers' answers are stored for many messages in one
// statement.

import type { Optional } from "../../../base/optional.ts";
import { Unavailable } from "../../../base/unavailable.ts";
import type { OwnedRecord } from "../../../domain/give-back.ts";
import type {
  LoadedKeys,
  LoadOrder,
  MessageStep,
  Outgoing,
  Placer,
  SendQueue,
  SettledMessage,
  Submit,
  WaitingKey,
} from "../../../domain/messaging/index.ts";
import {
  FAILURES,
  isUntaken,
  judgeWaiting,
  MESSAGE_MOVES,
  mustBeJudged,
  nextTryOn,
  WAITING_REASONS,
} from "../../../domain/messaging/index.ts";
import { type RowOf, table } from "../engine/columns.ts";
import type { Database, Queryable } from "../engine/database.ts";
import { jsonText } from "../engine/json-text.ts";
import { named } from "../engine/named-statements.ts";
import { mayMove, moveMessages, soleSource, TOLD } from "./message-changes.ts";
import { OUTBOUND } from "./message-table.ts";
import { boundsOf, MessageWeeks, namedByWeek, spanOf } from "./message-weeks.ts";
import { withFacts } from "./sender-directory.ts";
import { holdTerm } from "./sending-lease.ts";
import { WAITING_COLUMNS, WaitingMessages } from "./waiting-messages.ts";

// Nearly always all messages are begun: then `sids` is null. Those that have expired stay in the queue, where EXPIRE
// finds them; `is true` keeps the planner from looking for the others by that index.
const BEGIN = named(
  "begin-messages",
  `
with present as (
  ${holdTerm("$4")}
), begun as (
  delete from outbound_queue where sid = any($1) and (expires_at > $5) is true and exists (select from present)
  returning account_sid, sid
), recorded as (
  insert into submits (term, number, link, account_sids, sids)
  select $4, $3, $2, array_agg(account_sid), array_agg(sid) from begun having count(*) > 0
)
select case when count(*) < cardinality($1) then coalesce(array_agg(sid), '{}') end as sids,
       exists (select from present) as "isOurs" from begun`,
);

/** `carrier` is the carrier of the link. */
const SETTLED = OUTBOUND.only([
  "accountSid",
  "sid",
  "status",
  "statusReason",
  "errorCode",
  "errorDescription",
  "link",
  "carrier",
  "carrierIds",
  "sentOn",
]);
type Settled = Optional<RowOf<typeof SETTLED>> & Pick<Outgoing, "sid">;
const settledValue = (at: number) => `$${SETTLED.names.length + at}`;
const [SETTLED_AT, FINISHED, FINISHED_TERM] = [settledValue(1), settledValue(2), settledValue(3)];
const SETTLED_SPAN = `between ${settledValue(4)} and ${settledValue(5)}`;

// For accepted messages, which most are, only the fields that differ are passed: a list without values is empty. Each
// message is looked up by key, whatever the planner assumes: plans are made while the tables are still empty. A place
// in a partition is found by the table, too.
const SETTLE = namedByWeek(
  "settle-messages",
  (messages) => `
with given as materialized (
  select * from ${SETTLED.listed()}
), finished as (
  delete from submits where term = ${FINISHED_TERM} and number = any(${FINISHED}::bigint[])
), awaited as (
  insert into awaited_receipts (carrier, carrier_id, account_sid, sid, link, sent_at)
  select given.carrier, carrier_id, account_sid, sid, link, ${SETTLED_AT} from given, unnest(carrier_ids) as carrier_id
  on conflict do nothing
), ${moveMessages(
    `update ${messages} as message
   set status = coalesce(given.status, '${MESSAGE_MOVES.Queued.accepted}'), status_reason = given.status_reason, error_code = coalesce(given.error_code, 0),
       ${TOLD}, error_description = given.error_description, link = given.link,
       carrier_ids = given.carrier_ids, sent_at = given.sent_at
  from given cross join lateral (
    select tableoid, ctid from ${messages}
     where account_sid = given.account_sid and sid = given.sid and sid ${SETTLED_SPAN}
       and ${mayMove(["accepted", "refused"])} for update) as found
 where message.ctid = found.ctid and message.tableoid = found.tableoid and message.sid ${SETTLED_SPAN}`,
    soleSource(["accepted", "refused"]),
    `${SETTLED_AT}::timestamptz`,
  )}`,
);

const STEPS = `
insert into message_steps (sid, at, step, details)
select * from unnest($1::text[], $2::timestamptz[], $3::text[], $4::json[])`;

// They waited, and may not be sent.
const REFUSE = `
with given as materialized (
  select * from unnest($1::text[], $2::text[], $3::integer[], $4::text[]) as given (sid, reason, error_code, error_description)
), gone as (
  delete from outbound_queue where sid = any($1) returning account_sid, sid
), ${moveMessages(
  `update outbound_messages as message
   set status = '${MESSAGE_MOVES.Queued.refused}', status_reason = given.reason, error_code = given.error_code,
       error_description = given.error_description, carrier_ids = '{}', ${TOLD}
  from gone, given
 where given.sid = gone.sid and message.account_sid = gone.account_sid and message.sid = gone.sid and message.sid between $6 and $7
   and ${mayMove(["refused"])}`,
  soleSource(["refused"]),
  "$5::timestamptz",
)}`;

// The sender of an earlier term died while it was sending these messages: their outcome is unknown. One that came back
// from its submit waits.
const ORPHANS = `
select orphan.account_sid as "accountSid", orphan.sid, submits.link
  from submits cross join lateral unnest(account_sids, sids) as orphan (account_sid, sid)
 where submits.term <> $1
   and not exists (select from outbound_queue where sid = orphan.sid and back_from = submits.number)`;

interface WaitingAgain extends WaitingKey {
  readonly from: string;
  readonly route: string;
  readonly shard: number;
  readonly priority: number;
  readonly isReady: boolean;
  readonly dueOn: Date;
  readonly expiresOn: Date;
  readonly deferrals: number;
  /** The number of its submit. */
  readonly backFrom: number;
  /** Why it waits, where the account sees that. */
  readonly reason: string | undefined;
}
const WAITING_AGAIN = table<WaitingAgain>("given", {
  sid: "sid",
  accountSid: "account_sid",
  from: "from_number",
  route: "route",
  shard: "shard smallint",
  priority: "priority smallint",
  isReady: "is_ready boolean",
  dueOn: "due_at timestamptz",
  expiresOn: "expires_at timestamptz",
  deferrals: "deferrals smallint",
  backFrom: "back_from bigint",
  reason: "reason",
});
const againValue = (at: number) => `$${WAITING_AGAIN.names.length + at}`;
const [AGAIN_TERM, AGAIN_SPAN] = [againValue(1), `between ${againValue(2)} and ${againValue(3)}`];
const AGAIN_COLUMNS = WAITING_AGAIN.names.filter((name) => name !== "reason");

// Harmless when repeated: a message that waits already goes on waiting as it does.
const WAIT_AGAIN = `
with given as materialized (
  select * from ${WAITING_AGAIN.listed()}
), present as (
  ${holdTerm(AGAIN_TERM)}
), queued as (
  insert into outbound_queue (${AGAIN_COLUMNS.join(", ")})
  select ${AGAIN_COLUMNS.map((name) => `given.${name}`).join(", ")} from given cross join lateral (
    select from outbound_messages
     where account_sid = given.account_sid and sid = given.sid and sid ${AGAIN_SPAN} and status = 'Queued' offset 0) as message
   where exists (select from present)
  on conflict (sid) do nothing
), explained as (
  update outbound_messages as message set status_reason = given.reason from given
   where given.reason is not null and message.account_sid = given.account_sid and message.sid = given.sid
     and message.sid ${AGAIN_SPAN} and message.status = 'Queued' and exists (select from present)
)
select exists (select from present) as "isOurs"`;

const OWNED = "select number::text as id, '' as version from submits where term = $1";

// No octet of these has been sent: the sender knows what it submits. They are placed anew.
const GIVE_BACK = `
with present as (
  ${holdTerm("$1")}
), gone as (
  delete from submits where term = $1 and number = any($2) and exists (select from present) returning account_sids, sids
)
insert into outbound_queue (${WAITING_COLUMNS}, due_at, is_ready)
select message.*, true from gone cross join lateral unnest(account_sids, sids) as given (account_sid, sid) cross join lateral (
    select ${WAITING_COLUMNS}, created_at from outbound_messages
     where account_sid = given.account_sid and sid = given.sid and status = 'Queued' offset 0) as message
on conflict (sid) do nothing`;

// They go on waiting until their sending time begins; if it never does, until they expire.
const POSTPONE = `
with queued as (
  update outbound_queue as queued set due_at = coalesce(given.until, queued.expires_at), is_ready = false
    from unnest($1::text[], $2::timestamptz[]) as given (sid, until)
   where queued.sid = any (array[given.sid])
  returning queued.sid, queued.account_sid, queued.due_at
)
update outbound_messages as message set send_at = queued.due_at, status_reason = $3
  from queued where message.account_sid = queued.account_sid and message.sid = queued.sid and message.sid between $4 and $5`;

export class StoredSendQueue implements SendQueue {
  readonly #db: Database;
  readonly #placer: Placer;
  readonly #weeks: MessageWeeks;
  readonly #waiting: WaitingMessages;
  #term = 0;
  /** Another process has begun a term. Records of submits are left to it: what could not wait again is in them. */
  #isOver = false;

  constructor(db: Database, placer: Placer, weeks = new MessageWeeks()) {
    this.#db = db;
    this.#placer = placer;
    this.#weeks = weeks;
    this.#waiting = new WaitingMessages(db, placer, weeks);
  }

  /** Begins to send in this term. Fails the messages that a sender of an earlier term was sending. */
  async beginTerm(term: number, now: Date): Promise<number> {
    this.#term = term;
    this.#isOver = false;
    const orphans = await this.#db.query<{ accountSid: string; sid: string; link: string }>(ORPHANS, [term]);
    const settled = await this.#settleRows(
      orphans.map(({ link, ...orphan }) =>
        toFailed(orphan, FAILURES.unknownOutcome, "The server stopped while it was sending", { link }),
      ),
      now,
    );
    await this.#db.query("delete from submits where term <> $1", [term]);
    return settled;
  }

  ready(now: Date): ReturnType<SendQueue["ready"]> {
    return this.#waiting.ready(now);
  }

  load(order: LoadOrder, now: Date): Promise<LoadedKeys> {
    return this.#waiting.load(order, now);
  }

  read(keys: readonly WaitingKey[]): Promise<readonly Outgoing[]> {
    return this.#waiting.read(keys);
  }

  async begin({ number, link, messages }: Submit, now: Date): Promise<ReadonlySet<string>> {
    const refused = await this.#refuseStale(
      messages.filter((message) => mustBeJudged(message, now)),
      now,
    );
    const sids = messages.map(({ sid }) => sid).filter((sid) => !refused.has(sid));
    if (sids.length === 0) return new Set();
    const [row] = await this.#db.query<{ sids: string[] | null; isOurs: boolean }>(BEGIN, [
      sids,
      link.name,
      number,
      this.#term,
      now,
    ]);
    if (!row?.isOurs) throw new Unavailable("another process sends now");
    return new Set(row.sids ?? sids);
  }

  async #refuseStale(waited: readonly Outgoing[], now: Date): Promise<ReadonlySet<string>> {
    if (waited.length === 0) return new Set();
    const { refused, early } = judgeWaiting(await withFacts(this.#db, waited), now);
    if (refused.length > 0) {
      await this.#db.query(REFUSE, [
        refused.map(({ message }) => message.sid),
        refused.map(({ refusal }) => refusal.reason),
        refused.map(({ refusal }) => refusal.code),
        refused.map(({ refusal }) => refusal.description),
        now,
        ...boundsOf(refused.map(({ message }) => message.sid)),
      ]);
    }
    if (early.length > 0) {
      const [sids, until] = [early.map(({ message }) => message.sid), early.map((found) => found.until ?? null)];
      await this.#db.query(POSTPONE, [sids, until, WAITING_REASONS.sendingTimes, ...boundsOf(sids)]);
    }
    return new Set([...refused, ...early].map(({ message }) => message.sid));
  }

  async settle(batch: readonly SettledMessage[], finished: readonly number[], now: Date): Promise<void> {
    const steps = batch.filter(({ outcome }) => outcome.kind !== "accepted");
    // The steps come first: they hold the reason, and a message is not settled without one.
    if (steps.length > 0) {
      await writeSteps(
        this.#db,
        steps.map((settled) => ({
          sid: settled.message.sid,
          at: settled.at,
          step: "submit",
          details: { link: settled.link.name, ...settled.outcome, ...tryOf(settled) },
        })),
      );
    }
    const again = batch.flatMap((settled) => this.#waitingAgain(settled, now) ?? []);
    if (again.length > 0) {
      const values = [...WAITING_AGAIN.lists(again), this.#term, ...boundsOf(again.map(({ sid }) => sid))];
      const [row] = await this.#db.query<{ isOurs: boolean }>(WAIT_AGAIN, values);
      if (!row?.isOurs) this.#isOver = true;
    }
    const taken = batch.filter((settled) => !isUntaken(settled.outcome) && !retryOf(settled));
    await this.#settleRows(taken.map(toSettled), now, this.#isOver ? [] : finished);
  }

  async #settleRows(rows: readonly Settled[], now: Date, finished: readonly number[] = []): Promise<number> {
    if (rows.length === 0 && finished.length === 0) return 0;
    const span = spanOf(rows.map(({ sid }) => sid));
    const [row] = await this.#db.query<{ stored: number }>(SETTLE(this.#weeks.tableOf(span)), [
      ...SETTLED.lists(rows),
      ...[now, finished, this.#term, span.least, span.greatest],
    ]);
    return row?.stored ?? 0;
  }

  /** Undefined for a message that does not wait again. */
  #waitingAgain(settled: SettledMessage, now: Date): WaitingAgain | undefined {
    const retry = retryOf(settled);
    if (!retry && !isUntaken(settled.outcome)) return undefined;
    const { sid, accountSid, from, priority, expiresOn, deferrals } = settled.message;
    return {
      sid,
      accountSid,
      from,
      ...this.#placer.placeOf(settled.message),
      priority,
      isReady: !retry,
      dueOn: retry?.againOn ?? now,
      expiresOn,
      deferrals: retry ? deferrals + 1 : deferrals,
      backFrom: settled.submit,
      reason: retry?.reason,
    };
  }

  /** The submits of the current term. */
  owned(): Promise<readonly OwnedRecord[]> {
    return this.#db.query<OwnedRecord>(OWNED, [this.#term]);
  }

  async giveBackStrays(strays: readonly OwnedRecord[]): Promise<void> {
    await this.giveBack(strays.map(({ id }) => Number(id)));
  }

  async giveBack(numbers: readonly number[]): Promise<void> {
    await this.#db.query(GIVE_BACK, [this.#term, numbers]);
  }
}

export async function writeSteps(
  db: Queryable,
  steps: readonly { readonly sid: string; readonly at: Date; readonly step: MessageStep; readonly details: object }[],
): Promise<void> {
  await db.query(STEPS, [
    steps.map(({ sid }) => sid),
    steps.map(({ at }) => at),
    steps.map(({ step }) => step),
    steps.map(({ details }) => jsonText(details)),
  ]);
}

/** When a message that the carrier deferred is retried, and why; undefined for any other, and after the last try. */
function retryOf({ message, outcome, at }: SettledMessage) {
  const againOn = outcome.kind === "deferred" ? nextTryOn(message, at) : undefined;
  if (outcome.kind !== "deferred" || !againOn) return undefined;
  return { againOn, reason: `${outcome.reason}; it is tried again at ${againOn.toISOString()}` };
}

/** What the trail shows of a try in addition to its outcome. */
function tryOf(settled: SettledMessage): object {
  if (settled.outcome.kind !== "deferred") return {};
  return { try: settled.message.deferrals + 1, againOn: retryOf(settled)?.againOn ?? null };
}

function toSettled({ message, link, outcome, at }: SettledMessage): Settled {
  if (isUntaken(outcome)) throw new Error(`${outcome.kind} settles nothing`);
  const { accountSid, sid } = message;
  const over = { link: link.name, carrier: link.carrier, carrierIds: outcome.carrierIds };
  if (outcome.kind === "accepted") return { accountSid, sid, ...over, sentOn: at };
  if (outcome.kind === "unknown") return toFailed(message, FAILURES.unknownOutcome, outcome.reason, over);
  const times = outcome.kind === "deferred" ? `, ${message.deferrals + 1} times` : "";
  return toFailed(message, outcome.failure, `${outcome.reason}${times}`, over);
}

function toFailed(
  { accountSid, sid }: Pick<Outgoing, "accountSid" | "sid">,
  { code, description }: { readonly code: number; readonly description: string },
  statusReason: string,
  over: Pick<Settled, "link" | "carrier" | "carrierIds">,
): Settled {
  const status = MESSAGE_MOVES.Queued.refused;
  return {
    accountSid,
    sid,
    status,
    statusReason,
    errorCode: code,
    errorDescription: description,
    carrierIds: [],
    ...over,
  };
}
