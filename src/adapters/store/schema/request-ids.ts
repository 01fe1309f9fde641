// The ids that callers gave the requests by which they made messages and calls. What is made by a request with an id of
// ours needs none: its sid has the same digits.

export const requestIdsSchema = {
  name: "0240-request-ids",
  sql: `
alter table outbound_messages add request_id text;
create index outbound_messages_by_request on outbound_messages (request_id) where request_id is not null;
alter table calls add request_id text;
create index calls_by_request on calls (request_id) where request_id is not null;
`,
};
