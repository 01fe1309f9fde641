// The `recordings` of tandem.config.json: where the files of recordings are kept, and which encoder makes them.

import { join } from "node:path";
import { z } from "zod";
import { type EnvironmentLookup, secretOf } from "../../base/secret-text.ts";
import type { RecordingFiles } from "../../domain/voice/ports.ts";
import { isServiceUrl, secret } from "../setting-fields.ts";
import { diskFiles } from "./disk-files.ts";
import { s3Files } from "./s3-files.ts";

const s3Settings = z
  .strictObject({
    endpoint: z
      .string()
      .max(2000)
      .refine(isServiceUrl, "must be an https URL (http only to this machine) without credentials, query and fragment")
      .describe("With the bucket: https://s3.eu-central-1.amazonaws.com/my-bucket."),
    region: z.string().min(1).max(64).default("auto").describe("Of the bucket."),
    accessKeyId: secret.describe("The key, or env:NAME."),
    secretAccessKey: secret.describe("Its secret, or env:NAME."),
    prefix: z
      .string()
      .regex(/^[A-Za-z0-9._-]+(?:\/[A-Za-z0-9._-]+)*$/, "must be names separated by slashes")
      .max(200)
      .optional()
      .describe("What the keys begin with. By default nothing."),
  })
  .describe("A bucket of S3 or of a service that speaks its protocol.");

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
  const { accessKeyId, secretAccessKey } = settings.s3;
  return s3Files({
    ...settings.s3,
    accessKeyId: secretOf(accessKeyId, environment),
    secretAccessKey: secretOf(secretAccessKey, environment),
  });
}
