// Finds what a request created. Where the request id is ours, the sids of what it created contain its digits; messages
// and calls also store an id that the caller gave. A lookup by a sid finds its account.

import { isSid, isUuid, type SidPrefix, sidOfUuid } from "../../base/ids.ts";
import type { Made, MadeByRequests, MadeKind } from "../../domain/made-by-requests.ts";
import type { Queryable } from "./engine/database.ts";
import { named } from "./engine/named-statements.ts";

/** Callers may give many requests the same id: at most this many results are returned. */
const FOUND_MAX = 50;

const TABLES: Readonly<Record<Exclude<MadeKind, "Message">, readonly [string, SidPrefix]>> = {
  Call: ["calls", "CA"],
  PortOrder: ["port_orders", "PO"],
  MessagingConfig: ["messaging_configs", "MC"],
  Subscription: ["webhook_subscriptions", "WS"],
};

/** Within one account, which is the last parameter, or in all. */
function findIn(scope: "account" | "all"): string {
  const owner = `$${Object.keys(TABLES).length + 3}`;
  const isOwned = (column: string) => (scope === "account" ? `and ${column} = ${owner}` : "");
  // In the order of the index: for an id that was given to a million requests, no more rows are read than returned.
  const given = (kind: MadeKind, name: string) =>
    `(select '${kind}' as kind, sid, account_sid, created_at from ${name}
       where request_id = $1 ${isOwned("account_sid")} order by account_sid, sid limit ${FOUND_MAX})`;
  // The index of messages begins with the account: one index lookup for each account.
  const messageBySid = `
    select 'Message', message.sid, message.account_sid, message.created_at
      from accounts cross join lateral (
        select sid, account_sid, created_at from outbound_messages as message
         where message.account_sid = accounts.sid and message.sid = $2 limit 1) as message
     where true ${isOwned("accounts.sid")}`;
  const bySid = Object.entries(TABLES).map(
    ([kind, [name]], at) =>
      `select '${kind}', sid, account_sid, created_at from ${name} where sid = $${at + 3} ${isOwned("account_sid")}`,
  );
  const all = [given("Message", "outbound_messages"), given("Call", "calls"), messageBySid, ...bySid];
  return `
select kind, sid, account_sid as "accountSid", created_at as "createdOn"
  from (${all.join(" union all ")}) as made order by created_at limit ${FOUND_MAX}`;
}

// Planned once: an id that a caller gave may be of any week.
const FIND_OF_ACCOUNT = named("made-by-request-of", findIn("account"));
const FIND_OF_ALL = named("made-by-request", findIn("all"));

function sidOf(prefix: SidPrefix, id: string): string | null {
  if (isUuid(id)) return sidOfUuid(prefix, id);
  return isSid(prefix, id) ? id : null;
}

export function madeByRequests(db: Queryable): MadeByRequests {
  return {
    find(requestId, accountSid) {
      const prefixes: readonly SidPrefix[] = ["OM", ...Object.values(TABLES).map(([, prefix]) => prefix)];
      const sids = prefixes.map((prefix) => sidOf(prefix, requestId));
      return accountSid === undefined
        ? db.query<Made>(FIND_OF_ALL, [requestId, ...sids])
        : db.query<Made>(FIND_OF_ACCOUNT, [requestId, ...sids, accountSid]);
    },
  };
}
