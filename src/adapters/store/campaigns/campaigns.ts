// Campaigns that were imported or entered by hand, each with the config that is linked to it.

import type { Campaign, CampaignStore } from "../../../domain/campaigns/index.ts";
import { table } from "../engine/columns.ts";
import type { Queryable } from "../engine/database.ts";
import { fetchPage } from "../engine/pages.ts";
import { first, hasRow } from "../engine/statements.ts";

const CAMPAIGNS = table<Omit<Campaign, "messagingConfigSid">>("tcr_campaigns", {
  tcrCampaignId: "tcr_campaign_id",
  accountSid: "account_sid",
  tcrBrandId: "tcr_brand_id",
  name: "name",
  status: "status",
  source: "source",
  throughput: "throughput jsonb",
  importedOn: "imported_at timestamptz",
});

const SHOWN = {
  columns: `${CAMPAIGNS.columnsOf("campaign")},
    (select sid from messaging_configs as config where config.tcr_campaign_id = campaign.tcr_campaign_id) as "messagingConfigSid"`,
  from: "tcr_campaigns as campaign",
};

/** `sendersChanged` is called when a campaign, which numbers may be sending under, has changed. */
export function campaignStore(db: Queryable, sendersChanged: (accountSid: string) => Promise<void>): CampaignStore {
  return {
    insert: (campaign) =>
      hasRow(db, `${CAMPAIGNS.insert} on conflict (tcr_campaign_id) do nothing returning 1`, [
        CAMPAIGNS.rows([campaign]),
      ]),
    find: (accountSid, tcrCampaignId) =>
      first<Campaign>(
        db,
        `select ${SHOWN.columns} from ${SHOWN.from} where campaign.account_sid = $1 and campaign.tcr_campaign_id = $2`,
        [accountSid, tcrCampaignId],
      ),
    list: ({ accountSid, status, source }, page) =>
      fetchPage(db, page, {
        of: SHOWN,
        where: { "campaign.account_sid": accountSid },
        filter: { "campaign.status": status, "campaign.source": source },
        key: ["campaign.imported_at timestamptz", "campaign.tcr_campaign_id"],
      }),
    async ownerOf(tcrCampaignId) {
      const [owner] = await db.query<{ accountSid: string }>(
        `select account_sid as "accountSid" from tcr_campaigns where tcr_campaign_id = $1`,
        [tcrCampaignId],
      );
      return owner?.accountSid;
    },
    async update(tcrCampaignId, change) {
      const { sets, values } = CAMPAIGNS.set(change, 2);
      const [changed] = await db.query<{ accountSid: string }>(
        `update tcr_campaigns set ${sets.join(", ")} where tcr_campaign_id = $1 and not (${sets.join(" and ")})
          returning account_sid as "accountSid"`,
        [tcrCampaignId, ...values],
      );
      if (changed) await sendersChanged(changed.accountSid);
      return changed !== undefined;
    },
  };
}
