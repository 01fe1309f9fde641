// The request ids that callers gave when they created messages and calls. Records created by a request with an id of
// ours need none: their sids have the same digits.

export const requestIdsSchema = {
  name: "0240-request-ids",
  sql: `
alter table outbound_messages add request_id text;
create index outbound_messages_by_request on outbound_messages (request_id) where request_id is not null;
alter table calls add request_id text;
create index calls_by_request on calls (request_id) where request_id is not null;
`,
};
