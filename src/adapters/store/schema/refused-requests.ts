// Requests that were refused, without their bodies.

export const refusedRequestsSchema = {
  name: "0110-refused-requests",
  sql: `
create table refused_requests (
  id          bigint generated always as identity primary key,
  created_at  timestamptz not null,
  account_sid text,
  operation   text,
  status      integer not null,
  code        text not null,
  fault       text,
  trace_id    text not null,
  request_id  text not null
);
create index refused_requests_age on refused_requests (created_at);
create index refused_requests_by_account on refused_requests (account_sid, id);
create index refused_requests_by_trace on refused_requests (trace_id);
create index refused_requests_by_request on refused_requests (request_id);
`,
};
