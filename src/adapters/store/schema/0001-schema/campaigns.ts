// Campaigns, the configs that use them, and campaigns that the registry has listed.

export const CAMPAIGNS = `
create table tcr_campaigns (
  tcr_campaign_id text primary key,
  account_sid     text not null references accounts on delete cascade,
  tcr_brand_id    text not null,
  name            text not null,
  status          text not null check (status in ('Active', 'Suspended', 'Expired')),
  -- What the registry says each mobile operator lets through: shown, not enforced.
  throughput      jsonb not null,
  imported_at     timestamptz not null,
  -- Who sets the status: the registry, or the operator by hand.
  source          text not null check (source in ('Registry', 'Manual'))
);
create index tcr_campaigns_of_account on tcr_campaigns (account_sid, imported_at, tcr_campaign_id);
create index tcr_campaigns_by_time on tcr_campaigns (imported_at, tcr_campaign_id);
create index tcr_campaigns_inactive on tcr_campaigns (account_sid, status) where status <> 'Active';

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
  created_at             timestamptz not null,
  -- In addition to the usual ones.
  opt_out_keywords       text[] not null default '{}',
  opt_in_keywords        text[] not null default '{}',
  help_keywords          text[] not null default '{}'
);
create index messaging_configs_by_account on messaging_configs (account_sid, sid);

-- Everything in a name that has the form of a campaign's id, in capitals, also inside longer words.
create function campaign_ids_in(name text) returns text[] language sql immutable strict parallel safe as $$
  select array(
    select distinct part from generate_series(1, char_length(name)) as start, unnest(array[7, 8]) as length,
           substr(upper(name collate "C"), start, length) as part
     where part collate "C" ~ '^C[A-Z0-9]{6,7}$')
$$;
create index messaging_configs_ids on messaging_configs using gin (campaign_ids_in(name));

-- Campaigns that the registry has shown us, whether or not they have come to us.
create table registry_campaigns (
  tcr_campaign_id text primary key,
  -- Our id at the registry that showed it.
  cnp_id          text not null,
  -- The account for which it is, or will be, imported; null while that is not known.
  account_sid     text references accounts on delete set null,
  standing        text not null check (standing in ('Unknown', 'NotOurs', 'AwaitingUs', 'AwaitingUpstream', 'Ours', 'Declined',
                    'Cancelled', 'Expired')),
  -- Why a migration failed.
  reason          text,
  standing_since  timestamptz not null,
  -- As the registry last reported it; null before it did.
  facts           jsonb,
  -- How the registry's lists showed it last.
  listed          text,
  seen_at         timestamptz not null,
  -- When the registry is asked about it next; moved somewhat later while a process asks.
  ask_at          timestamptz not null,
  failures        integer not null default 0
);
create index registry_campaigns_due on registry_campaigns (cnp_id, ask_at);
create index registry_campaigns_by_account on registry_campaigns (account_sid, tcr_campaign_id);
create index registry_campaigns_nobodys on registry_campaigns (seen_at, tcr_campaign_id) where account_sid is null;
`;
