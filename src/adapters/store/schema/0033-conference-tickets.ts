// Calls of one process that are on their way to a conference of another one.

import type { SchemaStep } from "./schema-step.ts";

export const conferenceTickets: SchemaStep = {
  name: "0033-conference-tickets",
  sql: `
-- Where SIP reaches the process that has it, address and port; null: it takes no calls of other processes.
alter table conferences add column place text;

-- Good for seconds, and once.
create unlogged table conference_tickets (
  id             text primary key,
  conference_sid text not null,
  account_sid    text not null,
  call_sid       text not null,
  -- The process that has the conference, as in conferences.
  process        integer not null,
  -- How the call wants to be part of it.
  entry          json not null,
  expires_at     timestamptz not null
);
create index conference_tickets_age on conference_tickets (expires_at);
`,
};
