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
import { MESSAGES_QUEUED, notify } from "../engine/channels.ts";
import { type RowOf, table } from "../engine/columns.ts";
import type { Database, Queryable } from "../engine/database.ts";
import { type Gatherer, gather } from "../engine/gather.ts";
import { named } from "../engine/named-statements.ts";
import { ACCEPTED_FIELDS, type Accepted } from "./message-table.ts";
import { outgoingOf, WAITING_COLUMNS } from "./send-queue.ts";
import { holdTerm } from "./sending-lease.ts";

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
}
const GIVEN = table<Given>("given", {
  ...ACCEPTED_FIELDS,
  dueOn: "due_at timestamptz",
  route: "route",
  shard: "shard smallint",
  submitNumber: "submit_number integer",
  submitLink: "submit_link",
});
const TERM = `$${GIVEN.names.length + 1}`;

/** Defaults that most messages share are left out: a list without values is empty. */
const USUAL = { segmentCount: 1, encoding: "GSM7", priority: PRIORITIES.indexOf("Normal"), isReply: false };
const orUsual = Object.keys(ACCEPTED_FIELDS).map((field, at) => {
  const name = ACCEPTED.names[at];
  return field in USUAL ? `coalesce(${name}, '${USUAL[field as keyof typeof USUAL]}') as ${name}` : name;
});

// Messages of a submit are recorded as being sent, which commits before the first octet is sent; the others wait. If the
// term is over, all of them wait.
const ACCEPT = named(
  "accept-messages",
  `
with given as (
  select ${orUsual.join(", ")}, due_at, route, shard, submit_number, submit_link from (${GIVEN.listed}) as given
), present as (
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
select exists (select from present) as "isOurs"`,
);

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
  readonly #accepted: Gatherer<NewMessage, undefined>;
  #sending: OwnSending | undefined;
  #placer: Placer | undefined;
  #pending = 0;
  readonly #clock: Clock;
  #waiting: ReadonlyMap<string, number> = new Map();
  #depth: QueueDepth | undefined;

  constructor(db: Database, clock: Clock = systemClock) {
    this.#db = db;
    this.#clock = clock;
    this.#accepted = gather(async (messages) => {
      await this.#store(messages);
      return messages.map(() => undefined);
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
    if (this.#pending >= PENDING_MAX) throw new Unavailable("too many messages are being stored");
    this.#pending++;
    try {
      await this.#accepted.ask(message);
    } finally {
      this.#pending--;
    }
  }

  waitingOf(accountSid: string): number {
    return this.#waiting.get(accountSid) ?? 0;
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

  async #store(messages: readonly NewMessage[]): Promise<void> {
    const now = this.#clock.now().getTime();
    const term = this.#sending?.term();
    const isDue = ({ dueOn }: NewMessage) => dueOn !== null && dueOn.getTime() <= now;
    const due = messages.filter(isDue);
    if (this.#sending && term !== undefined && due.length > 0) {
      return this.#storeForSender(messages, due, term, this.#sending.sender);
    }
    const rows = messages.map((message) => toGiven(message, isDue(message), this.#placer?.placeOf(message)));
    await this.#insert(rows, term);
    if (due.length > 0) await notify(this.#db, MESSAGES_QUEUED);
  }

  async #storeForSender(
    messages: readonly NewMessage[],
    due: readonly NewMessage[],
    term: number,
    sender: OwnSending["sender"],
  ): Promise<void> {
    const assigned = sender.assign(due.map(outgoingOf));
    let at = 0;
    const rows = messages.map((message) => {
      if (message !== due[at]) return toGiven(message, false, this.#placer?.placeOf(message));
      const { place, submit } = assigned[at++] as Assigned;
      return toGiven(message, true, place, submit);
    });
    const isOurs = await this.#insert(rows, term).catch((fault: unknown) => {
      sender.drop(assigned);
      throw fault;
    });
    if (isOurs) sender.leave(assigned);
    else sender.drop(assigned);
  }

  /** Returns whether the term is the current one, so that messages are being sent in it. */
  async #insert(rows: readonly Optional<RowOf<typeof GIVEN>>[], term: number | undefined): Promise<boolean> {
    const [row] = await this.#db.query<{ isOurs: boolean }>(ACCEPT, [...GIVEN.lists(rows), term ?? null]);
    return row?.isOurs === true;
  }
}

/** Stores a message in a transaction with other changes; its commit notifies the sender. */
export async function acceptInside(unit: Queryable, messages: readonly NewMessage[]): Promise<void> {
  await unit.query(ACCEPT.text, [...GIVEN.lists(messages.map((message) => toGiven(message, false))), null]);
  await notify(unit, MESSAGES_QUEUED);
}

/** Written out for speed, because it runs for every message; nulls and defaults are left out. */
function toGiven(
  message: NewMessage,
  isDue: boolean,
  place?: Place,
  submit?: Assigned["submit"],
): Optional<RowOf<typeof GIVEN>> {
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
    route: place?.route,
    shard: place?.shard,
    submitNumber: submit?.number,
    submitLink: submit?.link.name,
  };
}
