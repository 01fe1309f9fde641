// Recordings that programs make: a call may have many, beside the one of the parties that were connected, which has no
// source. Their callbacks go out by the account's own subscription.

import type { SchemaStep } from "./schema-step.ts";

export const programRecordings: SchemaStep = {
  name: "0018-program-recordings",
  sql: `
alter table call_recordings add column source text, add column callback json;
alter table call_recordings drop constraint call_recordings_call_sid_key;
create index call_recordings_of_call on call_recordings (call_sid);
update webhook_subscriptions set types = array_append(types, 'CallRecordingCompleted')
 where is_callback and not 'CallRecordingCompleted' = any (types);
`,
};
