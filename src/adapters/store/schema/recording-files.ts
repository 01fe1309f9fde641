// The files of recordings: raw files that were removed, and files of deleted recordings that are still to be removed.

export const recordingFilesSchema = {
  name: "0150-recording-files",
  sql: `
-- Null when it was removed, because its segment is Done.
alter table recording_segments alter column raw_file drop not null;
create index recording_segments_needless on recording_segments (raw_host) where state = 'Done' and raw_file is not null;

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
`,
};
