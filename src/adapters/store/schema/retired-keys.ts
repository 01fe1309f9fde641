// Secret keys that were replaced, each sealed with the current one: a process with the current key can open what was
// stored with an earlier one at the last moment, and check links that an earlier key signed.

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
