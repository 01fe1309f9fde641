// Finds what a request made. Where the id is ours, what was made has its digits; messages and calls keep an id that the
// caller gave. Who has a sid, finds whose it is.

import { isSid, isUuid, type SidPrefix, sidOfUuid } from "../../base/ids.ts";
import type { Made, MadeByRequests, MadeKind } from "../../domain/made-by-requests.ts";
import type { Queryable } from "./engine/database.ts";

/** Of requests that a caller gave the same id. */
const FOUND_MAX = 50;

const TABLES: Readonly<Record<Exclude<MadeKind, "Message">, readonly [string, SidPrefix]>> = {
  Call: ["calls", "CA"],
  PortOrder: ["port_orders", "PO"],
  MessagingConfig: ["messaging_configs", "MC"],
  Subscription: ["webhook_subscriptions", "WS"],
};

const given = (kind: MadeKind, name: string) =>
  `select '${kind}' as kind, sid, account_sid, created_at from ${name} where request_id = $1`;

const BY_GIVEN_ID = [given("Message", "outbound_messages"), given("Call", "calls")];

// Messages are indexed below their accounts: a look into the index for each.
const MESSAGE_BY_SID = `
  select 'Message', message.sid, message.account_sid, message.created_at
    from accounts cross join lateral (
      select sid, account_sid, created_at from outbound_messages as message
       where message.account_sid = accounts.sid and message.sid = $3 limit 1) as message
   where $2::text is null or accounts.sid = $2`;

const BY_SID = [
  MESSAGE_BY_SID,
  ...Object.entries(TABLES).map(
    ([kind, [name]], at) => `select '${kind}', sid, account_sid, created_at from ${name} where sid = $${at + 4}`,
  ),
];

const FIND = `
select kind, sid, account_sid as "accountSid", created_at as "createdOn"
  from (${[...BY_GIVEN_ID, ...BY_SID].join(" union all ")}) as made
 where $2::text is null or account_sid = $2
 order by created_at limit ${FOUND_MAX}`;

function sidOf(prefix: SidPrefix, id: string): string | null {
  if (isUuid(id)) return sidOfUuid(prefix, id);
  return isSid(prefix, id) ? id : null;
}

export function madeByRequests(db: Queryable): MadeByRequests {
  return {
    find(requestId, accountSid) {
      const prefixes: readonly SidPrefix[] = ["OM", ...Object.values(TABLES).map(([, prefix]) => prefix)];
      const sids = prefixes.map((prefix) => sidOf(prefix, requestId));
      return db.query<Made>(FIND, [requestId, accountSid ?? null, ...sids]);
    },
  };
}
