// Messages that a carrier refused temporarily are sent again.

export const deferredMessagesSchema = {
  name: "0019-deferred-messages",
  sql: `
-- How often a carrier has refused it for now.
alter table outbound_queue add column deferrals smallint not null default 0;
`,
};
