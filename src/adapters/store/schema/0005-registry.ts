export const registry = {
  name: "0005-registry",
  sql: `
-- What the last run of each reconcile came to.
create table reconciles (
  name             text primary key,
  last_started_at  timestamptz not null,
  last_finished_at timestamptz not null,
  outcome          text not null check (outcome in ('Done', 'Failed')),
  details          jsonb not null
);

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

-- The words of a config's name, for finding the campaign ids among them.
create index messaging_configs_words on messaging_configs using gin (regexp_split_to_array(upper(name collate "C"), '[^A-Z0-9]+'));

alter table phones
  -- The campaign that it is being added to, and when that is done; null unless it waits for that.
  add column activating_campaign_id text,
  add column activate_at            timestamptz;
create index phones_activating on phones (activate_at) where activate_at is not null;
`,
};
