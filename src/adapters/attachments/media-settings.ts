// The `media` of tandem.config.json: where the media of received messages are kept.

import { hash } from "node:crypto";
import { join } from "node:path";
import { z } from "zod";
import type { EnvironmentLookup } from "../../base/secret-text.ts";
import { bucketOf, type S3Bucket, s3Objects, s3Settings } from "../s3-bucket.ts";
import { type MediaFiles, placeFor, placeOf } from "./attachment-files.ts";
import { DiskMedia } from "./disk-media.ts";

export const mediaSettings = z
  .strictObject({ s3: s3Settings })
  .describe("Where the media of received messages are kept. By default in TANDEM_DATA_DIR/media.");

export interface MediaPlace {
  readonly settings: z.output<typeof mediaSettings> | undefined;
  readonly dataDir: string;
  readonly environment: EnvironmentLookup;
}

/** For the server: creates the folder, and removes what a killed process left unfinished. */
export async function openMediaFiles(place: MediaPlace): Promise<MediaFiles> {
  return place.settings ? mediaFilesBeside(place) : DiskMedia.open(join(place.dataDir, "media"));
}

/** For use beside a running server: changes nothing until a file is put. */
export function mediaFilesBeside({ settings, dataDir, environment }: MediaPlace): MediaFiles {
  return settings ? s3Media(bucketOf(settings.s3, environment)) : DiskMedia.beside(join(dataDir, "media"));
}

function s3Media(bucket: S3Bucket): MediaFiles {
  const objects = s3Objects(bucket);
  return {
    put(name, bytes) {
      const sha256 = hash("sha256", bytes, "hex");
      const about = { contentType: "application/octet-stream", sizeBytes: bytes.length, sha256 };
      return objects.put(placeFor(name), new Blob([Buffer.from(bytes)]), about);
    },
    async read(name) {
      const key = placeOf(name);
      return key === undefined ? undefined : objects.read(key);
    },
    async remove(name) {
      const key = placeOf(name);
      if (key !== undefined) await objects.remove([key]);
    },
  };
}
