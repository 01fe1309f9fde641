// Files of media are released in the order of their names, all those of a statement at once: two transactions that
// delete records of several media in different orders do not deadlock.

import type { SchemaStep } from "./schema-step.ts";

export const orderedMediaReleases: SchemaStep = {
  name: "0031-ordered-media-releases",
  sql: `
create or replace function release_media() returns trigger language plpgsql as $$
begin
  insert into stored_media (file, uses, due_at)
  select distinct sha256, 0, now() from gone where file is null order by sha256
  on conflict (file) do update set due_at = excluded.due_at;
  perform from stored_media where file in (select file from gone) order by file for update;
  update stored_media set uses = uses - released.count, due_at = now()
    from (select file, count(*)::integer as count from gone group by file) as released
   where stored_media.file = released.file;
  return null;
end $$;
-- Before, it released them row by row.
create or replace trigger release_media after delete on media_files
  referencing old table as gone for each statement execute function release_media();
`,
};
