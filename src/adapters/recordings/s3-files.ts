// The files of recordings in a bucket of S3.

import { openAsBlob } from "node:fs";
import type { RecordingFiles } from "../../domain/voice/ports.ts";
import { type S3Bucket, s3Objects } from "../s3-bucket.ts";

export function s3Files(bucket: S3Bucket): RecordingFiles {
  const objects = s3Objects(bucket);
  return {
    ...objects,
    put: async (key, { path, sizeBytes, sha256 }) =>
      objects.put(key, await openAsBlob(path), { contentType: "audio/mpeg", sizeBytes, sha256 }),
  };
}
