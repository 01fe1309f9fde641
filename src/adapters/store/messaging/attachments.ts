// What is known of media files; the files themselves lie elsewhere, by their digest.

import type { MediaRecord } from "../../../domain/messaging/index.ts";
import type { Queryable } from "../engine/database.ts";

export async function insertMedia(db: Queryable, records: readonly MediaRecord[]): Promise<void> {
  for (const { sid, accountSid, contentType, name, sizeBytes, sha256, createdOn } of records) {
    await db.query(
      `insert into media_files (sid, account_sid, content_type, name, size_bytes, sha256, created_at) values ($1, $2, $3, $4, $5, $6, $7)`,
      [sid, accountSid, contentType, name, sizeBytes, sha256, createdOn],
    );
  }
}

export async function findMedia(db: Queryable, sid: string): Promise<MediaRecord | undefined> {
  const [row] = await db.query<{
    account_sid: string;
    content_type: string;
    name: string | null;
    size_bytes: number;
    sha256: string;
    created_at: Date;
  }>("select account_sid, content_type, name, size_bytes, sha256, created_at from media_files where sid = $1", [sid]);
  return (
    row && {
      sid,
      accountSid: row.account_sid,
      contentType: row.content_type,
      name: row.name,
      sizeBytes: row.size_bytes,
      sha256: row.sha256,
      createdOn: row.created_at,
    }
  );
}
