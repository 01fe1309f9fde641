export const migrationView = {
  name: "0007-migrations",
  sql: `
-- A migration is looked at by its configs.
create index port_orders_by_config on port_orders (messaging_config_sid, sid);
`,
};
