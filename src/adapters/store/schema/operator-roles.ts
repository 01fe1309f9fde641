// Operator tokens have a role; those made before may do everything, as they could.

export const operatorRolesSchema = {
  name: "0075-operator-roles",
  sql: `
alter table operator_tokens add role text not null default 'admin' check (role in ('admin', 'support'));
alter table operator_tokens alter role drop default;
`,
};
