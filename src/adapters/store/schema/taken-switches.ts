// How many of a recording's requested pauses and resumes its process has taken up: the others may be withdrawn.

export const takenSwitchesSchema = {
  name: "0280-taken-switches",
  sql: `
alter table call_recordings add column switches_taken integer not null default 0;
`,
};
