// One request to the HTTP server and its answer.

import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { Uuids } from "../../../base/ids.ts";
import type { Operation } from "./operation.ts";
import type { Caller, RequestContext } from "./request-context.ts";
import { requestIdOf } from "./request-context.ts";
import type { TrustedProxies } from "./trusted-proxies.ts";

export class Exchange implements RequestContext {
  readonly id: string;
  readonly method: string;
  readonly url: string;
  /** The caller's address. */
  readonly ip: string;
  /** The host name that the caller requested. */
  readonly host: string;
  readonly headers: IncomingHttpHeaders;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The operation of the route, if one was found. */
  operation: Operation | undefined = undefined;
  params: unknown = undefined;
  query: unknown = undefined;
  startedMs = 0;
  caller: Caller | null = null;
  limitHeaders: RequestContext["limitHeaders"] = null;
  /** The answer was written, or the connection was handed over. */
  isAnswered = false;

  constructor(request: IncomingMessage, response: ServerResponse, proxies: TrustedProxies, uuids: Uuids) {
    this.id = requestIdOf(request, uuids);
    this.method = request.method ?? "";
    this.url = request.url ?? "";
    this.headers = request.headers;
    this.request = request;
    this.response = response;
    ({ ip: this.ip, host: this.host } = proxies.callerOf(request));
  }
}
