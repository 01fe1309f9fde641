// For speed alone (`bench -- messages` would notice): accepts messages in batches: those that arrive while a statement
// runs are stored together by the next one. Each request is answered after the commit that contains its message. A
// message that cannot be stored fails alone.

import { type Clock, systemClock } from "../../../base/clock.ts";
import type { Optional } from "../../../base/optional.ts";
import { Unavailable } from "../../../base/unavailable.ts";
import {
  type Assigned,
  type MessageIntake,
  type NewMessage,
  type OwnSending,
  type Place,
  type Placer,
  PRIORITIES,
} from "../../../domain/messaging/index.ts";
import type { Claim } from "../accounts/idempotent-answers.ts";
import { MESSAGES_QUEUED, notify } from "../engine/channels.ts";
import { type RowOf, table } from "../engine/columns.ts";
import type { Database, Queryable } from "../engine/database.ts";
import { type Gatherer, gather } from "../engine/gather.ts";
import { named } from "../engine/named-statements.ts";
import { ACCEPTED_FIELDS, type Accepted } from "./message-table.ts";
import { holdTerm } from "./sending-lease.ts";
import { emptyLateBlocks, lateBefore } from "./text-blocks.ts";
import { outgoingOf, WAITING_COLUMNS } from "./waiting-messages.ts";

const ACCEPTED = table("outbound_messages", ACCEPTED_FIELDS);
interface Given extends Accepted {
  /** Absent: it may be sent immediately. */
  readonly dueOn: Date | "infinity";
  /** Where it waits; absent: the sender finds out. */
  readonly route: string;
  readonly shard: number;
  /** The submit with which it leaves as soon as it is stored. */
  readonly submitNumber: number;
  readonly submitLink: string;
  /** The claim of an Idempotency-Key, and the answer that is stored with the message. */
  readonly keyScope: string;
  readonly key: string;
  readonly claimId: string;
  readonly answer: string;
}
const GIVEN = table<Given>("given", {
  ...ACCEPTED_FIELDS,
  dueOn: "due_at timestamptz",
  route: "route",
  shard: "shard smallint",
  submitNumber: "submit_number bigint",
  submitLink: "submit_link",
  keyScope: "key_scope",
  key: "key",
  claimId: "claim_id uuid",
  answer: "answer bytea",
});
const TERM = `$${GIVEN.names.length + 1}`;

/** Defaults that most messages share are left out: a list without values is empty. */
const USUAL = { segmentCount: 1, encoding: "GSM7", priority: PRIORITIES.indexOf("Normal"), isReply: false };
const orUsual = Object.keys(ACCEPTED_FIELDS).map((field, at) => {
  const name = ACCEPTED.names[at];
  return field in USUAL ? `coalesce(${name}, '${USUAL[field as keyof typeof USUAL]}') as ${name}` : name;
});

// Messages of a submit are recorded as being sent, which commits before the first octet is sent; the others wait. If
// the term is over, all of them wait.
const accept = (list: string, admitted: string, late: string) => `
with ${list} as materialized (
  select ${orUsual.join(", ")}, due_at, route, shard, submit_number, submit_link, key_scope, key, claim_id, answer from ${GIVEN.listed()}
)${admitted}, present as (
  ${holdTerm(TERM)}
), stored as (
  insert into outbound_messages (${ACCEPTED.names.join(", ")}, status) select ${ACCEPTED.names.join(", ")}, 'Queued' from given
), submitted as (
  insert into submits (term, number, link, account_sids, sids)
  select ${TERM}, submit_number, submit_link, array_agg(account_sid), array_agg(sid) from given
   where submit_number is not null and exists (select from present) group by submit_number, submit_link
), queued as (
  insert into outbound_queue (${WAITING_COLUMNS}, due_at, is_ready, route, shard)
  select ${WAITING_COLUMNS}, coalesce(due_at, created_at), due_at is null, coalesce(route, ''), coalesce(shard, 0)
    from given where submit_number is null or not exists (select from present)
)
select exists (select from present) as "isOurs", ${late} as late`;

const ACCEPT = named("accept-messages", accept("given", "", "'{}'::text[]"));

// The answer to a request with an Idempotency-Key is stored too. `late`: another request has taken over its claim, so
// its message is not stored. Claims are looked up by key, whatever the planner assumes about their number.
const ACCEPT_KEPT = named(
  "accept-kept-messages",
  accept(
    "listed",
    `, kept as (
  update kept_answers as kept set answer = listed.answer
    from listed cross join lateral (
      select ctid from kept_answers
       where scope = listed.key_scope and key = listed.key and claim_id = listed.claim_id and answer is null for update) as found
   where kept.ctid = found.ctid
  returning listed.sid
), given as materialized (
  select * from listed where claim_id is null or sid in (select sid from kept)
)`,
    "array(select sid from listed where sid not in (select sid from given))",
  ),
);

/** A message with the answer that is stored for repeats of its request. */
interface Kept {
  readonly claim: Claim;
  readonly answer: Buffer;
}
interface Accepting {
  readonly message: NewMessage;
  readonly kept?: Kept;
}

/** How many messages may wait to be stored: when there are more, the database is not keeping up. */
const PENDING_MAX = 10_000;

export interface QueueDepth {
  /** Messages that may be sent now. */
  readonly due: number;
  /** Messages that are scheduled, held or to be retried. */
  readonly later: number;
  /** When the oldest message that may be sent became due. */
  readonly oldestDueOn: Date | undefined;
}

export class StoredIntake implements MessageIntake {
  readonly #db: Database;
  /** Answers whether it was stored. */
  readonly #accepted: Gatherer<Accepting, boolean>;
  #sending: OwnSending | undefined;
  #placer: Placer | undefined;
  #pending = 0;
  readonly #clock: Clock;
  #waiting: ReadonlyMap<string, number> = new Map();
  #depth: QueueDepth | undefined;

  constructor(db: Database, clock: Clock = systemClock) {
    this.#db = db;
    this.#clock = clock;
    this.#accepted = gather(async (accepting) => {
      const late = await this.#store(accepting);
      return accepting.map(({ message }) => !late.has(message.sid));
    });
  }

  /** From now on accepted messages are passed to this sender directly, without reading the queue. */
  handTo(sending: OwnSending | undefined): void {
    this.#sending = sending;
  }

  /** From now on messages are stored with their place; without it, the sender finds out. */
  placeBy(placer: Placer): void {
    this.#placer = placer;
  }

  async accept(message: NewMessage): Promise<void> {
    await this.#accept({ message });
  }

  /** Stores the answer for repeats with the message. False when the claim was taken over: then nothing is stored. */
  acceptOnce(message: NewMessage, claim: Claim, answer: Buffer): Promise<boolean> {
    return this.#accept({ message, kept: { claim, answer } });
  }

  async #accept(accepting: Accepting): Promise<boolean> {
    if (this.#pending >= PENDING_MAX) throw new Unavailable("too many messages are being stored");
    this.#pending++;
    try {
      return await this.#accepted.ask(accepting);
    } finally {
      this.#pending--;
    }
  }

  waitingOf(accountSid: string): number {
    return this.#waiting.get(accountSid) ?? 0;
  }

  /** The accounts with the most messages that wait, by the same count. */
  top(count: number): readonly (readonly [accountSid: string, waiting: number])[] {
    return [...this.#waiting].sort(([, one], [, other]) => other - one).slice(0, count);
  }

  /** How many messages of all accounts wait, by a recent count; undefined before the first count. */
  get depth(): QueueDepth | undefined {
    return this.#depth;
  }

  /** Counts waiting messages, for the limit on them and for metrics. */
  async count(now: Date): Promise<void> {
    const rows = await this.#db.query<{ account_sid: string; count: number; due: number; oldest: Date | null }>(
      `select account_sid, count(*)::int, (count(*) filter (where due_at <= $1))::int as due,
              min(due_at) filter (where due_at <= $1) as oldest
         from outbound_queue group by account_sid`,
      [now],
    );
    this.#waiting = new Map(rows.map((row) => [row.account_sid, row.count]));
    const due = rows.reduce((sum, row) => sum + row.due, 0);
    const oldestMs = Math.min(...rows.map(({ oldest }) => oldest?.getTime() ?? Number.POSITIVE_INFINITY));
    this.#depth = {
      due,
      later: rows.reduce((sum, row) => sum + row.count, 0) - due,
      oldestDueOn: Number.isFinite(oldestMs) ? new Date(oldestMs) : undefined,
    };
  }

  /** Returns the sids of those that were not stored. */
  async #store(accepting: readonly Accepting[]): Promise<ReadonlySet<string>> {
    const now = this.#clock.now().getTime();
    const sending = this.#sending;
    const term = sending?.term();
    const isDue = ({ message: { dueOn } }: Accepting) => dueOn !== null && dueOn.getTime() <= now;
    const due = accepting.filter(isDue);
    if (sending && term !== undefined && due.length > 0)
      return this.#storeForSender(accepting, due, term, sending.sender);
    const rows = accepting.map((each) => toGiven(each, isDue(each), this.#placer?.placeOf(each.message)));
    const { late } = await this.#insert(rows, term);
    if (due.length > 0) await notify(this.#db, MESSAGES_QUEUED);
    return new Set(late);
  }

  async #storeForSender(
    accepting: readonly Accepting[],
    due: readonly Accepting[],
    term: number,
    sender: OwnSending["sender"],
  ): Promise<ReadonlySet<string>> {
    const assigned = sender.assign(due.map(({ message }) => outgoingOf(message)));
    let at = 0;
    const rows = accepting.map((each) => {
      if (each !== due[at]) return toGiven(each, false, this.#placer?.placeOf(each.message));
      const { place, submit } = assigned[at++] as Assigned;
      return toGiven(each, true, place, submit);
    });
    const { isOurs, late } = await this.#insert(rows, term).catch((fault: unknown) => {
      sender.drop(assigned);
      throw fault;
    });
    const notStored = new Set(late);
    const isLeft = ({ message }: Assigned) => isOurs && !notStored.has(message.sid);
    const left = assigned.filter(isLeft);
    if (left.length < assigned.length) sender.drop(assigned.filter((each) => !isLeft(each)));
    if (left.length > 0) sender.leave(left);
    return notStored;
  }

  /** `isOurs`: the term is the current one, so that messages are being sent in it. */
  async #insert(rows: readonly GivenRow[], term: number | undefined): Promise<Inserted> {
    const statement = rows.some(({ claimId }) => claimId !== undefined) ? ACCEPT_KEPT : ACCEPT;
    const insert = (db: Queryable) => db.query<Inserted>(statement, [...GIVEN.lists(rows), term ?? null]);
    const bound = lateBefore(this.#clock.now());
    const late = rows.flatMap(({ accountSid = "", sid = "" }) => (sid < bound ? [{ accountSid, sid }] : []));
    const [row] =
      late.length === 0
        ? await insert(this.#db)
        : await this.#db.transaction(async (unit) => {
            await emptyLateBlocks(unit, late);
            return insert(unit);
          });
    return row ?? { isOurs: false, late: [] };
  }
}

type GivenRow = Optional<RowOf<typeof GIVEN>>;
interface Inserted {
  readonly isOurs: boolean;
  readonly late: readonly string[];
}

/** Stores a message in a transaction with other changes; its commit notifies the sender. */
export async function acceptInside(unit: Queryable, messages: readonly NewMessage[]): Promise<void> {
  await emptyLateBlocks(
    unit,
    messages.filter(({ sid, createdOn }) => sid < lateBefore(createdOn)),
  );
  await unit.query(ACCEPT.text, [...GIVEN.lists(messages.map((message) => toGiven({ message }, false))), null]);
  await notify(unit, MESSAGES_QUEUED);
}

/** Written out for speed, because it runs for every message; nulls and defaults are left out. */
function toGiven({ message, kept }: Accepting, isDue: boolean, place?: Place, submit?: Assigned["submit"]): GivenRow {
  return {
    sid: message.sid,
    accountSid: message.accountSid,
    from: message.from,
    to: message.to,
    recipients: message.recipients.length > 1 ? message.recipients : undefined,
    text: message.text,
    mediaUrls: message.mediaUrls.length > 0 ? message.mediaUrls : undefined,
    statusReason: message.statusReason ?? undefined,
    segmentCount: message.segmentCount === USUAL.segmentCount ? undefined : message.segmentCount,
    encoding: message.encoding === USUAL.encoding ? undefined : message.encoding,
    carrier: message.carrier ?? undefined,
    messagingConfigSid: message.messagingConfigSid ?? undefined,
    tcrCampaignId: message.tcrCampaignId ?? undefined,
    priority: message.priority === "Normal" ? undefined : PRIORITIES.indexOf(message.priority),
    conversationMetadata: message.conversationMetadata ?? undefined,
    callbackUrl: message.callbackUrl ?? undefined,
    callbackShape: message.callbackShape ?? undefined,
    callbackStatuses: message.callbackStatuses ?? undefined,
    isReply: message.isReply || undefined,
    requestId: message.requestId ?? undefined,
    createdOn: message.createdOn,
    sendAt: message.sendAt ?? undefined,
    expiresOn: message.expiresOn,
    dueOn: isDue ? undefined : (message.dueOn ?? "infinity"),
    // Of no use to a message that leaves.
    route: submit ? undefined : place?.route,
    shard: submit ? undefined : place?.shard,
    submitNumber: submit?.number,
    submitLink: submit?.link.name,
    keyScope: kept?.claim.scope,
    key: kept?.claim.key,
    claimId: kept?.claim.id,
    answer: kept && `\\x${kept.answer.toString("hex")}`,
  };
}
