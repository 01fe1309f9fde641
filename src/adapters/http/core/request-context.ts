// A request as operations see it, from the HTTP server or the fast path.

import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { SessionOwner } from "../../../domain/accounts/index.ts";

export type Caller = SessionOwner;

export interface RequestContext {
  readonly id: string;
  readonly method: string;
  readonly url: string;
  readonly ip: string;
  readonly headers: IncomingHttpHeaders;
  readonly params: unknown;
  readonly query: unknown;
  startedMs: number;
  /** Null until signed in. */
  caller: Caller | null;
  /** Names and values alternate; null when no limit applies. */
  limitHeaders: readonly (string | number)[] | null;
}

const SANE_REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

export function requestIdOf(request: { readonly headers: IncomingHttpHeaders }): string {
  const given = request.headers["x-request-id"];
  return typeof given === "string" && SANE_REQUEST_ID.test(given) ? given : randomUUID();
}
