// How the links to carriers fare, as the process that keeps them last told; rows of earlier terms count no more.

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
