// Links to carriers that the operator has stopped, by the names that the configuration gives them.

export const stoppedLinksSchema = {
  name: "0095-stopped-links",
  sql: `
create table stopped_links (
  name       text primary key,
  stopped_at timestamptz not null
);
`,
};
