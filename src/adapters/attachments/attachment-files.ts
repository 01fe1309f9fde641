// The files of media, in a folder of this machine or in a bucket of S3, each under a name of its own. Files from before
// are named by the SHA-256 of their content. Does not know who owns a file or how long it is needed: the caller that
// removes it must know.

import type { Readable } from "node:stream";

export interface MediaFiles {
  /** When it resolves, the file is durable and complete. */
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** Undefined when there is no such file. The caller reads the stream to its end or destroys it. */
  read(name: string): Promise<Readable | undefined>;
  /** One that does not exist counts as removed. */
  remove(name: string): Promise<void>;
}

const NAME = /^(?:ME[0-9a-f]{32}|[0-9a-f]{64})$/;
const DIGEST = /^[0-9a-f]{64}$/;

export const isDigest = (name: string): boolean => DIGEST.test(name);

/** Its path in the folder, and its key in the bucket; undefined where it can be the name of no file. */
export function placeOf(name: string): string | undefined {
  if (!NAME.test(name)) return undefined;
  // The digits of a sid begin with its time: only the last ones spread the files over the folders.
  return `${isDigest(name) ? name.slice(0, 2) : name.slice(-2)}/${name}`;
}

/** Throws where it can be the name of no file. */
export function placeFor(name: string): string {
  const place = placeOf(name);
  if (place === undefined) throw new Error(`${name} is no name of a media file`);
  return place;
}
