// Accepts messages: those that arrive while a statement is under way are stored by the next one together, and each sender is answered
// after the commit that holds its message. A message that cannot be stored fails alone, not with its neighbours.

import { Unavailable } from "../../../base/unavailable.ts";
import { type MessageIntake, type NewMessage, PRIORITIES } from "../../../domain/messaging/index.ts";
import type { Database, Queryable } from "../engine/database.ts";
import { type Gatherer, gather } from "../engine/gather.ts";
import { MESSAGES_QUEUED } from "./send-queue.ts";
import { holdTerm } from "./sending-lease.ts";

const USUAL_PRIORITY = PRIORITIES.indexOf("Normal");

// What most messages have in common is not said: a shorter text is read faster. Without due_at it may leave at once, in the term $2.
const ACCEPT = `
with given as (
  select * from json_to_recordset($1) as given (sid text, account_sid text, from_number text, to_number text, recipients text[],
    text text, media_urls text[], status_reason text, segment_count smallint, encoding text, carrier text, messaging_config_sid text,
    tcr_campaign_id text, priority smallint, conversation_metadata text, callback_url text, is_reply boolean, created_at timestamptz,
    send_at timestamptz, expires_at timestamptz, due_at timestamptz)
), present as (
  ${holdTerm("$2")}
), stored as (
  insert into outbound_messages (sid, account_sid, from_number, to_number, recipients, text, media_urls, status, status_reason,
    segment_count, encoding, carrier, messaging_config_sid, tcr_campaign_id, priority, conversation_metadata, callback_url, is_reply,
    created_at, send_at, expires_at)
  select sid, account_sid, from_number, to_number, recipients, text, media_urls, 'Queued', status_reason, coalesce(segment_count, 1),
    coalesce(encoding, 'GSM7'), carrier, messaging_config_sid, tcr_campaign_id, coalesce(priority, ${USUAL_PRIORITY}),
    conversation_metadata, callback_url, coalesce(is_reply, false), created_at, send_at, expires_at
    from given
)
insert into outbound_queue (sid, account_sid, from_number, priority, due_at, expires_at, claimed_by)
select sid, account_sid, from_number, coalesce(priority, ${USUAL_PRIORITY}), coalesce(due_at, created_at), expires_at,
       case when due_at is null then (select term from present) end
  from given`;

/** Under way at once: more than this, and the database is not keeping up. */
const PENDING_MAX = 10_000;

/** The sending of this process. */
export interface OwnSending {
  /** The term in which it sends, while it has room for more. */
  readonly term: () => number | undefined;
  /** Stored and claimed in that term: may leave. */
  readonly take: (messages: readonly NewMessage[]) => void;
}

export class StoredIntake implements MessageIntake {
  readonly #db: Database;
  readonly #accepted: Gatherer<NewMessage, undefined>;
  #sending: OwnSending | undefined;
  #pending = 0;
  #waiting: ReadonlyMap<string, number> = new Map();

  constructor(db: Database) {
    this.#db = db;
    this.#accepted = gather(async (messages) => {
      await this.#store(messages);
      return messages.map(() => undefined);
    });
  }

  /** What is accepted from here on is handed to it, instead of to whoever looks into the queue. */
  handTo(sending: OwnSending | undefined): void {
    this.#sending = sending;
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

  /** Counts what waits, for the bound on it. */
  async count(): Promise<void> {
    const rows = await this.#db.query<{ account_sid: string; count: string }>(
      "select account_sid, count(*) from outbound_queue group by account_sid",
    );
    this.#waiting = new Map(rows.map((row) => [row.account_sid, Number(row.count)]));
  }

  async #store(messages: readonly NewMessage[]): Promise<void> {
    const now = Date.now();
    const sending = this.#sending;
    const term = sending?.term();
    const isDue = ({ dueOn }: NewMessage) => dueOn !== null && dueOn.getTime() <= now;
    const rows = messages.map((message) => toRow(message, isDue(message)));
    const due = messages.filter(isDue);
    try {
      await this.#db.query(ACCEPT, [JSON.stringify(rows), term ?? null], "accept-messages");
    } catch (fault) {
      // They may have been stored all the same, and then they are claimed: whoever begins to send them will see.
      if (term !== undefined && fault instanceof Unavailable) sending?.take(due);
      throw fault;
    }
    if (due.length === 0) return;
    if (term !== undefined) sending?.take(due);
    else await this.#db.query("select pg_notify($1, '')", [MESSAGES_QUEUED]);
  }
}

/** In a transaction with something else; whoever sends hears of it at its commit. */
export async function acceptInside(unit: Queryable, messages: readonly NewMessage[]): Promise<void> {
  await unit.query(ACCEPT, [JSON.stringify(messages.map((message) => toRow(message, false))), null]);
  await unit.query("select pg_notify($1, '')", [MESSAGES_QUEUED]);
}

function toRow(message: NewMessage, isDue: boolean): object {
  return {
    sid: message.sid,
    account_sid: message.accountSid,
    from_number: message.from,
    to_number: message.to,
    recipients: message.recipients.length > 1 ? message.recipients : undefined,
    text: message.text,
    media_urls: message.mediaUrls.length > 0 ? message.mediaUrls : undefined,
    status_reason: message.statusReason ?? undefined,
    segment_count: message.segmentCount === 1 ? undefined : message.segmentCount,
    encoding: message.encoding === "GSM7" ? undefined : message.encoding,
    carrier: message.carrier ?? undefined,
    messaging_config_sid: message.messagingConfigSid ?? undefined,
    tcr_campaign_id: message.tcrCampaignId ?? undefined,
    priority: message.priority === "Normal" ? undefined : PRIORITIES.indexOf(message.priority),
    conversation_metadata: message.conversationMetadata ?? undefined,
    callback_url: message.callbackUrl ?? undefined,
    is_reply: message.isReply || undefined,
    created_at: message.createdOn,
    send_at: message.sendAt ?? undefined,
    expires_at: message.expiresOn,
    due_at: isDue ? undefined : (message.dueOn ?? "infinity"),
  };
}
