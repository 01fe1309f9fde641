// A PEM setting is either the text itself or the path of a file.

import { readFileSync } from "node:fs";

/** Call it for every connection, so that a renewed certificate is picked up. */
export function readPem(textOrPath: string): string {
  return textOrPath.includes("-----BEGIN") ? textOrPath : readFileSync(textOrPath, "utf8");
}
