// /docs/reference: the API reference, which Redoc renders from the whole document in the reader's browser. Every
// operation has its own address, `/docs/reference#operation/sendMessage`. /docs is the site of all documents where it
// is built (docs-site.ts), and the same reference where it is not.
//
// Guarantees: script and document come from this server, and the page can load nothing from elsewhere. The script's
// address changes with its content, so browsers cache it permanently.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Exchange } from "../core/exchange.ts";
import type { HttpServer } from "../core/http-server.ts";
import { escapeHtml } from "../core/page.ts";
import { builtFilesIn } from "./built-files.ts";
import { answerWithSiteFile } from "./docs-site.ts";
import { answerWithFile, headersOfPage, type StaticFile, staticFile } from "./static-file.ts";

export interface DocsDeps {
  /** Redoc's script, where the build puts it. Read on the first request for the page. */
  readonly script: string;
  /** Where the site of the documents is, once it is built. */
  readonly site: string;
  readonly documents: readonly { readonly title: string; readonly url: string }[];
  /** The address of the document that is shown. */
  readonly shown: string;
}

/**
 * As strict as Redoc permits. Redoc writes styles into the page at run time, different ones in each render, so neither
 * digest nor nonce can cover them: 'unsafe-inline' for styles, on this page only. Its search runs in a worker made from
 * a blob.
 */
const HEADERS = headersOfPage([
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "img-src data:",
  "connect-src 'self'",
  "worker-src blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
]);

const FONT = "system-ui, sans-serif";

const THEME = {
  colors: { primary: { main: "#0a6cbd" } },
  typography: {
    fontFamily: FONT,
    fontSize: "15px",
    headings: { fontFamily: FONT },
    code: { fontFamily: "ui-monospace, monospace", wrap: true },
  },
  sidebar: { width: "290px" },
};

/** Attributes of the element that Redoc looks for. */
const OPTIONS: Readonly<Record<string, string>> = {
  "expand-responses": "200,201",
  "required-props-first": "true",
  "json-sample-expand-level": "3",
  "path-in-middle-panel": "true",
  "hide-hostname": "true",
  "hide-schema-pattern": "true",
  "native-scrollbars": "true",
  theme: JSON.stringify(THEME),
};

/** Long names break instead of making a narrow page wider. */
const STYLE = "body { margin: 0 } redoc { display: block } td, h1, h2, h3, h5, p, code { overflow-wrap: anywhere }";

export function mountDocs(http: HttpServer, deps: DocsDeps): void {
  let known: { readonly address: string; readonly file: StaticFile } | undefined;
  const script = () => {
    if (!known) {
      const bytes = readFileSync(deps.script);
      const address = `/docs/redoc-${createHash("sha256").update(bytes).digest("hex").slice(0, 12)}.js`;
      known = { address, file: staticFile(address, bytes) };
    }
    return known;
  };
  const page = () => staticFile("docs.html", Buffer.from(pageText(deps, script().address)));
  const site = builtFilesIn(deps.site);
  const reference = (exchange: Exchange) =>
    answerWithFile(exchange, page(), { ...HEADERS, "Cache-Control": "no-cache" });
  const document = (exchange: Exchange) => {
    const [path = ""] = exchange.url.split("?", 1);
    if (path !== script().address) return answerWithSiteFile(exchange, site(), path.slice("/docs".length));
    const headers = { ...HEADERS, "Cache-Control": "public, max-age=31536000, immutable" };
    return answerWithFile(exchange, script().file, headers);
  };
  // Also with a trailing slash, below which the site's pages are.
  http.get("/docs", (exchange) => {
    if (!site()) return reference(exchange);
    return /^\/docs\//.test(exchange.url)
      ? document(exchange)
      : { status: 302, headers: { Location: "/docs/" }, text: "" };
  });
  http.get("/docs/reference", reference);
  http.get("/docs/*", document);
  http.get("/llms.txt", (exchange) => answerWithSiteFile(exchange, site(), "/llms.txt"));
}

function pageText({ documents, shown }: DocsDeps, script: string): string {
  const options = Object.entries(OPTIONS).map(([name, value]) => `${name}="${escapeHtml(value)}"`);
  const links = documents.map(({ title, url }) => `<li><a href="${escapeHtml(url)}">${escapeHtml(title)}</a></li>`);
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Tandem: reference of the API</title><style>${STYLE}</style></head>
<body><redoc spec-url="${escapeHtml(shown)}" ${options.join(" ")}></redoc>
<noscript><h1>Tandem: reference of the API</h1><p>This page is drawn by a script. What it shows:</p><ul>${links.join("")}</ul></noscript>
<script src="${script}"></script></body></html>`;
}
