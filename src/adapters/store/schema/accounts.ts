// Accounts, credentials, the audit log, idempotent answers, rate limits and runs of reconciles.

export const accountsSchema = {
  name: "0001-accounts",
  sql: `
create table accounts (
  sid               text primary key,
  name              text not null,
  status            text not null check (status in ('Active', 'Suspended')),
  features          text[] not null,
  limit_changes     jsonb not null,
  allowed_countries text[],
  default_caller_id text,
  created_at        timestamptz not null,
  handles_keywords  boolean not null default true
);

create table account_tokens (
  account_sid text not null references accounts on delete cascade,
  n           smallint not null check (n in (1, 2)),
  digest      bytea not null,
  created_at  timestamptz not null,
  primary key (account_sid, n)
);

create table operator_tokens (
  name       text primary key,
  digest     bytea not null,
  created_at timestamptz not null
);

create table feature_requests (
  sid         text primary key,
  account_sid text not null references accounts on delete cascade,
  feature     text not null,
  status      text not null check (status in ('Open', 'Granted', 'Declined')),
  created_at  timestamptz not null,
  decided_at  timestamptz
);
create unique index feature_requests_open on feature_requests (account_sid, feature) where status = 'Open';

create table audit_log (
  id         bigint generated always as identity primary key,
  at         timestamptz not null,
  operator   text not null,
  action     text not null,
  subject    text,
  details    jsonb,
  request_id text not null
);
create index audit_log_subject on audit_log (subject, id);

create table kept_answers (
  scope          text not null,
  key            text not null,
  claim_id       uuid not null,
  request_digest bytea not null,
  claimed_at     timestamptz not null,
  answer         bytea,
  primary key (scope, key)
);
create index kept_answers_age on kept_answers (claimed_at);

-- Counters of windows that last seconds: losing them in a crash costs nobody anything, writing them to the log would.
create unlogged table rate_windows (
  subject      text not null,
  class        text not null,
  window_start bigint not null,
  used         bigint not null,
  primary key (subject, class)
) with (fillfactor = 50);

-- What the last run of each reconcile came to.
create table reconciles (
  name             text primary key,
  last_started_at  timestamptz not null,
  last_finished_at timestamptz not null,
  outcome          text not null check (outcome in ('Done', 'Failed')),
  details          jsonb not null
);
`,
};
