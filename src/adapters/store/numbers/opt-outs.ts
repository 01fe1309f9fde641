// Opt-outs, and the filter that rules out, without a query, that a number has opted out. One transaction at a time
// changes the opt-outs of an account for a number.

import type { ChangedScope, OptOut, OptOutOrder, OptOutStore } from "../../../domain/numbers/index.ts";
import { OPT_OUTS_KNOWN } from "../engine/channels.ts";
import { table } from "../engine/columns.ts";
import type { Queryable } from "../engine/database.ts";
import { KeyFilter } from "../engine/key-filter.ts";
import { lock } from "../engine/locks.ts";
import { fetchPage } from "../engine/pages.ts";
import { first } from "../engine/statements.ts";

const OPT_OUTS = table<OptOut>("opt_outs", {
  number: "number",
  scopeType: "scope_type",
  scope: "scope",
  keyword: "keyword",
  createdOn: "created_at timestamptz",
});
const STORED = table<OptOut & { readonly accountSid: string }>("opt_outs", {
  ...OPT_OUTS.fields,
  accountSid: "account_sid",
});

const ADD = `${STORED.insert} on conflict do nothing returning opt_outs.*`;

const REMOVE = `
delete from opt_outs using ${STORED.given}
 where opt_outs.account_sid = given.account_sid and opt_outs.number = given.number
   and opt_outs.scope_type = given.scope_type and opt_outs.scope = given.scope
returning opt_outs.*`;

// In the order of the scopes, with the config to which each belongs now.
const changing = (statement: string) => `
with changed as (${statement})
select changed.scope_type as "scopeType", changed.scope,
       coalesce(phones.messaging_config_sid, config.sid) as "messagingConfigSid"
  from changed
  left join phones on changed.scope_type = 'SenderPhoneNumber' and phones.number = changed.scope
                  and phones.account_sid = changed.account_sid and phones.status <> 'Removed'
  left join messaging_configs as config on changed.scope_type = 'TcrCampaign' and config.tcr_campaign_id = changed.scope
                  and config.account_sid = changed.account_sid
 order by changed.scope_type, changed.scope`;

/** The key of an account's opt-outs for a number in the filter. */
export const optOutKey = (accountSid: string, number: string) => `${accountSid} ${number}`;

export const optOutFilter = (db: Queryable, isCurrent: () => boolean): KeyFilter =>
  new KeyFilter(db, isCurrent, {
    channel: OPT_OUTS_KNOWN,
    pages: [
      `select account_sid || ' ' || number as key from opt_outs
        where (account_sid, number) > (split_part($1, ' ', 1), split_part($1, ' ', 2))
        order by account_sid, number limit $2`,
    ],
  });

/** `known` is the filter, to which everything that opts out is added. */
export function optOutStore(db: Queryable, known: Pick<KeyFilter, "announce">): OptOutStore {
  const change = async (statement: string, { scopes, accountSid, number, keyword }: OptOutOrder, createdOn?: Date) => {
    // Locks the number, so that the events of two changes are numbered in order.
    await lock(db, `${accountSid} opt-outs ${number}`);
    const rows = scopes.map(({ scopeType, scope }) => ({ accountSid, number, scopeType, scope, keyword, createdOn }));
    return db.query<ChangedScope>(changing(statement), [STORED.rows(rows)]);
  };
  return {
    async add(order, now) {
      await known.announce(db, [optOutKey(order.accountSid, order.number)]);
      return change(ADD, order, now);
    },
    remove: (order) => change(REMOVE, order),
    find: (accountSid, number, { scopeType, scope }) =>
      first<OptOut>(
        db,
        `${OPT_OUTS.select} where account_sid = $1 and number = $2 and scope_type = $3 and scope = $4`,
        [accountSid, number, scopeType, scope],
      ),
    list: (accountSid, page, { number, scopeType, scope }) =>
      fetchPage(db, page, {
        of: OPT_OUTS,
        sources: [{ where: { account_sid: accountSid }, ...(number && { few: { account_sid: accountSid, number } }) }],
        filter: { scope_type: scopeType, scope },
        key: ["id bigint"],
      }),
  };
}

/** SQL: a row of `opt_outs` forbids messages from this number of this account under this campaign. */
export const isOptOutFrom = (accountSid: string, from: string, campaignId: string) =>
  `opt_outs.account_sid = ${accountSid} and ((opt_outs.scope_type = 'SenderPhoneNumber' and opt_outs.scope = ${from})
     or (opt_outs.scope_type = 'TcrCampaign' and opt_outs.scope = ${campaignId}))`;
