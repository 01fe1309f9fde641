// Records of media files; the files themselves are stored on disk by their digest.

import type { MediaRecord } from "../../../domain/messaging/index.ts";
import { table } from "../engine/columns.ts";
import type { Queryable } from "../engine/database.ts";
import { first } from "../engine/statements.ts";

const MEDIA = table<MediaRecord>("media_files", {
  sid: "sid",
  accountSid: "account_sid",
  contentType: "content_type",
  name: "name",
  sizeBytes: "size_bytes integer",
  sha256: "sha256",
  createdOn: "created_at timestamptz",
});

export async function insertMedia(db: Queryable, records: readonly MediaRecord[]): Promise<void> {
  if (records.length > 0) await db.query(MEDIA.insert, [MEDIA.rows(records)]);
}

export function findMedia(db: Queryable, sid: string): Promise<MediaRecord | undefined> {
  return first<MediaRecord>(db, `${MEDIA.select} where sid = $1`, [sid]);
}
