// Partitions for records of weeks that have none yet, because the clock jumped. See partitions.ts.

export const defaultPartitionsSchema = {
  name: "0097-default-partitions",
  sql: `
create table events_default partition of events default;
create table deliveries_default partition of deliveries default with (fillfactor = 50);
create table attempts_default partition of attempts default;
`,
};
