// Serves the built portal: its page at / and at every address that has no other route, and its files.
//
// Guarantees: those of built-files.ts. Files below /assets have names that change with their content, and browsers
// cache them permanently. The page may load nothing from elsewhere, run no inline script and be shown in no frame.
// Unknown addresses of the API are answered with a problem, and so is every unknown address when the client does not
// ask for a page.

import type { Answer } from "../core/answer.ts";
import type { Exchange } from "../core/exchange.ts";
import { type HttpServer, notFound } from "../core/http-server.ts";
import { PAGE_HEADERS } from "../core/page.ts";
import { builtFilesIn, INDEX } from "./built-files.ts";
import { answerWithFile, headersOfPage } from "./static-file.ts";

export interface PortalDeps {
  /** Where the build puts it. */
  readonly directory: string;
  /** What / shows where no portal is built. */
  readonly unbuiltPage: () => string;
}

const HEADERS = headersOfPage([
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
]);

/** Addresses of the API and of its documents. */
const OTHERS = /^\/(([^/]+\/)?v\d+|\d{4}-\d\d-\d\d|[^/]+\/swagger|swagger|docs|assets|healthz|readyz|metrics)(\/|$)/i;

export function mountPortal(http: HttpServer, { directory, unbuiltPage }: PortalDeps): void {
  const files = builtFilesIn(directory);
  const page = async (exchange: Exchange): Promise<Answer> => {
    const index = files()?.get(`/${INDEX}`);
    if (!index) return { status: 200, headers: PAGE_HEADERS, text: "", raw: Buffer.from(unbuiltPage()) };
    return answerWithFile(exchange, index, {
      ...HEADERS,
      "Cache-Control": "no-cache",
      "Permissions-Policy": "microphone=(self), camera=(), geolocation=()",
    });
  };
  http.get("/", page);
  http.getElsewhere((exchange) => {
    const [path = ""] = exchange.url.split("?", 1);
    const file = files()?.get(path);
    if (file) {
      const kept = path.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-cache";
      return answerWithFile(exchange, file, { ...HEADERS, "Cache-Control": kept });
    }
    const asksForPage = exchange.headers.accept?.includes("text/html") && !OTHERS.test(path);
    return asksForPage ? page(exchange) : notFound(exchange);
  });
}
