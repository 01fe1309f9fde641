import type { ChangedScope, OptOut, OptOutOrder, OptOutStore } from "../../../domain/numbers/index.ts";
import type { Queryable } from "../engine/database.ts";
import { fetchPage } from "../engine/pages.ts";

interface Row {
  readonly id: string;
  readonly number: string;
  readonly scope_type: OptOut["scopeType"];
  readonly scope: string;
  readonly keyword: string | null;
  readonly created_at: Date;
}

interface ChangedRow {
  readonly scope_type: OptOut["scopeType"];
  readonly scope: string;
  readonly messaging_config_sid: string | null;
}

const SELECT = "select id, number, scope_type, scope, keyword, created_at from opt_outs";

const toOptOut = (row: Row): OptOut => ({
  number: row.number,
  scopeType: row.scope_type,
  scope: row.scope,
  keyword: row.keyword,
  createdOn: row.created_at,
});

// In the order of the scopes given, with the config each belongs to now.
const CHANGED = `
select changed.scope_type, changed.scope, coalesce(phones.messaging_config_sid, config.sid) as messaging_config_sid
  from changed
  left join phones on changed.scope_type = 'SenderPhoneNumber' and phones.number = changed.scope
                  and phones.account_sid = $1 and phones.status <> 'Removed'
  left join messaging_configs as config on changed.scope_type = 'TcrCampaign' and config.tcr_campaign_id = changed.scope
                  and config.account_sid = $1
 order by changed.scope_type, changed.scope`;

export function optOutStore(db: Queryable): OptOutStore {
  const change = async (order: OptOutOrder, statement: string, more: readonly unknown[]) => {
    // Two who tell of one number take turns, so that what they tell is numbered in order.
    await db.query("select pg_advisory_xact_lock(hashtext($1))", [`${order.accountSid} opt-outs ${order.number}`]);
    const rows = await db.query<ChangedRow>(`with changed as (${statement}) ${CHANGED}`, [
      order.accountSid,
      order.number,
      order.scopes.map(({ scopeType }) => scopeType),
      order.scopes.map(({ scope }) => scope),
      ...more,
    ]);
    return rows.map(
      (row): ChangedScope => ({
        scopeType: row.scope_type,
        scope: row.scope,
        messagingConfigSid: row.messaging_config_sid,
      }),
    );
  };
  return {
    add: (order, now) =>
      change(
        order,
        `insert into opt_outs (account_sid, number, scope_type, scope, keyword, created_at)
         select $1, $2, scope_type, scope, $5, $6 from unnest($3::text[], $4::text[]) as given (scope_type, scope)
         on conflict do nothing returning scope_type, scope`,
        [order.keyword, now],
      ),
    remove: (order) =>
      change(
        order,
        `delete from opt_outs using unnest($3::text[], $4::text[]) as given (scope_type, scope)
          where opt_outs.account_sid = $1 and opt_outs.number = $2
            and opt_outs.scope_type = given.scope_type and opt_outs.scope = given.scope
          returning opt_outs.scope_type, opt_outs.scope`,
        [],
      ),
    async find(accountSid, number, { scopeType, scope }) {
      const [row] = await db.query<Row>(
        `${SELECT} where account_sid = $1 and number = $2 and scope_type = $3 and scope = $4`,
        [accountSid, number, scopeType, scope],
      );
      return row && toOptOut(row);
    },
    list: (accountSid, page, filter) =>
      fetchPage(db, page, {
        select: SELECT,
        where: {
          account_sid: accountSid,
          number: filter.number,
          scope_type: filter.scopeType,
          scope: filter.scope,
        },
        key: "id",
        keyType: "bigint",
        show: toOptOut,
      }),
  };
}
