// A value that the secret key has sealed: by it a start sees whether its key is the one of this database.

export const secretKeySchema = {
  name: "0020-secret-key",
  sql: `
create table secret_key_check (
  is_the_row boolean primary key default true check (is_the_row),
  sealed     bytea not null
);
`,
};
