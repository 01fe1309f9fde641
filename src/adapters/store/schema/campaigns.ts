// Campaigns, the configs that use them, and campaigns that the registry has listed.

export const campaignsSchema = {
  name: "0002-campaigns",
  sql: `
create table tcr_campaigns (
  tcr_campaign_id text primary key,
  account_sid     text not null references accounts on delete cascade,
  tcr_brand_id    text not null,
  name            text not null,
  status          text not null check (status in ('Active', 'Suspended', 'Expired')),
  -- What the registry says each mobile operator lets through: shown, not enforced.
  throughput      jsonb not null,
  imported_at     timestamptz not null
);
create index tcr_campaigns_by_account on tcr_campaigns (account_sid, tcr_campaign_id);

create table messaging_configs (
  sid                    text primary key,
  account_sid            text not null references accounts on delete cascade,
  name                   text not null,
  -- One config per campaign and one campaign per config.
  tcr_campaign_id        text unique references tcr_campaigns,
  sending_times          jsonb,
  default_expiry_seconds integer not null,
  opt_out_reply          text,
  opt_in_reply           text,
  help_reply             text,
  created_at             timestamptz not null
);
create index messaging_configs_by_account on messaging_configs (account_sid, sid);
-- The words of a config's name, for finding the campaign ids among them.
create index messaging_configs_words on messaging_configs using gin (regexp_split_to_array(upper(name collate "C"), '[^A-Z0-9]+'));

-- Campaigns that the registry has shown us, whether or not they have come to us.
create table registry_campaigns (
  tcr_campaign_id text primary key,
  -- Our id at the registry that showed it.
  cnp_id          text not null,
  -- Whom it is, or will be, imported for; null while nobody can tell.
  account_sid     text references accounts on delete set null,
  standing        text not null check (standing in ('Unknown', 'NotOurs', 'AwaitingUs', 'AwaitingUpstream', 'Ours', 'Declined',
                    'Cancelled', 'Expired')),
  -- Of a migration that came to nothing.
  reason          text,
  standing_since  timestamptz not null,
  -- As the registry told it last; null before it did.
  facts           jsonb,
  -- How the registry's lists showed it last.
  listed          text,
  seen_at         timestamptz not null,
  -- When the registry is to be asked about it; somewhat later while somebody asks.
  ask_at          timestamptz not null,
  failures        integer not null default 0
);
create index registry_campaigns_due on registry_campaigns (cnp_id, ask_at);
create index registry_campaigns_by_account on registry_campaigns (account_sid, tcr_campaign_id);
create index registry_campaigns_unassigned on registry_campaigns (tcr_campaign_id) where account_sid is null;
`,
};
