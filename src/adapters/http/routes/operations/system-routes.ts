// Routes outside the API: health, metrics, the OpenAPI documents and the HTML pages.

import { problem } from "../../../../domain/problems.ts";
import { type Answer, renderProblem } from "../../core/answer.ts";
import type { Exchange } from "../../core/exchange.ts";
import type { HttpServer } from "../../core/http-server.ts";
import { mountDocs } from "../../pages/docs-page.ts";

export interface SystemRouteDeps {
  readonly version: string;
  /** What the server cannot work without: name → undefined when it works, or what is wrong. */
  readonly check: () => Promise<Readonly<Record<string, string | undefined>>>;
  /** Reported in addition to the checks, without effect on readiness. `hasStore`: whether the store works. */
  readonly state: (hasStore: boolean) => Promise<Readonly<Record<string, unknown>>>;
  readonly metrics: () => Promise<string>;
  /** The local address on which metrics are served, in addition to loopback. */
  readonly metricsHost: string | undefined;
  /** Made on the first request: making them takes longer than the rest of the start-up. */
  readonly documents: () => { readonly lookup: object; readonly messaging: object; readonly everything: object };
  /** The file that renders the reference in browsers. */
  readonly docsScript: string;
  /** Where the site of the documents is, once it is built. */
  readonly docsSite: string;
}

const DOCUMENT_URLS = {
  lookup: "/carrierLookup/swagger/v1/swagger.json",
  messaging: "/messaging/swagger/v1/swagger.json",
  everything: "/swagger/v1/swagger.json",
} as const;

const json = (text: string, status = 200): Answer => ({ status, headers: {}, text });

export function mountSystemRoutes(http: HttpServer, deps: SystemRouteDeps): void {
  const alive = JSON.stringify({ status: "alive", version: deps.version });
  http.get("/healthz", () => json(alive));
  http.get("/readyz", async () => {
    const checks = await deps.check();
    const faulty = Object.values(checks).some((fault) => fault !== undefined);
    const state = await deps.state(checks.store === undefined);
    const shown = Object.fromEntries(Object.entries(checks).map(([name, fault]) => [name, fault ?? "ok"]));
    const text = JSON.stringify({ status: faulty ? "not ready" : "ready", checks: shown, ...state });
    return json(text, faulty ? 503 : 200);
  });
  http.get("/metrics", async (exchange) => {
    if (!mayReadMetrics(exchange, deps.metricsHost)) return renderProblem(exchange, problem("not-found"));
    const headers = { "Content-Type": "text/plain; version=0.0.4; charset=utf-8" };
    return { status: 200, headers, text: "", raw: Buffer.from(await deps.metrics()) };
  });
  for (const [name, url] of Object.entries(DOCUMENT_URLS)) {
    const text = once(() => JSON.stringify(deps.documents()[name as keyof typeof DOCUMENT_URLS]));
    http.get(url, () => json(text()));
  }
  const documents = Object.entries(DOCUMENT_URLS).map(([name, url]) => ({ title: `OpenAPI: ${name}`, url }));
  mountDocs(http, { script: deps.docsScript, site: deps.docsSite, documents, shown: DOCUMENT_URLS.everything });
}

function once<Value>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;
const LOOPBACK_NAME = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;
/** Headers that proxies add. */
const FORWARDING =
  /^(forwarded|via|x-(forwarded|real|client|cluster|original|envoy)-.*|.*-connecting-ip|true-client-ip)$/;

/**
 * Decides by the local address of the connection. A proxy on this machine connects over loopback too: it is recognized
 * by the headers that it adds, by the host name that its callers requested, and nginx, which changes both, by its
 * HTTP/1.0.
 */
function mayReadMetrics({ headers, request }: Exchange, metricsHost: string | undefined): boolean {
  if (Object.keys(headers).some((name) => FORWARDING.test(name))) return false;
  const local = request.socket.localAddress ?? "";
  if (local === metricsHost || local === `::ffff:${metricsHost}`) return true;
  return LOOPBACK.test(local) && LOOPBACK_NAME.test(headers.host ?? "") && request.httpVersion !== "1.0";
}
