// Segments name their account, so that the oldest waiting one of each account is found without reading all that wait.

import type { SchemaStep } from "./schema-step.ts";

export const segmentsByAccount: SchemaStep = {
  name: "0003-segments-by-account",
  sql: `
alter table recording_segments add column account_sid text;
update recording_segments as segment set account_sid = recording.account_sid
  from call_recordings as recording where recording.sid = segment.recording_sid;
alter table recording_segments alter column account_sid set not null;
create index recording_segments_waiting on recording_segments (raw_host, account_sid, due_at) where state = 'Waiting';
`,
};
