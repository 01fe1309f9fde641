// Accounts, credentials, sessions, secret keys, the audit log, requests, rate limits and runs of reconciles.

export const ACCOUNTS = `
-- A time that has not passed yet: the type of the deadline that statements carry (engine/statement-deadline.ts).
create domain statement_deadline as timestamptz check (value > clock_timestamp());

create table accounts (
  sid               text primary key,
  name              text not null,
  status            text not null check (status in ('Active', 'Suspended')),
  features          text[] not null,
  limit_changes     jsonb not null,
  allowed_countries text[],
  default_caller_id text,
  created_at        timestamptz not null,
  handles_keywords  boolean not null default true,
  suspended_reason  text check (suspended_reason is null or status = 'Suspended'),
  -- The country in which numbers without a plus are interpreted; null: that of the account's oldest number.
  country           text check (country ~ '^[A-Z]{2}$')
);

create table account_tokens (
  account_sid text not null references accounts on delete cascade,
  n           smallint not null check (n in (1, 2)),
  digest      bytea not null,
  created_at  timestamptz not null,
  -- The token itself, because an HMAC is keyed by it; null where it does not sign.
  sealed      bytea,
  -- It signs before an older one. At most one of an account's.
  is_promoted boolean not null default false,
  tool_writes boolean not null default false,
  primary key (account_sid, n)
);

create table operator_tokens (
  name       text primary key,
  digest     bytea not null,
  created_at timestamptz not null,
  role       text not null check (role in ('admin', 'support'))
);

-- Sessions of people who signed in on a page, and tickets that open one. Both belong to a token and end with it.
create table sessions (
  digest      bytea primary key,
  account_sid text,
  token_n     smallint,
  operator    text references operator_tokens on delete cascade,
  created_at  timestamptz not null,
  expires_at  timestamptz not null,
  check (num_nonnulls(account_sid, operator) = 1 and num_nonnulls(account_sid, token_n) <> 1),
  foreign key (account_sid, token_n) references account_tokens on delete cascade
);
create index sessions_account on sessions (account_sid, token_n) where account_sid is not null;
create index sessions_operator on sessions (operator) where operator is not null;
create index sessions_age on sessions (expires_at);

create table sign_in_tickets (
  digest      bytea primary key,
  account_sid text not null,
  token_n     smallint not null,
  expires_at  timestamptz not null,
  foreign key (account_sid, token_n) references account_tokens on delete cascade
);
create index sign_in_tickets_account on sign_in_tickets (account_sid, token_n);

-- A value sealed with the secret key: at start it shows whether the process has the key of this database.
create table secret_key_check (
  is_the_row boolean primary key default true check (is_the_row),
  sealed     bytea not null
);

-- Secret keys that were replaced, each sealed with the current one: a process with the current key can open what was
-- stored with an earlier one at the last moment, and check links that an earlier key signed.
create table retired_keys (
  -- The key's id, in hex.
  id         text primary key,
  sealed     bytea not null,
  retired_at timestamptz not null default now()
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

-- Answers to requests with an Idempotency-Key.
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

-- Requests that were refused, without their bodies.
create table refused_requests (
  id          bigint generated always as identity primary key,
  created_at  timestamptz not null,
  account_sid text,
  operation   text,
  status      integer not null,
  code        text not null,
  fault       text,
  trace_id    text not null,
  request_id  text not null
);
create index refused_requests_age on refused_requests (created_at);
create index refused_requests_by_account on refused_requests (account_sid, id);
create index refused_requests_by_trace on refused_requests (trace_id);
create index refused_requests_by_request on refused_requests (request_id);

-- Counters of windows that last seconds. They may be lost in a crash, so they are not written to the WAL.
create unlogged table rate_windows (
  subject      text not null,
  class        text not null,
  window_start bigint not null,
  used         bigint not null,
  -- By the holder's id: how much, at most, it has not spent.
  leases       jsonb not null default '{}',
  primary key (subject, class)
) with (fillfactor = 50);

-- The result of the last run of each reconcile.
create table reconciles (
  name             text primary key,
  last_started_at  timestamptz not null,
  last_finished_at timestamptz not null,
  outcome          text not null check (outcome in ('Done', 'Failed')),
  details          jsonb not null
);
`;
