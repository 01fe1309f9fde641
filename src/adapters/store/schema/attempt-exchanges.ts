// The headers and times of an attempt, in JSON; null where they were not stored.

export const attemptExchangesSchema = {
  name: "0185-attempt-exchanges",
  sql: `
alter table attempts add column exchange text;
`,
};
