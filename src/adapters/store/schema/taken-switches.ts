// How many of the pauses and resumes asked for a recording its process has taken up: what is not may be withdrawn.

export const takenSwitchesSchema = {
  name: "0280-taken-switches",
  sql: `
alter table call_recordings add column switches_taken integer not null default 0;
`,
};
