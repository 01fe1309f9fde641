// What carriers delivered: messages, parts of long messages that are incomplete, and keys to recognise repeats.

import type {
  Inbox,
  NewMessage,
  NumberOwner,
  PartsOf,
  ReceiveUnit,
  StoredPart,
} from "../../../domain/messaging/index.ts";
import { table } from "../engine/columns.ts";
import type { Queryable } from "../engine/database.ts";
import type { KeyFilter } from "../engine/key-filter.ts";
import { lock } from "../engine/locks.ts";
import { MESSAGES } from "../engine/message-weeks.ts";
import { countOf, first, hasRow, run } from "../engine/statements.ts";
import { cutoff, sweep } from "../engine/sweeps.ts";
import { isOptOutFrom, optOutStore } from "../numbers/opt-outs.ts";
import { outboxOf } from "../webhooks/outbox.ts";
import { insertMedia } from "./attachments.ts";
import { acceptInside } from "./message-intake.ts";
import { INBOUND } from "./message-table.ts";
import { MessageWeeks, namedByWeek } from "./message-weeks.ts";

const OWNER = `
select phone.account_sid as "accountSid", phone.messaging_config_sid as "messagingConfigSid",
       phone.status = 'Active' and 'SMS' = any (phone.features) as "isActive", config.tcr_campaign_id as "tcrCampaignId", account.handles_keywords as "handlesKeywords",
       json_build_object('optOut', config.opt_out_reply, 'optIn', config.opt_in_reply, 'help', config.help_reply) as replies,
       json_build_object('optOut', coalesce(config.opt_out_keywords, '{}'), 'optIn', coalesce(config.opt_in_keywords, '{}'),
                         'help', coalesce(config.help_keywords, '{}')) as keywords
  from phones as phone
  join accounts as account on account.sid = phone.account_sid
  left join messaging_configs as config on config.sid = phone.messaging_config_sid
 where phone.number = $1 and phone.status <> 'Removed'`;

// Waits for a concurrent transaction that is storing the same message.
const REMEMBER = `
insert into received_keys (carrier, key, session, received_at) values ($1, $2, $3, $4) on conflict do nothing returning 1`;

// A separate statement, which sees what was committed while the previous one waited.
const REMEMBER_AGAIN = `
with known as (
  select session from received_keys where carrier = $1 and key = $2 for update
)
update received_keys set session = $3, received_at = $4 from known where carrier = $1 and key = $2 returning known.session as previous`;

// Stored among the keys, with our number in place of a carrier.
const REMEMBER_REPLY = `
insert into received_keys (carrier, key, session, received_at) values ($1, $2, '', $4)
on conflict (carrier, key) do update set received_at = excluded.received_at where received_keys.received_at <= $3
returning 1`;

// Most answer a message of this week. Of strangers no week is known: planned once, it looks into the index of each.
const METADATA = namedByWeek(
  "conversation-metadata",
  (messages) => `
select conversation_metadata from ${messages}
 where account_sid = $1 and to_number = $2 and from_number = $3 and not is_reply order by sid desc limit 1`,
);

const MESSAGE_OF_PART = {
  carrier: "carrier",
  from: "from_number",
  to: "to_number",
  reference: "reference integer",
  total: "total smallint",
};
const PARTED = table<PartsOf>("inbound_parts", MESSAGE_OF_PART);
const PARTS = table<StoredPart>("inbound_parts", {
  ...MESSAGE_OF_PART,
  index: "index smallint",
  octets: "octets bytea",
  dataCoding: "data_coding smallint",
  link: "link",
  receivedOn: "received_at timestamptz",
});
const OF_MESSAGE = "carrier = $1 and from_number = $2 and to_number = $3 and reference = $4 and total = $5";

/** The repositories of a transaction that receives a message. */
export function receiveUnitOver(
  db: Queryable,
  optOuts: Pick<KeyFilter, "announce">,
  weeks?: MessageWeeks,
): ReceiveUnit {
  return {
    inbox: inboxOver(db, weeks),
    optOuts: optOutStore(db, optOuts),
    outbox: outboxOf(db),
  };
}

export function inboxOver(db: Queryable, weeks = new MessageWeeks()): Inbox {
  return {
    ownerOf: (number) => first<NumberOwner>(db, OWNER, [number]),
    async isRepeat({ carrier, repeatKey, session, receivedOn }) {
      const arrival = [carrier, repeatKey, session, receivedOn];
      const [isNew] = await db.query(REMEMBER, arrival);
      if (isNew) return false;
      const [known] = await db.query<{ previous: string }>(REMEMBER_AGAIN, arrival);
      // Over the same connection it is not a repeat but another message with the same text.
      return known !== undefined && known.previous !== session;
    },
    isOptedOut: (accountSid, number, from, tcrCampaignId) =>
      hasRow(db, `select 1 from opt_outs where number = $2 and ${isOptOutFrom("$1", "$3", "$4")} limit 1`, [
        accountSid,
        number,
        from,
        tcrCampaignId,
      ]),
    async metadataOf(accountSid, { from, to, receivedOn }) {
      for (const table of new Set([weeks.tableOf(weeks.spanAt(receivedOn)), MESSAGES])) {
        const rows = await db.query<{ conversation_metadata: string | null }>(METADATA(table), [accountSid, from, to]);
        if (rows[0]) return rows[0].conversation_metadata;
      }
      return null;
    },
    insert: (message, link) => run(db, INBOUND.insert, [INBOUND.rows([{ ...message, link }])]),
    insertMedia: (records) => insertMedia(db, records),
    mayReply: ({ number, subscriber, kind }, since, now) =>
      hasRow(db, REMEMBER_REPLY, [number, `reply ${kind} ${subscriber}`, since, now]),
    reply: (message: NewMessage) => acceptInside(db, [message]),
    addPart: (part) => addPart(db, part),
    takeParts: (of) => takeParts(db, of),
    incompleteBefore: (before) =>
      db.query(`${PARTED.select} group by ${PARTED.names.join(", ")} having max(received_at) < $1 limit 100`, [before]),
    forgetKeys: (carrier, repeatKeys) =>
      run(db, "delete from received_keys where carrier = $1 and key = any($2)", [carrier, repeatKeys]),
  };
}

async function addPart(db: Queryable, part: StoredPart): Promise<readonly StoredPart[] | undefined> {
  // Locks, so that two last parts that arrive at the same time see each other.
  await lock(db, `${part.carrier} ${part.from} ${part.to} ${part.reference}`);
  await db.query(`${PARTS.insert} on conflict do nothing`, [PARTS.rows([part])]);
  const count = await countOf(db, `select count(*)::int from inbound_parts where ${OF_MESSAGE}`, placeOf(part));
  return count < part.total ? undefined : takeParts(db, part);
}

function takeParts(db: Queryable, of: PartsOf): Promise<readonly StoredPart[]> {
  return db.query(
    `with taken as (delete from inbound_parts where ${OF_MESSAGE} returning ${PARTS.columns}) select * from taken order by index`,
    placeOf(of),
  );
}

const placeOf = ({ carrier, from, to, reference, total }: PartsOf) => [carrier, from, to, reference, total];

const KEYS_KEPT_MS = 600_000;
/** MMS centres retry for days. */
const MMS_KEYS_KEPT_MS = 5 * 24 * 3_600_000;

export function sweepReceivedKeys(db: Queryable, now: Date): Promise<number> {
  return sweep(db, "received_keys", "received_at < $1 and (key not like 'mm4 %' or received_at < $2)", [
    cutoff(now, KEYS_KEPT_MS),
    cutoff(now, MMS_KEYS_KEPT_MS),
  ]);
}
