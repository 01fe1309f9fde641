// Campaigns are listed in the order in which they arrived, and so are those that are not assigned yet.

export const campaignTimesSchema = {
  name: "0281-campaign-times",
  sql: `
-- The stronger lock first: one that is raised could wait for somebody who waits for it.
drop index tcr_campaigns_by_account;
create index tcr_campaigns_of_account on tcr_campaigns (account_sid, imported_at, tcr_campaign_id);
create index tcr_campaigns_by_time on tcr_campaigns (imported_at, tcr_campaign_id);
drop index registry_campaigns_unassigned;
create index registry_campaigns_nobodys on registry_campaigns (seen_at, tcr_campaign_id) where account_sid is null;
`,
};
