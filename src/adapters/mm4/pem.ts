import { readFileSync } from "node:fs";

/** PEM text, given as itself or by the path of its file. */
export function readPem(textOrPath: string): string {
  return textOrPath.includes("-----BEGIN") ? textOrPath : readFileSync(textOrPath, "utf8");
}
