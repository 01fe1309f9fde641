// A value sealed with the secret key: at start it shows whether the process has the key of this database.

export const secretKeySchema = {
  name: "0020-secret-key",
  sql: `
create table secret_key_check (
  is_the_row boolean primary key default true check (is_the_row),
  sealed     bytea not null
);
`,
};
