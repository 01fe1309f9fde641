// A file that a page loads: its bytes, its type, and how it is sent, compressed where the browser accepts that.

import { extname } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { tableOf } from "../../../base/table.ts";
import type { Answer } from "../core/answer.ts";
import type { Exchange } from "../core/exchange.ts";

export interface StaticFile {
  readonly bytes: Buffer;
  readonly contentType: string;
  /** Undefined for a file whose format is already compressed. */
  readonly zipped: (() => Promise<Buffer>) | undefined;
}

const TYPES = tableOf<string>({
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".md": "text/markdown; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".woff2": "font/woff2",
});
const ZIPPED = new Set([".css", ".html", ".js", ".json", ".md", ".svg", ".txt", ".wasm"]);

const zip = promisify(gzip);

export function staticFile(name: string, bytes: Buffer): StaticFile {
  const extension = extname(name);
  let zipping: Promise<Buffer> | undefined;
  const zipped = () => {
    zipping ??= zip(bytes, { level: 9 });
    return zipping;
  };
  return {
    bytes,
    contentType: TYPES.get(extension) ?? "application/octet-stream",
    zipped: ZIPPED.has(extension) ? zipped : undefined,
  };
}

/** The headers of a page and its files, with its Content-Security-Policy. */
export function headersOfPage(policy: readonly string[]): Readonly<Record<string, string>> {
  return {
    "Content-Security-Policy": policy.join("; "),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
  };
}

/** `headers`: those of the page that loads the file. */
export async function answerWithFile(
  exchange: Exchange,
  file: StaticFile,
  headers: Readonly<Record<string, string>>,
): Promise<Answer> {
  const ofFile = { ...headers, "Content-Type": file.contentType, Vary: "Accept-Encoding" };
  const takesZipped = /\bgzip\b/.test(String(exchange.headers["accept-encoding"] ?? ""));
  if (!file.zipped || !takesZipped) return { status: 200, headers: ofFile, text: "", raw: file.bytes };
  return { status: 200, headers: { ...ofFile, "Content-Encoding": "gzip" }, text: "", raw: await file.zipped() };
}
