// What operators search without knowing the account: the calls of a number, and accounts by the words of their names.
// Texts to a number have an index already; those from one are looked up in the index of each account.

import type { SchemaStep } from "./schema-step.ts";

export const search: SchemaStep = {
  name: "0012-search",
  sql: `
create index calls_from on calls (from_party, sid);
create index calls_to on calls (to_party, sid);
create index accounts_words on accounts using gin (to_tsvector('simple'::regconfig, translate(name, '-./@_', '     ')));
`,
};
