// Operators' overrides of lookups, and the cache of live answers.

export const lookupSchema = {
  name: "0004-lookup",
  sql: `
create table lookup_overrides (
  id           bigint generated always as identity unique,
  number       text primary key,
  status       text not null,
  type         text not null,
  carrier_name text,
  note         text,
  updated_at   timestamptz not null
);

create table lookup_cache (
  number       text primary key,
  source       text not null,
  status       text not null,
  type         text not null,
  carrier_name text,
  as_of        timestamptz not null,
  expires_at   timestamptz not null
);
create index lookup_cache_expiry on lookup_cache (expires_at);
`,
};
