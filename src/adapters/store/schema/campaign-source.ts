// The source of a campaign's status: the registry, or the operator by hand.

export const campaignSourceSchema = {
  name: "0090-campaign-source",
  sql: `
alter table tcr_campaigns add source text not null default 'Registry' check (source in ('Registry', 'Manual'));
alter table tcr_campaigns alter source drop default;
`,
};
