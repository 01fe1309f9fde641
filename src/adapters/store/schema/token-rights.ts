// What a token may do beyond signing in. A signing token is also stored sealed: an HMAC is keyed by the token itself.

export const tokenRightsSchema = {
  name: "0310-token-rights",
  sql: `
alter table account_tokens
  -- The token itself; null where it does not sign.
  add column sealed bytea,
  -- It signs before an older one. At most one of an account's.
  add column is_promoted boolean not null default false,
  add column tool_writes boolean not null default false;
`,
};
