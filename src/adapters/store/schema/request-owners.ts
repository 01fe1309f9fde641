// What a request created is found by the id that the caller gave and by the account: an id that is used repeatedly, or
// by many accounts, costs each of them no more than its own first rows.

export const requestOwnersSchema = {
  name: "0250-request-owners",
  sql: `
-- The stronger lock first: one that is raised could wait for somebody who waits for it.
drop index outbound_messages_by_request;
create index outbound_messages_by_request_of on outbound_messages (request_id, account_sid, sid) where request_id is not null;
drop index calls_by_request;
create index calls_by_request_of on calls (request_id, account_sid, sid) where request_id is not null;
`,
};
