// /docs/: the documents and the reference as one site, where `npm run docs` has built it.
//
// Guarantees: pages load nothing from elsewhere and run no inline script.

import type { MaybePromise } from "../../../base/maybe-promise.ts";
import type { Answer } from "../core/answer.ts";
import type { Exchange } from "../core/exchange.ts";
import { notFound } from "../core/http-server.ts";
import { type BuiltFiles, INDEX } from "./built-files.ts";
import { answerWithFile, headersOfPage } from "./static-file.ts";

/** Highlighted code has its colours in style attributes, so these are allowed. */
const HEADERS = headersOfPage([
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "style-src-attr 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
]);

/** `path` is what follows /docs. Addresses of pages have no `.html`. */
export function answerWithSiteFile(
  exchange: Exchange,
  site: BuiltFiles | undefined,
  path: string,
): MaybePromise<Answer> {
  const file = site?.get(path) ?? site?.get(`${path}.html`) ?? site?.get(`${path}${INDEX}`);
  if (!file) return notFound(exchange);
  const kept = path.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-cache";
  return answerWithFile(exchange, file, { ...HEADERS, "Cache-Control": kept });
}
