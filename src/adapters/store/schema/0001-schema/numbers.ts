// The inventory, the numbers of accounts, opt-outs, and lookups.

export const NUMBERS = `
create table inventory_numbers (
  id         bigint generated always as identity unique,
  number     text primary key,
  features   text[] not null,
  created_at timestamptz not null,
  -- Of a short code.
  country    text,
  constraint inventory_numbers_country check ((country is null) = (number like '+%'))
);

create table phones (
  id                     bigint generated always as identity primary key,
  number                 text not null,
  account_sid            text not null references accounts on delete cascade,
  name                   text,
  status                 text not null check (status in ('PendingPortIn', 'PendingMessagingConfigAdd', 'PendingTcrCampaignAdd',
                           'PendingTcrCampaignChange', 'Active', 'Removed')),
  status_reason          text,
  messaging_config_sid   text references messaging_configs,
  port_order_sid         text,
  features               text[] not null,
  -- The campaign under which it became Active.
  registered_campaign_id text,
  calls_forwarded_to     text,
  record_inbound_calls   boolean not null default false,
  created_at             timestamptz not null,
  updated_at             timestamptz not null,
  -- The campaign to which it is being added, and when that is done; null unless it waits for that.
  activating_campaign_id text,
  activate_at            timestamptz
);
-- A number serves one account at a time; the rows of accounts that it served before stay.
create unique index phones_served on phones (number) where status <> 'Removed';
create index phones_by_number on phones (number, id);
create index phones_by_account on phones (account_sid, id);
create index phones_by_config on phones (messaging_config_sid) where messaging_config_sid is not null;
create index phones_activating on phones (activate_at) where activate_at is not null;
create index phones_pending on phones (account_sid, status) where status not in ('Active', 'Removed');

create table opt_outs (
  id          bigint generated always as identity,
  account_sid text not null references accounts on delete cascade,
  number      text not null,
  scope_type  text not null check (scope_type in ('SenderPhoneNumber', 'TcrCampaign')),
  scope       text not null,
  keyword     text,
  created_at  timestamptz not null,
  primary key (account_sid, number, scope_type, scope)
);
create index opt_outs_by_account on opt_outs (account_sid, id);

-- Operators' overrides of lookups.
create table lookup_overrides (
  id           bigint generated always as identity unique,
  number       text primary key,
  status       text not null,
  type         text not null,
  carrier_name text,
  note         text,
  updated_at   timestamptz not null
);

-- Live answers.
create table lookup_cache (
  number       text primary key,
  source       text not null,
  status       text not null,
  type         text not null,
  carrier_name text,
  as_of        timestamptz not null,
  expires_at   timestamptz not null,
  -- Null where the answer does not say.
  ported       boolean
);
create index lookup_cache_expiry on lookup_cache (expires_at);
`;
