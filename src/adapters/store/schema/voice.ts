// Calls with their legs, what happened to them, the SIP messages of each, and the trunks that are stopped.

export const voiceSchema = {
  name: "0130-voice",
  sql: `
create sequence call_process_ids as integer cycle;

create table calls (
  sid                  text primary key,
  account_sid          text not null references accounts on delete cascade,
  direction            text not null check (direction in ('Inbound', 'Outbound')),
  from_party           text not null,
  to_party             text not null,
  caller_id            text not null,
  status               text not null check (status in ('Started', 'Ringing', 'Answered', 'Completed')),
  end_reason           text,
  ended_by             text,
  created_at           timestamptz not null,
  answered_at          timestamptz,
  completed_at         timestamptz,
  -- The process that has the call; null while it waits to be dialled.
  process              integer,
  phone                text not null,
  messaging_config_sid text,
  events_told          integer not null default 0,
  ring_seconds         integer not null default 30,
  max_seconds          integer not null default 14400,
  hangup_asked         boolean not null default false
) with (fillfactor = 60);
create index calls_account on calls (account_sid, sid);
create index calls_active on calls (account_sid) where status <> 'Completed';
create index calls_waiting on calls (sid) where process is null and status <> 'Completed';
create index calls_process on calls (process) where status <> 'Completed';

create table call_legs (
  sid          text primary key,
  call_sid     text not null references calls on delete cascade,
  leg          text not null check (leg in ('First', 'Second')),
  direction    text not null check (direction in ('Inbound', 'Outbound')),
  from_party   text not null,
  to_party     text not null,
  status       text not null check (status in ('Started', 'Ringing', 'Answered', 'Completed')),
  rang_at      timestamptz,
  answered_at  timestamptz,
  completed_at timestamptz,
  end_reason   text,
  sip_code     smallint,
  media        json,
  -- What is needed to end the leg after the process died.
  dialog       text
) with (fillfactor = 60);
create index call_legs_call on call_legs (call_sid);

create table call_steps (
  id       bigint generated always as identity primary key,
  call_sid text not null references calls on delete cascade,
  at       timestamptz not null,
  step     text not null,
  details  json not null
);
create index call_steps_call on call_steps (call_sid, id);

create table sip_messages (
  id        bigint generated always as identity primary key,
  call_sid  text not null references calls on delete cascade,
  leg       text not null,
  at        timestamptz not null,
  direction text not null check (direction in ('Sent', 'Received')),
  peer      text not null,
  local     text not null,
  transport text not null,
  text      text not null
);
create index sip_messages_call on sip_messages (call_sid, id);
create index sip_messages_age on sip_messages (at);

create table stopped_trunks (
  name       text primary key,
  stopped_at timestamptz not null
);
`,
};
