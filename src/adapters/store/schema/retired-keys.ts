// Secret keys that were replaced, each sealed with the present one: whoever has the present key can open what was
// stored with an earlier one at the last moment, and check links that it signed.

export const retiredKeysSchema = {
  name: "0291-retired-keys",
  sql: `
create table retired_keys (
  -- The key's id, in hex.
  id         text primary key,
  sealed     bytea not null,
  retired_at timestamptz not null default now()
);
`,
};
