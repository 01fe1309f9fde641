// Serves the built portal: its page at / and at every address that is no other's, its files beside it.
//
// Guarantees: only files that were there when the portal was read are served, so no address leads out of its folder. A
// portal that is built anew is served anew. Files below /assets have names that change with their content, and are kept
// by browsers for good. The page may load nothing from elsewhere, run no script of its own text and stand in no frame.
// Addresses of the API that lead nowhere stay problems, as they do for whoever does not ask for a page.

import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Answer } from "../core/answer.ts";
import type { Exchange } from "../core/exchange.ts";
import { type HttpServer, notFound } from "../core/http-server.ts";
import { PAGE_HEADERS } from "../core/page.ts";
import { answerWithFile, type StaticFile, staticFile } from "./static-file.ts";

export interface PortalDeps {
  /** Where the build puts it. */
  readonly directory: string;
  /** What / shows where no portal is built. */
  readonly unbuiltPage: () => string;
}

interface Portal {
  readonly builtMs: number;
  /** By address, `/assets/index-….js`. */
  readonly files: ReadonlyMap<string, StaticFile>;
}

const INDEX = "index.html";

const POLICY = [
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
].join("; ");

const HEADERS = {
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Content-Security-Policy": POLICY,
} as const;

/** Addresses of the API and of its documents. */
const OTHERS = /^\/(([^/]+\/)?v\d+|\d{4}-\d\d-\d\d|[^/]+\/swagger|swagger|docs|assets|healthz|readyz|metrics)(\/|$)/i;

export function mountPortal(http: HttpServer, { directory, unbuiltPage }: PortalDeps): void {
  const portal = watched(directory);
  const page = async (exchange: Exchange): Promise<Answer> => {
    const index = portal()?.files.get(`/${INDEX}`);
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
    const file = portal()?.files.get(path);
    if (file) {
      const kept = path.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-cache";
      return answerWithFile(exchange, file, { ...HEADERS, "Cache-Control": kept });
    }
    const asksForPage = exchange.headers.accept?.includes("text/html") && !OTHERS.test(path);
    return asksForPage ? page(exchange) : notFound(exchange);
  });
}

/** The portal as it is now; undefined where there is none. */
function watched(directory: string): () => Portal | undefined {
  let known: Portal | undefined;
  return () => {
    const builtMs = statSync(join(directory, INDEX), { throwIfNoEntry: false })?.mtimeMs;
    if (builtMs === undefined) known = undefined;
    else if (known?.builtMs !== builtMs) known = { builtMs, files: readFiles(directory) };
    return known;
  };
}

function readFiles(directory: string): ReadonlyMap<string, StaticFile> {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    entries.map((entry) => {
      const file = join(entry.parentPath ?? entry.path, entry.name);
      return [file.slice(directory.length).replaceAll("\\", "/"), staticFile(entry.name, readFileSync(file))];
    }),
  );
}
