// Media of messages get files of their own, which are removed with the last record that names them. Records from before
// that share a file by its digest (`file` is null).

import type { SchemaStep } from "./schema-step.ts";

export const storedMedia: SchemaStep = {
  name: "0027-stored-media",
  sql: `
alter table media_files add column file text;

-- A file that no record names is removed when it is due.
create table stored_media (
  file   text primary key,
  -- The data directory that it is in; null in S3, and for files that are named by their digest.
  host   text,
  -- How many records name it; always 0 for files that are named by their digest.
  uses   integer not null,
  due_at timestamptz not null
);
create index stored_media_unused on stored_media (due_at) where uses = 0;

create function release_media() returns trigger language plpgsql as $$
begin
  if old.file is null then
    insert into stored_media (file, uses, due_at) values (old.sha256, 0, now())
    on conflict (file) do update set due_at = excluded.due_at;
  else
    update stored_media set uses = uses - 1, due_at = now() where file = old.file;
  end if;
  return null;
end $$;
create trigger release_media after delete on media_files for each row execute function release_media();
`,
};
