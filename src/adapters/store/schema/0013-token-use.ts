// When each token of an account was last used.

import type { SchemaStep } from "./schema-step.ts";

export const tokenUse: SchemaStep = {
  name: "0013-token-use",
  sql: `
-- To the minute: noted behind the requests. Null: not since this is noted.
alter table account_tokens add column last_used_at timestamptz;
`,
};
