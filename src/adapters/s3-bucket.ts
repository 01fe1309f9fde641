// Objects in a bucket of S3, or of a service that speaks its protocol, and the settings that name one.
//
// Guarantees: an object counts as stored when the service has accepted it with our checksum and then reports its
// length. The wait for an answer to begin, and for an upload to end, is bounded.

import { Readable } from "node:stream";
import type { ReadableStream as WebStream } from "node:stream/web";
import { S3mini, S3ServiceError } from "s3mini";
import { z } from "zod";
import { type EnvironmentLookup, secretOf } from "../base/secret-text.ts";
import { isServiceUrl, secret } from "./setting-fields.ts";

export interface S3Bucket {
  /** Includes the name of the bucket. */
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Put before every key, followed by a slash. */
  readonly prefix?: string | undefined;
}

export interface StoredObject {
  readonly contentType: string;
  readonly sizeBytes: number;
  /** In hex. */
  readonly sha256: string;
}

export interface S3Objects {
  put(key: string, content: Blob, about: StoredObject): Promise<void>;
  /** The whole object, or octets `first` to `last`; undefined where there is none. */
  read(key: string, range?: { readonly first: number; readonly last: number }): Promise<Readable | undefined>;
  /** One that does not exist counts as removed. */
  remove(keys: readonly string[]): Promise<void>;
}

export const s3Settings = z
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

/** The bucket of these settings, with its secrets. */
export function bucketOf(settings: z.output<typeof s3Settings>, environment: EnvironmentLookup): S3Bucket {
  const { accessKeyId, secretAccessKey } = settings;
  return {
    ...settings,
    accessKeyId: secretOf(accessKeyId, environment),
    secretAccessKey: secretOf(secretAccessKey, environment),
  };
}

const ANSWER_MS = 30_000;
/** The longest recording, of four hours, has 58 MB. */
const UPLOAD_MS = 600_000;

export function s3Objects({ endpoint, region, accessKeyId, secretAccessKey, prefix }: S3Bucket): S3Objects {
  const bucket = new S3mini({ endpoint, region, accessKeyId, secretAccessKey, fetch: fetchInTime });
  const nameOf = (key: string) => (prefix === undefined ? key : `${prefix}/${key}`);
  return {
    async put(key, content, { contentType, sizeBytes, sha256 }) {
      const name = nameOf(key);
      const checksum = Buffer.from(sha256, "hex").toString("base64");
      const headers = { "x-amz-checksum-sha256": checksum } as const;
      // A length of 0 omits the header: fetch sends the file's length itself, and a second header would be refused.
      await bucket.putObject(name, content, contentType, undefined, headers, 0);
      const stored = await bucket.getContentLength(name);
      if (stored !== sizeBytes) throw new Error(`S3 has ${stored} octets of ${name} instead of ${sizeBytes}`);
    },
    async read(key, range) {
      try {
        const answer = range
          ? await bucket.getObjectRaw(nameOf(key), false, range.first, range.last + 1)
          : await bucket.getObjectRaw(nameOf(key));
        const length = Number(answer.headers.get("Content-Length"));
        if (range && length !== range.last - range.first + 1) {
          await answer.body?.cancel();
          throw new Error(`S3 answered ${length} octets of ${nameOf(key)} instead of the range it was asked for`);
        }
        return answer.body ? Readable.fromWeb(answer.body as WebStream) : undefined;
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    async remove(keys) {
      for (const key of keys) {
        await bucket.deleteObject(nameOf(key)).catch((error: unknown) => {
          if (!isMissing(error)) throw error;
        });
      }
    },
  };
}

function isMissing(error: unknown): boolean {
  return error instanceof S3ServiceError && error.status === 404;
}

/** The answer must begin in time; reading its body may take any time. */
async function fetchInTime(url: string | URL | Request, init?: RequestInit): Promise<Response> {
  const isUpload = init?.method === "PUT";
  const given = new AbortController();
  const timer = setTimeout(() => given.abort(new Error("S3 did not answer in time")), isUpload ? UPLOAD_MS : ANSWER_MS);
  try {
    return await fetch(url, { ...init, signal: given.signal });
  } catch (error) {
    // The error of fetch only reports that it failed; the reason is in its cause.
    const { code, message } = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
    throw new Error(`S3 cannot be reached: ${message || code}`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}
