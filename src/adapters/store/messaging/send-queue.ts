// The queue of messages to be sent, for the one process that sends (sending-lease.ts): every statement has an effect in
// the current term only. Carriers' answers are stored for many messages in one statement.

import type { Optional } from "../../../base/optional.ts";
import type { OwnedRecord } from "../../../domain/give-back.ts";
import type { NewMessage, Outgoing, SendQueue, SettledMessage } from "../../../domain/messaging/index.ts";
import {
  FAILURES,
  isUntaken,
  judgeWaiting,
  MESSAGE_MOVES,
  mustBeJudged,
  nextTryOn,
  PRIORITIES,
  WAITING_REASONS,
} from "../../../domain/messaging/index.ts";
import type { RowOf } from "../engine/columns.ts";
import type { Database, Queryable } from "../engine/database.ts";
import { jsonText } from "../engine/json-text.ts";
import { named } from "../engine/named-statements.ts";
import { AS_READ, asRead } from "../engine/owned-records.ts";
import { inBatches } from "../engine/sweeps.ts";
import { mayMove, moveMessages, soleSource } from "./message-changes.ts";
import { OUTBOUND } from "./message-table.ts";
import { withFacts } from "./sender-directory.ts";
import { holdTerm } from "./sending-lease.ts";

const CLAIMED = OUTBOUND.only([
  "sid",
  "accountSid",
  "from",
  "to",
  "recipients",
  "text",
  "mediaUrls",
  "priority",
  "carrier",
  "isReply",
  "expiresOn",
]);

export function outgoingOf(message: NewMessage): Outgoing {
  return toOutgoing(message, message, PRIORITIES.indexOf(message.priority), message.createdOn, 0);
}

/** Written out for speed, because it runs for every message. */
function toOutgoing(
  message: Pick<Outgoing, "sid" | "accountSid" | "from" | "text" | "carrier" | "isReply" | "expiresOn">,
  { recipients, mediaUrls }: Pick<Outgoing, "recipients" | "mediaUrls">,
  priority: number,
  checkedOn: Date,
  deferrals: number,
): Outgoing {
  const { sid, accountSid, from, text, carrier, isReply, expiresOn } = message;
  return {
    sid,
    accountSid,
    from,
    recipients,
    text,
    mediaUrls,
    priority,
    carrier,
    isReply,
    expiresOn,
    checkedOn,
    deferrals,
  };
}

const CLAIM = named(
  "claim-messages",
  `
with present as (
  ${holdTerm("$1")}
), due as (
  select sid from outbound_queue where claimed_by is null and due_at <= $2 and expires_at > $2 and exists (select from present)
   order by priority, sid limit $3 for update skip locked
), taken as (
  update outbound_queue as queued set claimed_by = $1 from due where queued.sid = due.sid returning queued.sid, queued.account_sid, queued.deferrals
)
select message.*, taken.deferrals from taken cross join lateral (
    ${CLAIMED.select} where account_sid = taken.account_sid and sid = taken.sid offset 0) as message
 order by message.sid`,
);

// Nearly always all messages are begun: then `sids` is null. None of them is being sent, so `submitting` is cleared for
// those that have expired, even if they were stored as being sent, or begun by a statement whose answer was lost:
// EXPIRE finds them.
const BEGIN = named(
  "begin-messages",
  `
with held as (
  update outbound_queue set submitting = case when expires_at > $4 then $2 end where sid = any($1) and claimed_by = $3
  returning sid, submitting
), begun as (
  select sid from held where submitting is not null
)
select case when count(*) < cardinality($1) then coalesce(array_agg(sid), '{}') end as sids from begun`,
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
const [SETTLED_SIDS, SETTLED_AT] = [`$${SETTLED.names.indexOf("sid") + 1}`, `$${SETTLED.names.length + 1}`];

// For accepted messages, which most are, only the fields that differ are passed: a list without values is empty. Each
// message is looked up by key, whatever the planner assumes: plans are made while the tables are still empty.
const SETTLE = named(
  "settle-messages",
  `
with given as materialized (
  ${SETTLED.listed}
), gone as (
  delete from outbound_queue where sid = any(${SETTLED_SIDS})
), awaited as (
  insert into awaited_receipts (carrier, carrier_id, account_sid, sid, link, sent_at)
  select given.carrier, carrier_id, account_sid, sid, link, ${SETTLED_AT} from given, unnest(carrier_ids) as carrier_id
  on conflict do nothing
), ${moveMessages(
    `update outbound_messages as message
   set status = coalesce(given.status, '${MESSAGE_MOVES.Queued.accepted}'), status_reason = given.status_reason, error_code = coalesce(given.error_code, 0),
       events_told = events_told + 1, error_description = given.error_description, link = given.link,
       carrier_ids = given.carrier_ids, sent_at = given.sent_at
  from given cross join lateral (
    select ctid from outbound_messages
     where account_sid = given.account_sid and sid = given.sid and ${mayMove(["accepted", "refused"])} for update) as found
 where message.ctid = found.ctid`,
    soleSource(["accepted", "refused"]),
    `${SETTLED_AT}::timestamptz`,
  )}`,
);

const STEPS = `
insert into message_steps (sid, at, step, details)
select * from unnest($1::text[], $2::timestamptz[], $3::text[], $4::json[])`;

// The sender of an earlier term died while it was sending these messages: their outcome is unknown.
const ORPHANS = `
select account_sid as "accountSid", sid, submitting as link from outbound_queue where claimed_by <> $1 and submitting is not null`;

const FREE = "update outbound_queue set claimed_by = null where claimed_by <> $1 and submitting is null";

const OWNED = "select sid as id, xmin::text as version from outbound_queue where claimed_by = $1";

// No octet of these has been sent, even if they are stored as being submitted: the sender knows what it submits.
const GIVE_BACK_STRAYS = `
update outbound_queue as queued set claimed_by = null, submitting = null
  from ${AS_READ}
 where queued.sid = given.id and queued.xmin::text = given.version and queued.claimed_by = $3`;

const EXPIRE = named(
  "expire-messages",
  `
with late as (
  select sid, account_sid from outbound_queue where expires_at <= $1 and submitting is null
   order by expires_at limit $2 for update skip locked
), gone as (
  delete from outbound_queue using late where outbound_queue.sid = late.sid
), ${moveMessages(
    `update outbound_messages as message
   set status = '${MESSAGE_MOVES.Queued.expired}', status_reason = 'It expired before it could be sent', events_told = events_told + 1
  from late where message.account_sid = late.account_sid and message.sid = late.sid and ${mayMove(["expired"])}`,
    soleSource(["expired"]),
    "$1::timestamptz",
  )}`,
);

// Puts messages back until their sending time begins; if it never does, until they expire. None of them is being sent.
const POSTPONE = `
with queued as (
  update outbound_queue as queued set due_at = coalesce(given.until, queued.expires_at), claimed_by = null, submitting = null
    from unnest($1::text[], $2::timestamptz[]) as given (sid, until)
   where queued.sid = given.sid and queued.claimed_by = $3
  returning queued.sid, queued.account_sid, queued.due_at
)
update outbound_messages as message set send_at = queued.due_at, status_reason = $4
  from queued where message.account_sid = queued.account_sid and message.sid = queued.sid`;

const DEFER = `
with queued as (
  update outbound_queue as queued set due_at = given.until, deferrals = queued.deferrals + 1, claimed_by = null, submitting = null
    from unnest($1::text[], $2::timestamptz[], $3::text[]) as given (sid, until, reason)
   where queued.sid = given.sid and queued.claimed_by = $4
  returning queued.sid, queued.account_sid, given.reason
)
update outbound_messages as message set status_reason = queued.reason
  from queued where message.account_sid = queued.account_sid and message.sid = queued.sid`;

const EXPIRED_AT_ONCE = 500;
const LONG_AGO = new Date(0);

export class StoredSendQueue implements SendQueue {
  readonly #db: Database;
  #term = 0;

  constructor(db: Database) {
    this.#db = db;
  }

  get term(): number {
    return this.#term;
  }

  /** Begins to claim in this term. Frees the claims of earlier terms, and fails messages that were being sent. */
  async beginTerm(term: number, now: Date): Promise<number> {
    this.#term = term;
    await this.#db.query(FREE, [term]);
    const orphans = await this.#db.query<{ accountSid: string; sid: string; link: string }>(ORPHANS, [term]);
    await this.#settleRows(
      orphans.map(({ link, ...orphan }) =>
        toFailed(orphan, FAILURES.unknownOutcome, "The server stopped while it was sending", { link }),
      ),
      now,
    );
    return orphans.length;
  }

  async claim(limit: number, now: Date): Promise<readonly Outgoing[]> {
    const rows = await this.#db.query<RowOf<typeof CLAIMED> & { readonly deferrals: number }>(CLAIM, [
      this.#term,
      now,
      limit,
    ]);
    return rows.map((row) => {
      const { to, recipients, mediaUrls, priority, deferrals } = row;
      const rest = { recipients: recipients ?? [to], mediaUrls: mediaUrls ?? [] };
      return toOutgoing(row, rest, priority, LONG_AGO, deferrals);
    });
  }

  async begin(
    batch: readonly { readonly message: Outgoing; readonly link: string }[],
    now: Date,
  ): Promise<ReadonlySet<string>> {
    const refused = await this.#refuseStale(
      batch.map(({ message }) => message).filter((message) => mustBeJudged(message, now)),
      now,
    );
    const begun = new Set<string>();
    for (const link of new Set(batch.map(({ link }) => link))) {
      const sids = batch.filter((entry) => entry.link === link).map(({ message }) => message.sid);
      const [row] = await this.#db.query<{ sids: string[] | null }>(BEGIN, [sids, link, this.#term, now]);
      for (const sid of row?.sids ?? sids) if (!refused.has(sid)) begun.add(sid);
    }
    return begun;
  }

  async #refuseStale(waited: readonly Outgoing[], now: Date): Promise<ReadonlySet<string>> {
    if (waited.length === 0) return new Set();
    const { refused, early } = judgeWaiting(await withFacts(this.#db, waited), now);
    await this.#settleRows(
      refused.map(({ message, refusal }) => toFailed(message, refusal, refusal.reason, {})),
      now,
    );
    if (early.length > 0) {
      const [sids, until] = [early.map(({ message }) => message.sid), early.map((found) => found.until ?? null)];
      await this.#db.query(POSTPONE, [sids, until, this.#term, WAITING_REASONS.sendingTimes]);
    }
    return new Set([...refused, ...early].map(({ message }) => message.sid));
  }

  async settle(batch: readonly SettledMessage[], now: Date): Promise<void> {
    const deferred = batch.filter(({ outcome }) => outcome.kind === "deferred").flatMap((one) => retryOf(one) ?? []);
    const taken = batch.filter((settled) => !isUntaken(settled.outcome) && !retryOf(settled));
    const untaken = batch.filter(({ outcome }) => isUntaken(outcome));
    const steps = batch.filter(({ outcome }) => outcome.kind !== "accepted");
    if (untaken.length > 0) {
      await this.#db.query("update outbound_queue set submitting = null where sid = any($1) and claimed_by = $2", [
        untaken.map(({ message }) => message.sid),
        this.#term,
      ]);
    }
    await this.#settleRows(taken.map(toSettled), now, steps);
    if (deferred.length === 0) return;
    // After the steps: another process may send the message as soon as this is committed.
    await this.#db.query(DEFER, [
      deferred.map(({ sid }) => sid),
      deferred.map(({ againOn }) => againOn),
      deferred.map(({ reason }) => reason),
      this.#term,
    ]);
  }

  async #settleRows(rows: readonly Settled[], now: Date, steps: readonly SettledMessage[] = []): Promise<void> {
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
    if (rows.length === 0) return;
    await this.#db.query(SETTLE, [...SETTLED.lists(rows), now]);
  }

  /** The messages that are claimed in the current term. */
  owned(): Promise<readonly OwnedRecord[]> {
    return this.#db.query<OwnedRecord>(OWNED, [this.#term]);
  }

  async giveBackStrays(strays: readonly OwnedRecord[]): Promise<void> {
    await this.#db.query(GIVE_BACK_STRAYS, [...asRead(strays), this.#term]);
  }

  async giveBack(sids: readonly string[]): Promise<void> {
    await this.#db.query(
      "update outbound_queue set claimed_by = null, submitting = null where sid = any($1) and claimed_by = $2",
      [sids, this.#term],
    );
  }
}

export async function writeSteps(
  db: Queryable,
  steps: readonly { readonly sid: string; readonly at: Date; readonly step: string; readonly details: object }[],
): Promise<void> {
  await db.query(STEPS, [
    steps.map(({ sid }) => sid),
    steps.map(({ at }) => at),
    steps.map(({ step }) => step),
    steps.map(({ details }) => jsonText(details)),
  ]);
}

/** Expires messages that could not be sent in time. Returns how many. */
export function expireMessages(db: Database, now: Date): Promise<number> {
  return inBatches(EXPIRED_AT_ONCE, async () => {
    const [row] = await db.query<{ stored: number }>(EXPIRE, [now, EXPIRED_AT_ONCE]);
    return row?.stored ?? 0;
  });
}

/** When a message that the carrier deferred is retried, and why; undefined for any other, and after the last try. */
function retryOf({ message, outcome, at }: SettledMessage) {
  const againOn = outcome.kind === "deferred" ? nextTryOn(message, at) : undefined;
  if (outcome.kind !== "deferred" || !againOn) return undefined;
  return { sid: message.sid, againOn, reason: `${outcome.reason}; it is tried again at ${againOn.toISOString()}` };
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
