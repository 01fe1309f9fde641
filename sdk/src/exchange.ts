// One call of the API: global fetch and nothing else, for Node 20 and browsers.
// Guarantees: a call ends within its timeout, body included; it ends in an Answer, a TandemError or a TandemNetworkError.

import { type RateLimit, rateLimitOf } from "./answer-headers.ts";
import { TandemError, TandemNetworkError } from "./errors.ts";

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

/** Of a call that makes or changes something. */
export interface WriteOptions extends CallOptions {
  /** The same key with the same request does it only once. */
  readonly idempotencyKey?: string;
}

export interface Answer<Data> {
  readonly data: Data;
  readonly status: number;
  readonly requestId: string | undefined;
  readonly rateLimit: RateLimit | undefined;
}

export interface Call extends WriteOptions {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly path: string;
  /** Members that are undefined are left out. */
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
  /** Instead of a body. */
  readonly form?: FormData;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface RawAnswer<Data> extends Answer<Data> {
  readonly headers: Headers;
}

const TIMEOUT_MS = 30_000;

/** A call of whose answer the headers are not wanted. */
export async function ask<Data>(order: ClientOrder, request: Call): Promise<Answer<Data>> {
  const { headers: _, ...answer } = await call<Data>(order, request);
  return answer;
}

export async function call<Data>(order: ClientOrder, request: Call): Promise<RawAnswer<Data>> {
  return withinTime(order, request.signal, (signal) => exchange<Data>(order, request, signal, readJson));
}

/** A call that is answered with a file. */
export async function askForFile(order: ClientOrder, request: Call): Promise<Answer<Uint8Array>> {
  const { headers: _, ...answer } = await withinTime(order, request.signal, (signal) =>
    exchange<Uint8Array>(order, request, signal, async (response) => new Uint8Array(await response.arrayBuffer())),
  );
  return answer;
}

/** Sends a request; whatever comes back is for the caller to read. */
export function send(order: ClientOrder, request: Call, signal: AbortSignal): Promise<Response> {
  const { body, form, idempotencyKey } = request;
  return (order.fetch ?? fetch)(urlOf(order, request), {
    method: request.method,
    headers: {
      Accept: "application/json",
      Authorization: `Basic ${base64(`${order.accountSid}:${order.token}`)}`,
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      ...(idempotencyKey === undefined ? {} : { "Idempotency-Key": idempotencyKey }),
      ...request.headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    // Its content type comes with it.
    ...(form === undefined ? {} : { body: form }),
    // The API never redirects, and credentials should not follow whoever does.
    redirect: "error",
    signal,
  });
}

/** Whatever ends the work early is told as one of our errors. */
export async function withinTime<Result>(
  order: ClientOrder,
  wish: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const { timeoutMs = TIMEOUT_MS } = order;
  const ending = new AbortController();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    ending.abort();
  }, timeoutMs);
  const abort = () => ending.abort();
  wish?.addEventListener("abort", abort);
  if (wish?.aborted) abort();
  try {
    return await work(ending.signal);
  } catch (error) {
    if (error instanceof TandemError || error instanceof TandemNetworkError) throw error;
    if (wish?.aborted) throw new TandemNetworkError("aborted", "The call was given up.", error);
    if (isLate) {
      throw new TandemNetworkError("timeout", `${order.baseUrl} did not answer within ${timeoutMs / 1000} s.`, error);
    }
    throw new TandemNetworkError("unreachable", `${order.baseUrl} cannot be reached: ${reasonOf(error)}.`, error);
  } finally {
    clearTimeout(timer);
    wish?.removeEventListener("abort", abort);
  }
}

type Read<Data> = (response: Response, order: ClientOrder) => Promise<Data>;

async function exchange<Data>(
  order: ClientOrder,
  request: Call,
  signal: AbortSignal,
  read: Read<Data>,
): Promise<RawAnswer<Data>> {
  const response = await send(order, request, signal);
  const { status, headers } = response;
  if (!response.ok) throw refusalOf(response, await response.text());
  const data = await read(response, order);
  const requestId = headers.get("X-Request-Id") ?? undefined;
  return { data, status, headers, requestId, rateLimit: rateLimitOf(headers) };
}

async function readJson<Data>(response: Response, { baseUrl }: ClientOrder): Promise<Data> {
  const { status } = response;
  const body = parseOrNothing(await response.text());
  if (body === undefined && status !== 204) {
    throw new TandemNetworkError("garbled", `${baseUrl} answered ${status} with something other than JSON.`);
  }
  return body as Data;
}

export function refusalOf({ headers, status }: Response, text: string): TandemError {
  return new TandemError(status, headers, parseOrNothing(text));
}

function urlOf({ baseUrl }: ClientOrder, { path, query = {} }: Call): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) given.set(name, String(value));
  return `${baseUrl.replace(/\/+$/, "")}${path}${given.size === 0 ? "" : `?${given}`}`;
}

function parseOrNothing(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** fetch says "fetch failed" and keeps the reason in the cause. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  // Node tries every address of a name and gathers the failures.
  const first = cause instanceof AggregateError ? cause.errors[0] : cause;
  const { code, message } = first as { code?: unknown; message?: unknown };
  return String(message || code || first);
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
