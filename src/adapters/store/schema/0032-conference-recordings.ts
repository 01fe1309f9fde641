// Recordings of conferences: beside the call whose script asked for it first, each names its conference. It goes with
// whichever of the two is deleted.

import type { SchemaStep } from "./schema-step.ts";

export const conferenceRecordings: SchemaStep = {
  name: "0032-conference-recordings",
  sql: `
alter table call_recordings add column conference_sid text;
-- By which it is found, also where it was deleted with its call.
alter table conferences add column recording_sid text;

create function remove_conference_recording() returns trigger language plpgsql as $$
begin
  delete from call_recordings where sid = old.recording_sid;
  return null;
end $$;
create trigger remove_conference_recording after delete on conferences
  for each row when (old.recording_sid is not null) execute function remove_conference_recording();
`,
};
