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

/** Within an account, which is the last value, or in any. */
function findIn(scope: "account" | "all"): string {
  const owner = `$${Object.keys(TABLES).length + 3}`;
  const isOwned = (column: string) => (scope === "account" ? `and ${column} = ${owner}` : "");
  // In the order of the index: of an id that was given to a million, as many are read as are answered.
  const given = (kind: MadeKind, name: string) =>
    `(select '${kind}' as kind, sid, account_sid, created_at from ${name}
       where request_id = $1 ${isOwned("account_sid")} order by account_sid, sid limit ${FOUND_MAX})`;
  // Messages are indexed below their accounts: a look into the index for each.
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

const FIND_OF_ACCOUNT = findIn("account");
const FIND_OF_ALL = findIn("all");

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
