// Finds group messages by any of their recipients.

export const groupMembersSchema = {
  name: "0070-group-members",
  sql: `
create index outbound_messages_members on outbound_messages using gin (recipients) where recipients is not null;
`,
};
