// Opt-outs. One transaction at a time changes the opt-outs of an account for a number.

import type { ChangedScope, OptOut, OptOutOrder, OptOutStore } from "../../../domain/numbers/index.ts";
import { table } from "../engine/columns.ts";
import type { Queryable } from "../engine/database.ts";
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

export function optOutStore(db: Queryable): OptOutStore {
  const change = async (statement: string, { scopes, accountSid, number, keyword }: OptOutOrder, createdOn?: Date) => {
    // Locks the number, so that the events of two changes are numbered in order.
    await lock(db, `${accountSid} opt-outs ${number}`);
    const rows = scopes.map(({ scopeType, scope }) => ({ accountSid, number, scopeType, scope, keyword, createdOn }));
    return db.query<ChangedScope>(changing(statement), [STORED.rows(rows)]);
  };
  return {
    add: (order, now) => change(ADD, order, now),
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
        where: { account_sid: accountSid, number, scope_type: scopeType, scope },
        key: ["id bigint"],
      }),
  };
}

/** SQL: a row of `opt_outs` forbids messages from this number of this account under this campaign. */
export const isOptOutFrom = (accountSid: string, from: string, campaignId: string) =>
  `opt_outs.account_sid = ${accountSid} and ((opt_outs.scope_type = 'SenderPhoneNumber' and opt_outs.scope = ${from})
     or (opt_outs.scope_type = 'TcrCampaign' and opt_outs.scope = ${campaignId}))`;
