// Records of media and of their files. A file is noted before it is stored, and counts from then on as one that no
// record names, so that it is removed although its process died.

import type { MediaRecord, UnusedFile, UnusedMedia } from "../../../domain/messaging/index.ts";
import { table } from "../engine/columns.ts";
import type { Condition } from "../engine/conditions.ts";
import type { Queryable } from "../engine/database.ts";
import { first } from "../engine/statements.ts";

const MEDIA = table<MediaRecord>("media_files", {
  sid: "sid",
  accountSid: "account_sid",
  contentType: "content_type",
  name: "name",
  sizeBytes: "size_bytes integer",
  sha256: "sha256",
  file: "file",
  createdOn: "created_at timestamptz",
});

/** After this time, a file that no record names is removed. */
const UNNAMED_MS = 3_600_000;
/**
 * So long before that it no longer gets records: longer than any transaction, so that none commits while the file is
 * being removed.
 */
const CLOSED = "interval '30 minutes'";
const BATCH_MAX = 100;

/** Where this process keeps files of media. */
export interface MediaHome {
  /** The name of the data directory. */
  readonly host: string;
  /** They are in S3. */
  readonly isShared: boolean;
}

export async function expectMedia(
  db: Queryable,
  file: string,
  { host, isShared }: MediaHome,
  now: Date,
): Promise<void> {
  await db.query("insert into stored_media (file, host, uses, due_at) values ($1, $2, 0, $3)", [
    file,
    isShared ? null : host,
    new Date(now.getTime() + UNNAMED_MS),
  ]);
}

export async function insertMedia(db: Queryable, records: readonly MediaRecord[]): Promise<void> {
  if (records.length === 0) return;
  await db.query(MEDIA.insert, [MEDIA.rows(records)]);
  const files = records.flatMap(({ file }) => file ?? []);
  const used = await db.query(
    `update stored_media set uses = uses + given.count
       from (select file, count(*)::int as count from unnest($1::text[]) as each (file) group by file) as given
      where stored_media.file = given.file and (uses > 0 or due_at > now() + ${CLOSED}) returning 1`,
    [files],
  );
  if (used.length < new Set(files).size) throw new Error("files of media waited too long for their records");
}

export function findMedia(db: Queryable, sid: string): Promise<MediaRecord | undefined> {
  return first<MediaRecord>(db, `${MEDIA.select} where sid = $1`, [sid]);
}

/** SQL: this process can reach the file. Those from before are named by their digest, and have no host. */
const isOurs = (host: string, isShared: string) => `(${isShared} or host = ${host} or host is null and file !~ '^ME')`;

/** Holds when files are to be removed. */
export function hasUnusedMedia({ host, isShared }: MediaHome): Condition {
  return (bind) =>
    `(select count(*) from stored_media
       where uses = 0 and due_at <= now() and ${isOurs(bind(host), `${bind(isShared)}::boolean`)}) > 0`;
}

export function unusedMedia(db: Queryable, { host, isShared }: MediaHome): UnusedMedia {
  return {
    async list(now) {
      const files = await db.query<Omit<UnusedFile, "isShared">>(
        `select file, xmin::text as version from stored_media
          where uses = 0 and due_at <= $1 and ${isOurs("$2", "$3::boolean")} order by due_at limit ${BATCH_MAX}`,
        [now, host, isShared],
      );
      const digests = files.filter(({ file }) => !file.startsWith("ME")).map(({ file }) => file);
      // No index leads from a digest to its records: all are read, once for all of these files.
      const shared =
        digests.length === 0
          ? []
          : await db.query<{ sha256: string }>(
              "select distinct sha256 from media_files where file is null and sha256 = any ($1)",
              [digests],
            );
      const inUse = new Set(shared.map(({ sha256 }) => sha256));
      return files.map((one) => ({ ...one, isShared: inUse.has(one.file) }));
    },
    async forget(files) {
      await db.query(
        `delete from stored_media using unnest($1::text[], $2::text[]) as given (file, version)
          where stored_media.file = given.file and stored_media.xmin::text = given.version and uses = 0`,
        [files.map(({ file }) => file), files.map(({ version }) => version)],
      );
    },
    async postpone(files, now) {
      await db.query("update stored_media set due_at = $2 where file = any ($1) and uses = 0", [
        files.map(({ file }) => file),
        now,
      ]);
    },
  };
}
