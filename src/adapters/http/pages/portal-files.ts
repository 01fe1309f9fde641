// Serves the built portal: its page at / and at every address that has no other route, and its files.
//
// Guarantees: those of built-files.ts. Files below /assets have names that change with their content, and browsers
// cache them permanently. Those of earlier builds are served too (earlier-assets.ts). The page may load nothing from
// elsewhere, run no inline script and be shown in no frame. Unknown addresses of the API are answered with a problem,
// and so is every unknown address when the client does not ask for a page.

import type { Answer } from "../core/answer.ts";
import type { Exchange } from "../core/exchange.ts";
import { type HttpServer, notFound } from "../core/http-server.ts";
import { PAGE_HEADERS } from "../core/page.ts";
import { builtFilesIn, INDEX } from "./built-files.ts";
import { EarlierAssets } from "./earlier-assets.ts";
import { answerWithFile, headersOfPage } from "./static-file.ts";

export interface PortalDeps {
  /** Where the build puts it. */
  readonly directory: string;
  /** Keeps the assets of earlier builds. */
  readonly assetsFolder: string;
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

export interface PortalFiles {
  mount(http: HttpServer): void;
  /** Keeps the assets of the build that is served now for the time after it. */
  keepAssets(now: Date): Promise<void>;
}

export function portalFiles({ directory, assetsFolder, unbuiltPage }: PortalDeps): PortalFiles {
  const files = builtFilesIn(directory);
  const earlier = new EarlierAssets(assetsFolder);
  const page = async (exchange: Exchange): Promise<Answer> => {
    const index = files()?.get(`/${INDEX}`);
    if (!index) return { status: 200, headers: PAGE_HEADERS, text: "", raw: Buffer.from(unbuiltPage()) };
    return answerWithFile(exchange, index, {
      ...HEADERS,
      "Cache-Control": "no-cache",
      "Permissions-Policy": "microphone=(self), camera=(), geolocation=()",
    });
  };
  const elsewhere = async (exchange: Exchange): Promise<Answer> => {
    const [path = ""] = exchange.url.split("?", 1);
    const file = files()?.get(path) ?? (await earlier.find(path));
    if (file) {
      const kept = path.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-cache";
      return answerWithFile(exchange, file, { ...HEADERS, "Cache-Control": kept });
    }
    const asksForPage = exchange.headers.accept?.includes("text/html") && !OTHERS.test(path);
    return asksForPage ? page(exchange) : notFound(exchange);
  };
  return {
    mount(http) {
      http.get("/", page);
      http.getElsewhere(elsewhere);
    },
    async keepAssets(now) {
      const current = files();
      if (current) await earlier.keep(current, now);
    },
  };
}
