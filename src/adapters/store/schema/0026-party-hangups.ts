// Requests to hang up a party that a call has dialled: the process that has the call takes them up.

import type { SchemaStep } from "./schema-step.ts";

export const partyHangups: SchemaStep = {
  name: "0026-party-hangups",
  sql: `
-- Null, Asked or Taken.
alter table call_legs add column hangup text;
`,
};
