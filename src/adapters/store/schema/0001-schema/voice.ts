// Calls with their legs, what happened to them, their SIP messages and recordings, and the trunks that are stopped.

export const VOICE = `
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
  hangup_asked         boolean not null default false,
  -- What the first party hears until it presses a key.
  key_prompt           text,
  -- What the only party of an outbound call hears.
  announcement         text,
  -- The id that the caller gave its request. A request with an id of ours has the digits of the sid.
  request_id           text,
  -- Taken over from a process that died, and therefore to be ended.
  is_taken_over        boolean not null default false,
  -- The number to which the call is being forwarded, and the numbers that have forwarded it: so a call that comes back
  -- is recognised by caller and number, by any process.
  forwarding_to        text,
  forwarding_chain     text[],
  callback             json,
  second_ring_seconds  integer
) with (fillfactor = 60);
create index calls_account on calls (account_sid, sid);
create index calls_active on calls (account_sid) where status <> 'Completed';
create index calls_waiting on calls (sid) where process is null and status <> 'Completed';
create index calls_process on calls (process) where status <> 'Completed';
create index calls_by_request_of on calls (request_id, account_sid, sid) where request_id is not null;
create index calls_forwarding on calls (forwarding_to, caller_id, cardinality(forwarding_chain))
  where forwarding_to is not null and status <> 'Completed';

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

create table call_recordings (
  sid            text primary key,
  call_sid       text not null unique references calls on delete cascade,
  account_sid    text not null references accounts on delete cascade,
  status         text not null check (status in ('Recording', 'Paused', 'Processing', 'Completed', 'Failed')),
  -- How often a pause or a resume was asked for, and how often one was done: odd numbers are pauses.
  switches_asked integer not null default 0,
  switches_done  integer not null default 0,
  -- What went wrong with it, for operators: audio that could not be written, or a file that could not be made.
  fault          text,
  -- How many of those asked for the process of the call has taken up: the others may be withdrawn.
  switches_taken integer not null default 0
) with (fillfactor = 80);
create index call_recordings_by_account on call_recordings (account_sid, sid);
create index call_recordings_asked on call_recordings (call_sid) where switches_asked <> switches_done;
create index call_recordings_processing on call_recordings (sid) where status = 'Processing';
create index call_recordings_faulty on call_recordings (sid) where fault is not null;
create index call_recordings_failed on call_recordings (account_sid, sid) where fault is not null and status = 'Failed';

-- From the raw audio that is being written to the finished file.
create table recording_segments (
  recording_sid text not null references call_recordings on delete cascade,
  index         integer not null,
  started_at    timestamptz not null,
  -- The name of the raw file and the data directory that has it: only processes with that directory can read it. The
  -- name is null when the file was removed, because the segment is Done.
  raw_file      text,
  raw_host      text not null,
  -- Of each of the two channels, 8,000 a second; null while it is being recorded.
  samples       integer,
  state         text not null check (state in ('Recording', 'Waiting', 'Encoding', 'Done', 'Failed')),
  attempts      integer not null default 0,
  due_at        timestamptz,
  -- The process that encodes it, by the lease of its calls.
  leased_by     text,
  fault         text,
  size_bytes    integer,
  sha256        text,
  -- Of the finished file, among the files of recordings.
  key           text,
  primary key (recording_sid, index)
) with (fillfactor = 80);
create index recording_segments_open on recording_segments (raw_host) where state = 'Recording';
create index recording_segments_queue on recording_segments (raw_host, due_at) where state in ('Waiting', 'Encoding');
create index recording_segments_needless on recording_segments (raw_host) where state = 'Done' and raw_file is not null;

-- Files that are still to be removed, because their segments were deleted.
create table removed_segments (
  id       bigint generated always as identity primary key,
  key      text,
  raw_file text,
  raw_host text not null
);

-- Whatever deletes a segment, with its call or its account, leaves its files to be removed.
create function note_removed_segment() returns trigger language plpgsql as $$
begin
  insert into removed_segments (key, raw_file, raw_host) values (old.key, old.raw_file, old.raw_host);
  return null;
end $$;
create trigger removed_segment after delete on recording_segments for each row execute function note_removed_segment();
`;
