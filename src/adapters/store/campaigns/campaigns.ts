import type { Campaign, CampaignStore } from "../../../domain/campaigns/index.ts";
import type { Queryable } from "../engine/database.ts";
import { jsonText } from "../engine/json-text.ts";
import { fetchPage } from "../engine/pages.ts";

interface Row {
  readonly tcr_campaign_id: string;
  readonly account_sid: string;
  readonly tcr_brand_id: string;
  readonly name: string;
  readonly status: Campaign["status"];
  readonly throughput: Campaign["throughput"];
  readonly messaging_config_sid: string | null;
  readonly imported_at: Date;
}

// As one table, so that a page's conditions name its columns plainly.
const SELECT = `select * from (
  select campaign.tcr_campaign_id, campaign.account_sid, campaign.tcr_brand_id, campaign.name, campaign.status, campaign.throughput,
         config.sid as messaging_config_sid, campaign.imported_at
    from tcr_campaigns as campaign left join messaging_configs as config using (tcr_campaign_id)) as campaigns`;

const toCampaign = (row: Row): Campaign => ({
  tcrCampaignId: row.tcr_campaign_id,
  accountSid: row.account_sid,
  tcrBrandId: row.tcr_brand_id,
  name: row.name,
  status: row.status,
  throughput: row.throughput,
  messagingConfigSid: row.messaging_config_sid,
  importedOn: row.imported_at,
});

export function campaignStore(db: Queryable): CampaignStore {
  return {
    async insert(campaign) {
      const rows = await db.query(
        `insert into tcr_campaigns (tcr_campaign_id, account_sid, tcr_brand_id, name, status, throughput, imported_at)
         values ($1, $2, $3, $4, $5, $6, $7) on conflict (tcr_campaign_id) do nothing returning tcr_campaign_id`,
        [
          campaign.tcrCampaignId,
          campaign.accountSid,
          campaign.tcrBrandId,
          campaign.name,
          campaign.status,
          jsonText(campaign.throughput),
          campaign.importedOn,
        ],
      );
      return rows.length > 0;
    },
    async find(accountSid, tcrCampaignId) {
      const [row] = await db.query<Row>(`${SELECT} where account_sid = $1 and tcr_campaign_id = $2`, [
        accountSid,
        tcrCampaignId,
      ]);
      return row && toCampaign(row);
    },
    list: (accountSid, page) =>
      fetchPage(db, page, {
        select: SELECT,
        where: { account_sid: accountSid },
        key: "tcr_campaign_id",
        show: toCampaign,
      }),
    async ownerOf(tcrCampaignId) {
      const [row] = await db.query<{ account_sid: string }>(
        "select account_sid from tcr_campaigns where tcr_campaign_id = $1",
        [tcrCampaignId],
      );
      return row?.account_sid;
    },
    async update(tcrCampaignId, { tcrBrandId, name, status, throughput }) {
      const rows = await db.query(
        `update tcr_campaigns as old
            set tcr_brand_id = coalesce($2, old.tcr_brand_id), name = coalesce($3, old.name), status = coalesce($4, old.status),
                throughput = coalesce($5, old.throughput)
          where tcr_campaign_id = $1
            and (old.tcr_brand_id, old.name, old.status, old.throughput) is distinct from
                (coalesce($2, old.tcr_brand_id), coalesce($3, old.name), coalesce($4, old.status), coalesce($5::jsonb, old.throughput))
          returning tcr_campaign_id`,
        [tcrCampaignId, tcrBrandId, name, status, throughput && jsonText(throughput)],
      );
      return rows.length > 0;
    },
  };
}
