// What came from carriers: messages, the parts of long ones that are not whole yet, and what is needed to know a repeat.

import type {
  Inbox,
  NewMessage,
  NumberOwner,
  PartsOf,
  ReceiveUnit,
  StoredPart,
} from "../../../domain/messaging/index.ts";
import type { Queryable } from "../engine/database.ts";
import { lock } from "../engine/locks.ts";
import { keptSince, sweep } from "../engine/sweeps.ts";
import { isOptOutFrom, optOutStore } from "../numbers/opt-outs.ts";
import { outboxOf } from "../webhooks/outbox.ts";
import { insertMedia } from "./attachments.ts";
import { acceptInside } from "./message-intake.ts";

const OWNER = `
select phone.account_sid, phone.status = 'Active' as is_active, phone.messaging_config_sid, config.tcr_campaign_id,
       config.opt_out_reply, config.opt_in_reply, config.help_reply, account.handles_keywords
  from phones as phone
  join accounts as account on account.sid = phone.account_sid
  left join messaging_configs as config on config.sid = phone.messaging_config_sid
 where phone.number = $1 and phone.status <> 'Removed'`;

// Waits for whoever is storing the same at this moment.
const REMEMBER = `
insert into received_keys (carrier, key, session, received_at) values ($1, $2, $3, $4) on conflict do nothing returning 1`;

// A statement of its own, which sees what was committed while the other one waited.
const REMEMBER_AGAIN = `
with known as (
  select session from received_keys where carrier = $1 and key = $2 for update
)
update received_keys set session = $3, received_at = $4 from known where carrier = $1 and key = $2 returning known.session as previous`;

interface OwnerRow {
  readonly account_sid: string;
  readonly is_active: boolean;
  readonly messaging_config_sid: string | null;
  readonly tcr_campaign_id: string | null;
  readonly opt_out_reply: string | null;
  readonly opt_in_reply: string | null;
  readonly help_reply: string | null;
  readonly handles_keywords: boolean;
}

/** What a transaction that receives a message works on. */
export function receiveUnitOver(db: Queryable): ReceiveUnit {
  return {
    inbox: inboxOver(db),
    optOuts: optOutStore(db),
    outbox: outboxOf(db),
  };
}

export function inboxOver(db: Queryable): Inbox {
  return {
    async ownerOf(number) {
      const [row] = await db.query<OwnerRow>(OWNER, [number]);
      return row && toOwner(row);
    },
    async isRepeat({ carrier, repeatKey, session, receivedOn }) {
      const arrival = [carrier, repeatKey, session, receivedOn];
      const [isNew] = await db.query(REMEMBER, arrival);
      if (isNew) return false;
      const [known] = await db.query<{ previous: string }>(REMEMBER_AGAIN, arrival);
      // Over the same connection it is another message that says the same.
      return known !== undefined && known.previous !== session;
    },
    async isOptedOut(accountSid, number, from, tcrCampaignId) {
      const [row] = await db.query(
        `select 1 from opt_outs where number = $2 and ${isOptOutFrom("$1", "$3", "$4")} limit 1`,
        [accountSid, number, from, tcrCampaignId],
      );
      return row !== undefined;
    },
    async metadataOf(accountSid, from, to) {
      const [row] = await db.query<{ conversation_metadata: string | null }>(
        `select conversation_metadata from outbound_messages
          where account_sid = $1 and to_number = $2 and from_number = $3 and not is_reply order by sid desc limit 1`,
        [accountSid, to, from],
      );
      return row?.conversation_metadata ?? null;
    },
    async insert(message, link) {
      await db.query(
        `insert into inbound_messages (account_sid, sid, from_number, to_number, additional_recipients, text, media, segment_count,
           conversation_metadata, link, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
        [
          message.accountSid,
          message.sid,
          message.from,
          message.to,
          message.additionalRecipients,
          storable(message.text),
          JSON.stringify(message.media),
          message.segmentCount,
          message.conversationMetadata,
          link,
          message.createdOn,
        ],
      );
    },
    insertMedia: (records) => insertMedia(db, records),
    reply: (message: NewMessage) => acceptInside(db, [message]),
    keepPart: (part) => keepPart(db, part),
    takeParts: (of) => takeParts(db, of),
    incompleteBefore: (before) => incompleteBefore(db, before),
    async forgetKeys(carrier, repeatKeys) {
      await db.query("delete from received_keys where carrier = $1 and key = any($2)", [carrier, repeatKeys]);
    },
  };
}

function toOwner(row: OwnerRow): NumberOwner {
  return {
    accountSid: row.account_sid,
    isActive: row.is_active,
    messagingConfigSid: row.messaging_config_sid,
    tcrCampaignId: row.tcr_campaign_id,
    handlesKeywords: row.handles_keywords,
    replies: { optOut: row.opt_out_reply, optIn: row.opt_in_reply, help: row.help_reply },
  };
}

/** PostgreSQL stores no NUL, and a carrier may send one. */
function storable(text: string): string {
  return text.toWellFormed().replaceAll("\u0000", "\ufffd");
}

async function keepPart(db: Queryable, part: StoredPart): Promise<readonly StoredPart[] | undefined> {
  // Two last parts at once must not miss each other.
  await lock(db, `${part.carrier} ${part.from} ${part.to} ${part.reference}`);
  await db.query(
    `insert into inbound_parts (carrier, from_number, to_number, reference, total, index, octets, data_coding, link, received_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) on conflict do nothing`,
    [
      part.carrier,
      part.from,
      part.to,
      part.reference,
      part.total,
      part.index,
      part.octets,
      part.dataCoding,
      part.link,
      part.receivedOn,
    ],
  );
  const [row] = await db.query<{ count: string }>(
    "select count(*) from inbound_parts where carrier = $1 and from_number = $2 and to_number = $3 and reference = $4 and total = $5",
    [part.carrier, part.from, part.to, part.reference, part.total],
  );
  return Number(row?.count) < part.total ? undefined : takeParts(db, part);
}

async function takeParts(db: Queryable, of: PartsOf): Promise<readonly StoredPart[]> {
  const rows = await db.query<{ index: number; octets: Buffer; data_coding: number; link: string; received_at: Date }>(
    `with taken as (
       delete from inbound_parts where carrier = $1 and from_number = $2 and to_number = $3 and reference = $4 and total = $5
       returning index, octets, data_coding, link, received_at
     ) select * from taken order by index`,
    [of.carrier, of.from, of.to, of.reference, of.total],
  );
  return rows.map((row) => ({
    ...of,
    link: row.link,
    index: row.index,
    octets: row.octets,
    dataCoding: row.data_coding,
    receivedOn: row.received_at,
  }));
}

async function incompleteBefore(db: Queryable, before: Date): Promise<readonly PartsOf[]> {
  const rows = await db.query<{
    carrier: string;
    from_number: string;
    to_number: string;
    reference: number;
    total: number;
  }>(
    `select carrier, from_number, to_number, reference, total from inbound_parts
      group by 1, 2, 3, 4, 5 having max(received_at) < $1 limit 100`,
    [before],
  );
  return rows.map((row) => ({
    carrier: row.carrier,
    from: row.from_number,
    to: row.to_number,
    reference: row.reference,
    total: row.total,
  }));
}

const KEYS_KEPT_MS = 600_000;
/** MMS centres try again for days. */
const MMS_KEYS_KEPT_MS = 5 * 24 * 3_600_000;

export function sweepReceivedKeys(db: Queryable, now: Date): Promise<number> {
  return sweep(db, "received_keys", "received_at < $1 and (key not like 'mm4 %' or received_at < $2)", [
    keptSince(now, KEYS_KEPT_MS),
    keptSince(now, MMS_KEYS_KEPT_MS),
  ]);
}
