// A client for the Tandem API: global fetch and nothing else, for Node 20 and browsers.
// Guarantees: a call ends within its timeout, body included; it ends in an Answer, a TandemError or a TandemNetworkError.
// Does not try again by itself: `TandemError.retryAfterSeconds` and `Answer.rateLimit` say when that makes sense.

import { type RateLimit, rateLimitOf } from "./answer-headers.ts";
import { TandemError, TandemNetworkError } from "./errors.ts";
import type { LookupBatchAnswer, NumberInformation, OwnAccount } from "./types.ts";

export interface ClientOrder {
  /** As in `http://localhost:8080`. */
  readonly baseUrl: string;
  readonly accountSid: string;
  readonly token: string;
  /** Instead of the global one. */
  readonly fetch?: typeof fetch;
  /** For a whole call; 30 seconds unless told. */
  readonly timeoutMs?: number;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
}

export interface BatchOptions extends CallOptions {
  readonly idempotencyKey?: string;
}

export interface Answer<Data> {
  readonly data: Data;
  readonly status: number;
  readonly requestId: string | undefined;
  readonly rateLimit: RateLimit | undefined;
}

export interface LookupAnswer extends Answer<NumberInformation> {
  /** Where the answer came from: override, own, enum, http, sip or table. */
  readonly source: string | undefined;
  /** When that source last knew it, in ISO 8601. */
  readonly asOf: string | undefined;
}

export interface TandemClient {
  readonly lookup: {
    number(number: string, options?: CallOptions): Promise<LookupAnswer>;
    /** Up to a thousand, answered in order; one that is no number stands there with its error. */
    numbers(numbers: readonly string[], options?: BatchOptions): Promise<Answer<LookupBatchAnswer>>;
  };
  readonly account: {
    get(options?: CallOptions): Promise<Answer<OwnAccount>>;
  };
}

interface Call extends CallOptions {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

interface RawAnswer<Data> extends Answer<Data> {
  readonly headers: Headers;
}

const TIMEOUT_MS = 30_000;

export function createClient(order: ClientOrder): TandemClient {
  return {
    lookup: {
      async number(number, options) {
        const path = `/carrierLookup/v1/Numbers/${encodeURIComponent(number)}`;
        const { headers, ...answer } = await call<NumberInformation>(order, { ...options, method: "GET", path });
        return {
          ...answer,
          source: headers.get("X-Lookup-Source") ?? undefined,
          asOf: headers.get("X-Lookup-As-Of") ?? undefined,
        };
      },
      async numbers(numbers, { idempotencyKey, ...options } = {}) {
        const { headers: _, ...answer } = await call<LookupBatchAnswer>(order, {
          ...options,
          method: "POST",
          path: "/carrierLookup/v1/Numbers",
          body: { numbers },
          ...(idempotencyKey === undefined ? {} : { headers: { "Idempotency-Key": idempotencyKey } }),
        });
        return answer;
      },
    },
    account: {
      async get(options) {
        const { headers: _, ...answer } = await call<OwnAccount>(order, {
          ...options,
          method: "GET",
          path: "/v1/Account",
        });
        return answer;
      },
    },
  };
}

async function call<Data>(order: ClientOrder, request: Call): Promise<RawAnswer<Data>> {
  const { timeoutMs = TIMEOUT_MS } = order;
  const ending = new AbortController();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    ending.abort();
  }, timeoutMs);
  const abort = () => ending.abort();
  request.signal?.addEventListener("abort", abort);
  if (request.signal?.aborted) abort();
  try {
    return await exchange<Data>(order, request, ending.signal);
  } catch (error) {
    if (error instanceof TandemError || error instanceof TandemNetworkError) throw error;
    if (request.signal?.aborted) throw new TandemNetworkError("aborted", "The call was given up.", error);
    if (isLate) {
      throw new TandemNetworkError("timeout", `${order.baseUrl} did not answer within ${timeoutMs / 1000} s.`, error);
    }
    throw new TandemNetworkError("unreachable", `${order.baseUrl} cannot be reached: ${reasonOf(error)}.`, error);
  } finally {
    clearTimeout(timer);
    request.signal?.removeEventListener("abort", abort);
  }
}

async function exchange<Data>(order: ClientOrder, request: Call, signal: AbortSignal): Promise<RawAnswer<Data>> {
  const ask = order.fetch ?? fetch;
  const response = await ask(`${order.baseUrl.replace(/\/+$/, "")}${request.path}`, {
    method: request.method,
    headers: {
      Accept: "application/json",
      Authorization: `Basic ${base64(`${order.accountSid}:${order.token}`)}`,
      ...(request.body === undefined ? {} : { "Content-Type": "application/json" }),
      ...request.headers,
    },
    ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
    // The API never redirects, and credentials should not follow whoever does.
    redirect: "error",
    signal,
  });
  const { status, headers } = response;
  const body = parseOrNothing(await response.text());
  if (!response.ok) throw new TandemError(status, headers, body);
  if (body === undefined) {
    throw new TandemNetworkError("garbled", `${order.baseUrl} answered ${status} with something other than JSON.`);
  }
  const requestId = headers.get("X-Request-Id") ?? undefined;
  return { data: body as Data, status, headers, requestId, rateLimit: rateLimitOf(headers) };
}

function parseOrNothing(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** fetch says "fetch failed" and keeps the reason in the cause. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  // Node tries every address of a name and gathers the failures.
  const first = cause instanceof AggregateError ? cause.errors[0] : cause;
  const { code, message } = first as { code?: unknown; message?: unknown };
  return String(message || code || first);
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
