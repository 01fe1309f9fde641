// Recordings of calls, and the segments of each: from the raw audio that is being written to the finished file.

export const recordingsSchema = {
  name: "0140-recordings",
  sql: `
create table call_recordings (
  sid            text primary key,
  call_sid       text not null unique references calls on delete cascade,
  account_sid    text not null references accounts on delete cascade,
  status         text not null check (status in ('Recording', 'Paused', 'Processing', 'Completed', 'Failed')),
  -- How often a pause or a resume was asked for, and how often one was done: odd numbers are pauses.
  switches_asked integer not null default 0,
  switches_done  integer not null default 0,
  -- What went wrong with it, for operators: audio that could not be written, or a file that could not be made.
  fault          text
) with (fillfactor = 80);
create index call_recordings_asked on call_recordings (call_sid) where switches_asked <> switches_done;
create index call_recordings_processing on call_recordings (sid) where status = 'Processing';
create index call_recordings_faulty on call_recordings (sid) where fault is not null;

create table recording_segments (
  recording_sid text not null references call_recordings on delete cascade,
  index         integer not null,
  started_at    timestamptz not null,
  -- The name of the raw file and the data directory that has it: only processes with that directory can read it.
  raw_file      text not null,
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
`,
};
