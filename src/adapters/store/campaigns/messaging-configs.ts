import type {
  MessagingConfig,
  MessagingConfigStore,
  NamedConfig,
  SendingTimes,
} from "../../../domain/campaigns/index.ts";
import type { Queryable } from "../engine/database.ts";
import { jsonText } from "../engine/json-text.ts";
import { fetchPage } from "../engine/pages.ts";

interface Row {
  readonly sid: string;
  readonly account_sid: string;
  readonly name: string;
  readonly tcr_campaign_id: string | null;
  readonly sending_times: SendingTimes | null;
  readonly default_expiry_seconds: number;
  readonly opt_out_reply: string | null;
  readonly opt_in_reply: string | null;
  readonly help_reply: string | null;
  readonly created_at: Date;
}

const SELECT = `select sid, account_sid, name, tcr_campaign_id, sending_times, default_expiry_seconds, opt_out_reply, opt_in_reply,
  help_reply, created_at from messaging_configs`;

const toConfig = (row: Row): MessagingConfig => ({
  sid: row.sid,
  accountSid: row.account_sid,
  name: row.name,
  tcrCampaignId: row.tcr_campaign_id,
  sendingTimes: row.sending_times,
  defaultExpirySeconds: row.default_expiry_seconds,
  optOutReply: row.opt_out_reply,
  optInReply: row.opt_in_reply,
  helpReply: row.help_reply,
  createdOn: row.created_at,
});

/** As `messaging_configs_words` has them: of letters and digits of ASCII, so that each may be the end of a longer word of others. */
export const changesOf = (name: string) => `regexp_split_to_array(upper(${name} collate "C"), '[^A-Z0-9]+')`;

const timesText = (times: SendingTimes | null | undefined) => times && jsonText(times);

export function messagingConfigStore(db: Queryable): MessagingConfigStore {
  return {
    async insert(config) {
      await db.query(
        `insert into messaging_configs (sid, account_sid, name, tcr_campaign_id, sending_times, default_expiry_seconds, opt_out_reply,
           opt_in_reply, help_reply, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
        [
          config.sid,
          config.accountSid,
          config.name,
          config.tcrCampaignId,
          timesText(config.sendingTimes),
          config.defaultExpirySeconds,
          config.optOutReply,
          config.optInReply,
          config.helpReply,
          config.createdOn,
        ],
      );
    },
    async find(accountSid, sid) {
      const [row] = await db.query<Row>(`${SELECT} where account_sid = $1 and sid = $2`, [accountSid, sid]);
      return row && toConfig(row);
    },
    list: (accountSid, page) =>
      fetchPage(db, page, { select: SELECT, where: { account_sid: accountSid }, key: "sid", show: toConfig }),
    async change(accountSid, sid, change) {
      const columns: readonly [string, unknown][] = [
        ["name", change.name],
        ["tcr_campaign_id", change.tcrCampaignId],
        ["sending_times", timesText(change.sendingTimes)],
        ["default_expiry_seconds", change.defaultExpirySeconds],
        ["opt_out_reply", change.optOutReply],
        ["opt_in_reply", change.optInReply],
        ["help_reply", change.helpReply],
      ];
      const given = columns.filter(([, value]) => value !== undefined);
      if (given.length === 0) return;
      const sets = given.map(([column], index) => `${column} = $${index + 3}`);
      await db.query(`update messaging_configs set ${sets.join(", ")} where account_sid = $1 and sid = $2`, [
        accountSid,
        sid,
        ...given.map(([, value]) => value),
      ]);
    },
    async remove(accountSid, sid) {
      await db.query("delete from messaging_configs where account_sid = $1 and sid = $2", [accountSid, sid]);
    },
    unlinkedNaming: (accountSid, tcrCampaignId) =>
      db.query<NamedConfig>(
        `select sid, name from messaging_configs
          where account_sid = $1 and tcr_campaign_id is null and ${changesOf("name")} @> array[$2] order by sid`,
        [accountSid, tcrCampaignId],
      ),
  };
}
