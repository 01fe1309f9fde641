// The `recordings` of tandem.config.json: where the files of recordings are kept, and which encoder makes them.

import { join } from "node:path";
import { z } from "zod";
import type { EnvironmentLookup } from "../../base/secret-text.ts";
import type { RecordingFiles } from "../../domain/voice/ports.ts";
import { bucketOf, s3Settings } from "../s3-bucket.ts";
import { diskFiles } from "./disk-files.ts";
import { s3Files } from "./s3-files.ts";

export const recordingSettings = z
  .strictObject({
    s3: s3Settings.optional(),
    lame: z
      .string()
      .regex(/^\/[^\0]*$/, "must be the full path of a program")
      .max(4096)
      .optional()
      .describe("The program lame of the machine, such as /usr/bin/lame. By default the built-in encoder is used."),
  })
  .describe("Where recordings are kept and what makes their files. By default in TANDEM_DATA_DIR/recordings.");

export type RecordingSettings = z.output<typeof recordingSettings>;

export function openRecordingFiles(
  settings: RecordingSettings | undefined,
  dataDir: string,
  environment: EnvironmentLookup,
): RecordingFiles {
  if (!settings?.s3) return diskFiles(join(dataDir, "recordings", "files"));
  return s3Files(bucketOf(settings.s3, environment));
}
