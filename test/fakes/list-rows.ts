// Fills every table that has a list with rows of many accounts: half of them of one large account, the others chosen so
// that an index without the account finds what is theirs first.

import type { Database } from "../../src/adapters/store/engine/database.ts";

export const LARGE = `AC${"1".padStart(32, "0")}`;
/** Others have texts and calls with this number, requests of this id, and so on. */
export const OTHERS = { number: "+14155550001", member: "+14155550002", id: "of-others" };
/** Of the large account, some of each kind. */
export const OWN = {
  config: `MC${LARGE.slice(2)}`,
  subscription: `WS${LARGE.slice(2)}`,
  number: "+12125550001",
  name: "rare",
};
const ACCOUNTS = 60;

/** A row of `made` for each: the account, a number from 1, a time, a minute apart, and the digits of a sid. */
const MADE = `(
  select n, n % 2 = 0 as is_own, n % 200 = 0 as is_rare, at, account, substr(account, 3) as digits,
         lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || lpad(n::text, 18, '0') || '00' as place
    from (select n, $1::timestamptz - n * interval '1 minute' as at,
                 case when n % 2 = 0 then '${LARGE}' else 'AC' || lpad((n / 2 % ${ACCOUNTS} + 2)::text, 32, '0') end as account
            from generate_series(1, $2::int) as n) as numbered) as made`;

const person = `case when is_rare then '${OWN.number}' when is_own then '+1646' || lpad(n::text, 7, '0') else '${OTHERS.number}' end`;

/** Of transactions that ended long ago. */
const XID = "(3 + n % 500)::text::xid8";

const FILLED: readonly string[] = [
  `insert into accounts (sid, name, status, features, limit_changes, created_at)
   select 'AC' || lpad(n::text, 32, '0'), 'Shop ' || n, 'Active', '{}', '{}', $1 from generate_series(1, least($2, ${ACCOUNTS + 1})) as n`,
  `insert into outbound_messages (account_sid, sid, from_number, to_number, recipients, text, status, error_code, segment_count, encoding, priority, created_at, expires_at)
   select account, 'OM' || place, '+12125559999', ${person}, case when not is_own then array[${person}, '${OTHERS.member}'] end, 'text',
          case when is_rare then 'Failed' when is_own then 'Canceled' else 'Sent' end, case when is_rare then 3001 else 0 end, 1, 'GSM7', 2, at, at from ${MADE}`,
  `insert into inbound_messages (account_sid, sid, from_number, to_number, additional_recipients, text, media, segment_count, link, created_at)
   select account, 'IM' || place, ${person}, case when is_rare then '${OWN.number}' else '+12125559999' end, '{}', 'text', '[]', 1, 'link', at from ${MADE}`,
  `insert into calls (sid, account_sid, direction, from_party, to_party, caller_id, status, created_at, phone)
   select 'CA' || place, account, case when is_rare then 'Inbound' else 'Outbound' end, ${person}, ${person}, ${person},
          case when n % 1000 = 0 then 'Ringing' else 'Completed' end, at, '+12125559999' from ${MADE}`,
  `insert into call_legs (sid, call_sid, leg, direction, from_party, to_party, status)
   select 'LG' || place, 'CA' || place, 'First', 'Outbound', '+12125559999', ${person}, 'Completed' from ${MADE}`,
  `insert into call_recordings (sid, call_sid, account_sid, status) select 'RE' || place, 'CA' || place, account, 'Completed' from ${MADE}`,
  `insert into recording_segments (recording_sid, account_sid, index, started_at, raw_host, state)
   select 'RE' || place, account, at_index, at + at_index * interval '1 minute', 'host', 'Done' from ${MADE} cross join generate_series(0, 1) as at_index`,
  `insert into conferences (sid, account_sid, name, status, process, created_at, participants)
   select 'CF' || place, account, case when is_rare and n % 1000 <> 0 then '${OWN.name}' else 'room ' || n end, case when n % 1000 = 0 then 'InProgress' else 'Completed' end, 1, at, '[]' from ${MADE}`,
  `insert into messaging_configs (sid, account_sid, name, default_expiry_seconds, created_at)
   select 'MC' || substr(sid, 3), sid, 'config', 3600, $1 from accounts where sid = '${LARGE}' and $2 > 0
   union all select 'MC' || place, account, 'config', 3600, at from ${MADE}`,
  `insert into phones (number, account_sid, status, messaging_config_sid, features, created_at, updated_at)
   select '+1646' || lpad(n::text, 7, '0'), account, case when is_rare then 'Active' else 'Removed' end, case when is_rare then '${OWN.config}' end, '{}', at, at from ${MADE}`,
  `insert into opt_outs (account_sid, number, scope_type, scope, created_at)
   select account, case when is_rare then '${OWN.number}' else '+1646' || lpad(n::text, 7, '0') end, case when is_rare then 'TcrCampaign' else 'SenderPhoneNumber' end,
          case when is_rare then 'CRARE' || n else '+12125559999' end, at from ${MADE}`,
  `insert into account_changes (created_at, account_sid, is_person, operation, resource, request_id)
   select at, account, false, case when is_rare then 'deletePhone' else 'createPhone' end, case when is_rare then '${OWN.number}' else 'other' end, 'r' || n from ${MADE}`,
  `insert into refused_requests (created_at, account_sid, status, code, trace_id, request_id)
   select at, account, case when is_rare then 404 else 400 end, 'invalid', case when is_own then 't' || n % 1000 else '${OTHERS.id}' end,
          case when is_own then 'r' || n % 1000 else '${OTHERS.id}' end from ${MADE}`,
  `insert into audit_log (at, operator, action, subject, request_id)
   select at, case when is_rare then 'ann' else 'bob' end, 'read', account, 'r' || n from ${MADE}`,
  `insert into feature_requests (sid, account_sid, feature, status, created_at)
   select 'FR' || place, account, 'feature ' || n, case when is_rare then 'Open' else 'Granted' end, at from ${MADE}`,
  `insert into tcr_campaigns (tcr_campaign_id, account_sid, tcr_brand_id, name, status, throughput, imported_at, source)
   select 'C' || lpad(n::text, 7, '0'), account, 'B', 'name', case when is_rare then 'Expired' else 'Active' end, '{}', at, case when is_rare then 'Manual' else 'Registry' end from ${MADE}`,
  `insert into registry_campaigns (tcr_campaign_id, cnp_id, account_sid, standing, standing_since, seen_at, ask_at)
   select 'C' || lpad(n::text, 7, '0'), 'S', case when is_rare then null else account end, 'Ours', at, at, at from ${MADE}`,
  `insert into port_orders (sid, account_sid, messaging_config_sid, status, sequence, details, created_at, updated_at)
   select 'PO' || place, account, 'MC', case when is_rare then 'Failed' else 'Completed' end, 1, '{"requestedOn": null}', at, at from ${MADE}`,
  `insert into webhook_subscriptions (sid, account_sid, url, payload_shape, enabled, secret, secret_created_at, created_at, types)
   select 'WS' || substr(sid, 3), sid, 'https://shop.example', 'A', sid <> '${LARGE}', '', $1, $1, '{}' from accounts where $2 > 0 and sid like 'AC00%'`,
  `insert into events (id, xid, account_sid, type, resource_sid, sequence, fields, created_at) overriding system value
   select n * 256, ${XID}, account, case when is_rare then 'OptOutChanged' else 'OutboundMessageStatusChanged' end, 'OM' || place, 1, '{}', at from ${MADE}`,
  // These go to no subscription.
  `insert into events (id, xid, account_sid, type, resource_sid, sequence, fields, created_at) overriding system value
   select ($2 + n) * 256, ${XID}, account, 'InboundMessageReceived', 'IM' || place, 1, '{}', at from ${MADE} where is_own`,
  `insert into deliveries (sid, account_sid, subscription_sid, event_id, created_at, places, failed, canceled)
   select 'WH' || place, account, 'WS' || digits, n * 256, at, '{0}', case when is_rare then array[0] end, case when is_own and not is_rare then array[0] end from ${MADE}`,
  `insert into delivery_queue (is_ready, due_at, event_id, created_at, delivery_sid, subscription_sid, places)
   select n % 3 = 0, at, n * 256, at, 'WH' || place, 'WS' || digits, '{0}' from ${MADE} where not is_own or n > $2 - 300`,
  `insert into inventory_numbers (number, country, features, created_at)
   select n::text, 'US', '{}', at from ${MADE} where length(n::text) > 2`,
  `insert into lookup_overrides (number, status, type, updated_at) select '+1917' || lpad(n::text, 7, '0'), 'Active', 'Mobile', at from ${MADE}`,
];

/** `count` rows of each kind, half of them of the large account. */
export async function fillLists(db: Database, now: Date, count: number): Promise<void> {
  for (const statement of FILLED) await db.query(statement, [now, count]);
  await db.query("analyze");
}
