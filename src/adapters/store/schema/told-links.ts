// The state of the links to carriers, as last reported by the process that keeps them. Earlier terms are ignored.

export const toldLinksSchema = {
  name: "0135-told-links",
  sql: `
create table told_links (
  name    text primary key,
  carrier text not null,
  kind    text not null,
  state   text not null,
  reason  text not null,
  since   timestamptz not null,
  room    integer not null,
  told_at timestamptz not null,
  term    integer not null
);
`,
};
