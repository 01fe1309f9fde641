// The announcement for the only party of an outbound call, and an index of an account's recordings in order.

export const announcementsSchema = {
  name: "0180-announcements",
  sql: `
alter table calls add announcement text;
create index call_recordings_by_account on call_recordings (account_sid, sid);
`,
};
