// Messaging configs, and the campaign ids that their names mention.

import type { MessagingConfig, MessagingConfigStore, NamedConfig } from "../../../domain/campaigns/index.ts";
import { table } from "../engine/columns.ts";
import type { Queryable } from "../engine/database.ts";
import { fetchPage } from "../engine/pages.ts";
import { first, run } from "../engine/statements.ts";

const CONFIGS = table<MessagingConfig>("messaging_configs", {
  sid: "sid",
  accountSid: "account_sid",
  name: "name",
  tcrCampaignId: "tcr_campaign_id",
  sendingTimes: "sending_times jsonb",
  defaultExpirySeconds: "default_expiry_seconds integer",
  optOutReply: "opt_out_reply",
  optInReply: "opt_in_reply",
  helpReply: "help_reply",
  optOutKeywords: "opt_out_keywords text[]",
  optInKeywords: "opt_in_keywords text[]",
  helpKeywords: "help_keywords text[]",
  createdOn: "created_at timestamptz",
});

/** `sendersChanged` is called when a config, which numbers may be sending by, has changed. */
export function messagingConfigStore(
  db: Queryable,
  sendersChanged: (accountSid: string) => Promise<void>,
): MessagingConfigStore {
  return {
    insert: (config) => run(db, CONFIGS.insert, [CONFIGS.rows([config])]),
    find: (accountSid, sid) =>
      first<MessagingConfig>(db, `${CONFIGS.select} where account_sid = $1 and sid = $2`, [accountSid, sid]),
    list: (accountSid, page) => fetchPage(db, page, { of: CONFIGS, where: { account_sid: accountSid }, key: ["sid"] }),
    async change(accountSid, sid, change) {
      const { sets, values } = CONFIGS.set(change, 3);
      if (sets.length === 0) return;
      await db.query(`update messaging_configs set ${sets.join(", ")} where account_sid = $1 and sid = $2`, [
        accountSid,
        sid,
        ...values,
      ]);
      await sendersChanged(accountSid);
    },
    remove: (accountSid, sid) =>
      run(db, "delete from messaging_configs where account_sid = $1 and sid = $2", [accountSid, sid]),
    unlinkedNaming: (accountSid, tcrCampaignId) =>
      db.query<NamedConfig>(
        `select sid, name from messaging_configs
          where account_sid = $1 and tcr_campaign_id is null and campaign_ids_in(name) @> array[$2] order by sid`,
        [accountSid, tcrCampaignId],
      ),
  };
}
