// The leases of a rate limit's window: the holder's id and how much, at most, it has not spent.

export const rateLeasesSchema = {
  name: "0241-rate-leases",
  sql: `
alter table rate_windows add leases jsonb not null default '{}';
`,
};
