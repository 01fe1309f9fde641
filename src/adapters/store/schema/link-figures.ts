// The traffic figures of a link in told_links.

export const linkFiguresSchema = {
  name: "0190-link-figures",
  sql: `
alter table told_links
  add column window_size integer,
  add column in_flight integer not null default 0,
  add column per_second real not null default 0,
  add column p95_ms integer;
`,
};
