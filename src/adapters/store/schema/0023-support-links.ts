// Links that show support what a person of an account sees.

import type { SchemaStep } from "./schema-step.ts";

export const supportLinks: SchemaStep = {
  name: "0023-support-links",
  sql: `
create table support_links (
  sid         text primary key,
  account_sid text not null references accounts on delete cascade,
  -- Path and query of the page, as the account sees it.
  address     text not null,
  created_at  timestamptz not null,
  expires_at  timestamptz not null
);
create index support_links_of_account on support_links (account_sid, sid);
create index support_links_age on support_links (expires_at);
`,
};
