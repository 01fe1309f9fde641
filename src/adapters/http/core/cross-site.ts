// What pages of other sites may do from a browser. A browser adds the Basic credentials that it remembers to their
// requests too: a form that submits itself could send messages. Such pages may change nothing and read nothing, unless
// the operator allows their origin (CORS). A request with neither Origin nor Sec-Fetch-Site does not come from a page
// and is not checked. The fast path hands requests of browsers on, so this is the only check.

import { problem } from "../../../domain/problems.ts";
import { type Answer, renderProblem } from "./answer.ts";
import type { Exchange } from "./exchange.ts";
import { asksForSocket } from "./web-socket.ts";

export interface OriginRules {
  /** Origins of other sites whose pages may call the API. */
  readonly corsOrigins: readonly string[];
  /** The server's public address; its origin is ours even where a proxy changes Host. */
  readonly publicUrl?: string | undefined;
}

const CHANGES: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH", "DELETE"]);

const PREFLIGHT = {
  "Access-Control-Allow-Methods": ["GET", "HEAD", ...CHANGES].join(", "),
  "Access-Control-Allow-Headers":
    "Authorization, Content-Type, Idempotency-Key, Last-Event-ID, X-Request-Id, traceparent",
  "Access-Control-Max-Age": "600",
};

const FOREIGN_SOCKET = problem("cross-site", "Only pages of this server open a WebSocket.");
const CROSS_SITE = problem("cross-site", "The operator allows the origins of pages by TANDEM_CORS_ORIGINS.");

export type OriginGuard = (exchange: Exchange) => Answer | undefined;

/** The guard answers requests that reach no operation: refused requests of other sites, and CORS preflights. */
export function guardOrigins({ corsOrigins, publicUrl }: OriginRules): OriginGuard {
  const allowed = new Set(corsOrigins);
  const own = publicUrl === undefined ? undefined : new URL(publicUrl).origin;
  return (exchange) => {
    const { method, headers, response } = exchange;
    // On every answer, because a cache may keep one that was given to a request without an origin.
    if (allowed.size > 0) response.setHeader("Vary", "Origin");
    const { origin, "sec-fetch-site": site } = headers;
    if (origin === undefined && site === undefined) return undefined;
    // Browsers send the session cookie whichever page opens a WebSocket; only these headers identify the page.
    if (asksForSocket(headers) && isCrossSite(exchange, own)) return renderProblem(exchange, FOREIGN_SOCKET);
    if (origin !== undefined && allowed.has(origin)) {
      response.setHeader("Access-Control-Allow-Origin", origin);
      response.setHeader("Access-Control-Expose-Headers", "*");
      if (method !== "OPTIONS" || !headers["access-control-request-method"]) return undefined;
      return { status: 204, headers: PREFLIGHT, text: "" };
    }
    return CHANGES.has(method) && isCrossSite(exchange, own) ? renderProblem(exchange, CROSS_SITE) : undefined;
  };
}

/** Browsers send Sec-Fetch-Site over HTTPS and to localhost only, Origin with requests that may change something. */
function isCrossSite({ headers, host }: Exchange, own: string | undefined): boolean {
  const { origin = "", "sec-fetch-site": site } = headers;
  if (site !== undefined) return site !== "same-origin" && site !== "none";
  return origin !== own && hostOf(origin) !== host.toLowerCase();
}

/** Undefined for `null`, the origin of pages without one. */
function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}
