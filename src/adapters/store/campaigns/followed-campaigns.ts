// Campaigns that the registry has listed. `ask_at` is when the registry is to be queried about one. A claim moves it
// ahead, so a claim whose process died becomes due by itself; an update that arrives during a claim makes the campaign
// due again, and it is queried once more.

import type {
  CampaignClaim,
  CampaignQueue,
  FollowedCampaign,
  FollowedCampaignStore,
  NamingConfig,
} from "../../../domain/campaigns/index.ts";
import { table } from "../engine/columns.ts";
import type { Queryable } from "../engine/database.ts";
import { claimDue } from "../engine/due-rows.ts";
import { jsonText } from "../engine/json-text.ts";
import { fetchPage } from "../engine/pages.ts";
import { first, run } from "../engine/statements.ts";

const CAMPAIGNS = table<FollowedCampaign>("registry_campaigns", {
  tcrCampaignId: "tcr_campaign_id",
  accountSid: "account_sid",
  standing: "standing",
  reason: "reason",
  standingSince: "standing_since timestamptz",
  facts: "facts jsonb",
  seenOn: "seen_at timestamptz",
});

const NAMING = `select config.account_sid as "accountSid", config.name, 'campaignMigration' = any(account.features) as "mayMigrate"
  from messaging_configs as config join accounts as account on account.sid = config.account_sid`;

export function followedCampaignStore(db: Queryable): FollowedCampaignStore {
  return {
    find: (tcrCampaignId) =>
      first<FollowedCampaign>(db, `${CAMPAIGNS.select} where tcr_campaign_id = $1`, [tcrCampaignId]),
    listUnassigned: (page) =>
      fetchPage(db, page, {
        of: {
          columns: `${CAMPAIGNS.columns}, (select coalesce(jsonb_agg(naming), '[]') from (
                      ${NAMING} where campaign_ids_in(config.name) @> array[campaign.tcr_campaign_id] order by config.sid
                    ) as naming) as naming`,
          from: "registry_campaigns as campaign",
        },
        where: { "account_sid is null": true },
        filter: { "standing in ('AwaitingUs', 'AwaitingUpstream', 'Ours')": true },
        key: ["seen_at timestamptz", "tcr_campaign_id"],
      }),
    async assign({ tcrCampaignId, accountSid, cnpId }, now) {
      if (cnpId !== null) await insertUnknown(db, cnpId, tcrCampaignId, now);
      const [campaign] = await db.query<FollowedCampaign>(
        `update registry_campaigns set account_sid = $2, ask_at = least(ask_at, $3) where tcr_campaign_id = $1 returning ${CAMPAIGNS.columns}`,
        [tcrCampaignId, accountSid, now],
      );
      return campaign;
    },
    async settle(claim, outcome) {
      const [campaign] = await db.query<FollowedCampaign>(
        `update registry_campaigns
            set standing = $2, reason = $3, standing_since = $4, facts = $5, account_sid = coalesce(account_sid, $6), failures = 0,
                listed = case when $2 in ('NotOurs', 'Cancelled') then null else listed end,
                ask_at = case when ask_at = $7 then $8::timestamptz else ask_at end
          where tcr_campaign_id = $1 returning ${CAMPAIGNS.columns}`,
        [
          claim.tcrCampaignId,
          outcome.standing,
          outcome.reason,
          outcome.standingSince,
          outcome.facts && jsonText(outcome.facts),
          outcome.accountSid,
          claim.claimedUntil,
          outcome.askOn ?? "infinity",
        ],
      );
      if (!campaign) throw new Error(`${claim.tcrCampaignId} is not followed any more`);
      return campaign;
    },
    async wake(tcrCampaignIds, now) {
      if (tcrCampaignIds.length === 0) return;
      await db.query(
        "update registry_campaigns set ask_at = $2 where tcr_campaign_id = any($1) and account_sid is null and ask_at > $2",
        [tcrCampaignIds, now],
      );
    },
    configsNaming: (tcrCampaignId) =>
      db.query<NamingConfig>(`${NAMING} where campaign_ids_in(config.name) @> array[$1] order by config.sid`, [
        tcrCampaignId,
      ]),
  };
}

/** `cnpId`: our id at the registry. */
export function campaignQueue(db: Queryable, cnpId: string): CampaignQueue {
  return {
    async noteListed(campaigns, now) {
      if (campaigns.length === 0) return 0;
      // A list may contain a campaign twice; the last entry counts.
      const shown = [...new Map(campaigns.map((campaign) => [campaign.tcrCampaignId, campaign])).values()];
      const rows = await db.query(
        `insert into registry_campaigns as old (tcr_campaign_id, cnp_id, standing, standing_since, facts, listed, seen_at, ask_at)
         select id, $4, 'Unknown', $5, facts, listed, $5, $5 from unnest($1::text[], $2::text[], $3::jsonb[]) as given (id, listed, facts)
         on conflict (tcr_campaign_id) do update
            set cnp_id = $4, listed = excluded.listed, facts = coalesce(old.facts, excluded.facts), ask_at = $5
          where (old.cnp_id, old.listed) is distinct from ($4, excluded.listed)
         returning tcr_campaign_id`,
        [
          shown.map(({ tcrCampaignId }) => tcrCampaignId),
          shown.map(({ shownAs }) => shownAs),
          shown.map(({ facts }) => jsonText(facts)),
          cnpId,
          now,
        ],
      );
      return rows.length;
    },
    async noteUpdate(tcrCampaignId, now) {
      await insertUnknown(db, cnpId, tcrCampaignId, now);
      await db.query("update registry_campaigns set ask_at = $2 where tcr_campaign_id = $1", [tcrCampaignId, now]);
    },
    async claimDue(now, until, countMax) {
      const claimed = await claimDue<FollowedCampaign & { readonly failures: number }>(
        db,
        {
          table: "registry_campaigns",
          key: "tcr_campaign_id",
          dueAt: "ask_at",
          returning: `${CAMPAIGNS.columns}, failures`,
          where: "cnp_id = $4",
          values: [cnpId],
        },
        { now, until, countMax },
      );
      return claimed.map((campaign): CampaignClaim => ({ ...campaign, claimedUntil: until }));
    },
    giveBack: ({ tcrCampaignId, claimedUntil }, { askOn, failures }) =>
      run(db, "update registry_campaigns set ask_at = $3, failures = $4 where tcr_campaign_id = $1 and ask_at = $2", [
        tcrCampaignId,
        claimedUntil,
        askOn,
        failures,
      ]),
  };
}

async function insertUnknown(db: Queryable, cnpId: string, tcrCampaignId: string, now: Date): Promise<void> {
  await db.query(
    `insert into registry_campaigns (tcr_campaign_id, cnp_id, standing, standing_since, seen_at, ask_at)
     values ($1, $2, 'Unknown', $3, $3, $3) on conflict do nothing`,
    [tcrCampaignId, cnpId, now],
  );
}
