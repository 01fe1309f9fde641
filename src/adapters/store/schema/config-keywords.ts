// Keywords of a config in addition to the usual ones.

export const configKeywordsSchema = {
  name: "0071-config-keywords",
  sql: `
alter table messaging_configs
  add opt_out_keywords text[] not null default '{}',
  add opt_in_keywords  text[] not null default '{}',
  add help_keywords    text[] not null default '{}';
`,
};
