// Whether a call was taken over from a process that died, and is therefore to be ended.

export const takenOverCallsSchema = {
  name: "0271-taken-over-calls",
  sql: `
alter table calls add is_taken_over boolean not null default false;
`,
};
