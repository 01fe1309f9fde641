// PEM text in settings is given as itself or by the path of its file.

import { readFileSync } from "node:fs";

/** Call it for every connection, so that a renewed certificate is taken up. */
export function readPem(textOrPath: string): string {
  return textOrPath.includes("-----BEGIN") ? textOrPath : readFileSync(textOrPath, "utf8");
}
