// A call under way is asked to go on with another program: asked, taken up by its process, and done.

import type { SchemaStep } from "./schema-step.ts";

export const callRedirections: SchemaStep = {
  name: "0011-call-redirections",
  sql: `
alter table calls
  add column redirection        json,
  add column redirections_asked integer not null default 0,
  add column redirections_taken integer not null default 0,
  add column redirections_done  integer not null default 0;
`,
};
