// Sessions of people who signed in on a page, and tickets that open one. Both belong to a token and end with it.

export const sessionsSchema = {
  name: "0155-sessions",
  sql: `
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
`,
};
