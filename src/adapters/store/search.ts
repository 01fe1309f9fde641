// Searches over all accounts, and by the names of one account's things. Those over all are each one statement, which
// reads no more of an index than it returns (search.test.ts shows the plans). Received messages are looked up in the
// index of each account: a further index would have to be kept up with every message.

import { tableOf } from "../../base/table.ts";
import type {
  FoundAccount,
  FoundCall,
  FoundMessage,
  FoundNames,
  FoundRecord,
  OwnedPhone,
  SearchStore,
} from "../../domain/search.ts";
import { table } from "./engine/columns.ts";
import type { Queryable } from "./engine/database.ts";
import { named } from "./engine/named-statements.ts";
import { placedOf } from "./webhooks/batch-sids.ts";

/** Of each kind, and of each account where they are looked up by account. */
const FOUND_MAX = 20;

const PHONES = table<OwnedPhone>("phones", {
  number: "number",
  accountSid: "account_sid",
  name: "name",
  status: "status",
  statusReason: "status_reason",
  features: "features text[]",
  createdOn: "created_at timestamptz",
  updatedOn: "updated_at timestamptz",
});

const FOUND = `sid, account_sid as "accountSid", created_at as "createdOn"`;
const newest = (pages: readonly string[]) =>
  `select * from (${pages.join(" union all ")}) as found order by "createdOn" desc limit ${FOUND_MAX}`;

const TEXT = `${FOUND}, from_number as "from", to_number as "to"`;
// Planned once: a number may have messages of any week.
const MESSAGES_WITH = named(
  "search-messages",
  newest([
    `select sent.* from unnest($1::text[]) as number cross join lateral (
       select ${TEXT}, 'Outbound' as direction, status from outbound_messages
        where to_number = number order by sid desc limit ${FOUND_MAX}) as sent`,
    `select received.* from accounts cross join unnest($1::text[]) as number cross join lateral (
       select ${TEXT}, 'Inbound' as direction, null as status from inbound_messages
        where account_sid = accounts.sid and from_number = number order by sid desc limit ${FOUND_MAX}) as received`,
  ]),
);

const callsBy = (condition: string) => `select calls.* from unnest($1::text[]) as number cross join lateral (
  select ${FOUND}, direction, from_party as "from", to_party as "to", status, end_reason as "endReason" from calls
   where ${condition} order by sid desc limit ${FOUND_MAX}) as calls`;
const CALLS_WITH = newest([callsBy("from_party = number"), callsBy("to_party = number and from_party <> number")]);

const WORDS_OF_NAME = "to_tsvector('simple'::regconfig, translate(name, '-./@_', '     '))";
const ACCOUNTS_LIKE = `
select sid, name, status from accounts where sid = $1
union all
(select sid, name, status from accounts where ${WORDS_OF_NAME} @@ to_tsquery('simple', $2) order by name limit ${FOUND_MAX})`;

/** Prefix of a sid → how its record is found. */
const RECORDS = tableOf<string>({
  IM: `select 'InboundMessage' as kind, message.* from accounts cross join lateral (
         select ${FOUND} from inbound_messages where account_sid = accounts.sid and sid = $1) as message`,
  RE: `select 'Recording' as kind, recording.sid, call.account_sid as "accountSid", call.created_at as "createdOn"
         from call_recordings as recording join calls as call on call.sid = recording.call_sid where recording.sid = $1`,
  LG: `select 'Call' as kind, call.sid, call.account_sid as "accountSid", call.created_at as "createdOn"
         from call_legs as leg join calls as call on call.sid = leg.call_sid where leg.sid = $1`,
});
const DELIVERY = `
select 'Delivery' as kind, $2 as sid, account_sid as "accountSid", created_at as "createdOn"
  from deliveries where sid = $1 and $3::smallint = any (places)`;
const CAMPAIGN = `
select 'Campaign' as kind, tcr_campaign_id as sid, account_sid as "accountSid", imported_at as "createdOn"
  from tcr_campaigns where tcr_campaign_id = $1`;

/** How many of the newest are looked through. */
const NAMES_MAX = 10_000;
const namedLike = (shown: string, from: string, key: string) => `
select ${shown} from (select * from ${from} order by ${key} desc limit ${NAMES_MAX}) as own
 where strpos(lower(name), lower($2)) > 0 order by ${key} desc limit ${FOUND_MAX}`;
const PHONES_NAMED = namedLike(
  `number, name, status, created_at as "createdOn"`,
  "phones where account_sid = $1 and status <> 'Removed'",
  "id",
);
const CONFIGS_NAMED = namedLike("sid, name", "messaging_configs where account_sid = $1", "sid");

export function searchStore(db: Queryable): SearchStore {
  return {
    phones: (numbers) =>
      db.query<OwnedPhone>(`${PHONES.select} where number = any($1) order by id desc limit ${FOUND_MAX}`, [numbers]),
    messages: (numbers) => db.query<FoundMessage>(MESSAGES_WITH, [numbers]),
    calls: (numbers) => db.query<FoundCall>(CALLS_WITH, [numbers]),
    accounts: (text) => db.query<FoundAccount>(ACCOUNTS_LIKE, [text.trim(), wordsOf(text)]),
    async records(sid) {
      if (sid.startsWith("WH")) {
        const placed = placedOf(sid);
        return placed ? db.query<FoundRecord>(DELIVERY, [placed.batchSid, sid, placed.place]) : [];
      }
      return db.query<FoundRecord>(RECORDS.get(sid.slice(0, 2)) ?? CAMPAIGN, [sid]);
    },
    async named(accountSid, text) {
      const given = [accountSid, text.trim()];
      return {
        phones: await db.query<FoundNames["phones"][number]>(PHONES_NAMED, given),
        configs: await db.query<FoundNames["configs"][number]>(CONFIGS_NAMED, given),
      };
    },
    async names(accountSids) {
      const rows = await db.query<{ sid: string; name: string }>("select sid, name from accounts where sid = any($1)", [
        [...new Set(accountSids)],
      ]);
      return new Map(rows.map(({ sid, name }) => [sid, name]));
    },
  };
}

/** A tsquery: every word of the text begins one of the name. An empty one finds nothing. */
function wordsOf(text: string): string {
  const words = text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words.map((word) => `'${word}':*`).join(" & ");
}
