// Why an account is suspended.

export const suspensionReasonSchema = {
  name: "0120-suspension-reason",
  sql: `
alter table accounts add suspended_reason text check (suspended_reason is null or status = 'Suspended');
`,
};
