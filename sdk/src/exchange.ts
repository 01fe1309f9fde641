// One call of the API by the global fetch, for Node 20, Deno and browsers. It is retried after temporary faults
// (retry.ts), a POST with the same Idempotency-Key, so that it is carried out once.
//
// Guarantees: a call ends within its timeout, body and retries included, with an Answer, a TandemError or a
// TandemNetworkError.

import { type RateLimit, rateLimitOf } from "./answer-headers.ts";
import type { Operations } from "./api.generated.ts";
import { TandemError, TandemNetworkError } from "./errors.ts";
import { isUnanswered, pause, retryPauseMs } from "./retry.ts";

interface ServerOrder {
  /** Such as `http://localhost:8080`. */
  readonly baseUrl: string;
  /** Used instead of the global fetch. */
  readonly fetch?: typeof fetch;
  /** For a whole call, retries included; by default 30 seconds. */
  readonly timeoutMs?: number;
  /** How often a call is retried after a temporary fault; by default twice. 0: never. */
  readonly retries?: number;
  /** Pause before the first retry, unless the server asks for another; doubles each time. By default half a second. */
  readonly retryPauseMs?: number;
}

/** Signs in with a token of the account. */
export interface TokenClientOrder extends ServerOrder {
  readonly accountSid: string;
  readonly token: string;
  readonly session?: false;
}

/** For pages that the server itself delivers: the session cookie signs in, and the page holds no token. */
export interface SessionClientOrder extends ServerOrder {
  readonly session: true;
  /**
   * Whom the page shows as signed in: an account's sid, or `operator:NAME`, the name as a URI component. Sent with each
   * request, so that one in another owner's session, opened in another tab since, is refused: `other-account`.
   */
  readonly shownOwner?: () => string | undefined;
}

export type ClientOrder = TokenClientOrder | SessionClientOrder;

export interface CallOptions {
  readonly signal?: AbortSignal;
}

/** Options of a call that creates or changes something. */
export interface WriteOptions extends CallOptions {
  /** The same request with the same key is carried out only once. Without a key, each call gets one of its own. */
  readonly idempotencyKey?: string;
}

export interface Answer<Data> {
  readonly data: Data;
  readonly status: number;
  readonly requestId: string | undefined;
  readonly rateLimit: RateLimit | undefined;
}

/** The operations of an account are served under a second prefix too. */
type MessagingOperations = {
  readonly [Name in keyof Operations as Name extends `${infer Method} /v1/${infer Path}`
    ? `${Method} /messaging/v1/${Path}`
    : never]: Operations[Name];
};
type Api = Operations & MessagingOperations;

/** An operation, by its method and path. */
export type OperationName = keyof Api;
export type DataOf<Name extends OperationName> = Api[Name]["answer"];

interface CallContext {
  readonly signal?: AbortSignal | undefined;
  readonly idempotencyKey?: string;
  /** For a POST that only reads: it needs no key. */
  readonly changesNothing?: true;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The input of an operation, as documented, and the options of the call. */
export type Call<Name extends OperationName> = Omit<Api[Name], "answer"> & CallContext;

/** Any call, in the form in which it is sent. */
interface AnyCall extends CallContext {
  readonly params?: Readonly<Record<string, string>>;
  /** Members that are undefined are left out. */
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  /** Instead of a body: files, and the rest as JSON. */
  readonly form?: Readonly<Record<string, unknown>>;
}

export interface RawAnswer<Data> extends Answer<Data> {
  readonly headers: Headers;
}

const TIMEOUT_MS = 30_000;
const RETRIES = 2;
const RETRY_PAUSE_MS = 500;

/** `call` without the response headers. */
export async function ask<Name extends OperationName>(
  order: ClientOrder,
  name: Name,
  request: Call<Name>,
): Promise<Answer<DataOf<Name>>> {
  const { headers: _, ...answer } = await call(order, name, request);
  return answer;
}

export async function call<Name extends OperationName>(
  order: ClientOrder,
  name: Name,
  request: Call<Name>,
): Promise<RawAnswer<DataOf<Name>>> {
  const { retries = RETRIES, retryPauseMs: pauseMsMin = RETRY_PAUSE_MS, timeoutMs = TIMEOUT_MS } = order;
  const keyed = retries > 0 ? withKey(name, request) : request;
  const deadlineMs = performance.now() + timeoutMs;
  return withinTime(order, request.signal, async (signal) => {
    let mayBeDone = false;
    for (let failures = 0; ; failures++) {
      try {
        return await callOnce(order, name, keyed, signal, mayBeDone);
      } catch (error) {
        if (signal.aborted || failures >= retries) throw error;
        const pauseMs = retryPauseMs({ method: methodOf(name), error, failures, pauseMsMin });
        if (pauseMs === undefined || performance.now() + pauseMs > deadlineMs) throw error;
        await pause(pauseMs, signal);
        if (signal.aborted) throw error;
        mayBeDone ||= isUnanswered(error);
      }
    }
  });
}

async function callOnce<Name extends OperationName>(
  order: ClientOrder,
  name: Name,
  request: Call<Name>,
  signal: AbortSignal,
  mayBeDone: boolean,
): Promise<RawAnswer<DataOf<Name>>> {
  const response = await send(order, name, request, signal);
  const { status, headers } = response;
  const facts = { headers, requestId: headers.get("X-Request-Id") ?? undefined, rateLimit: rateLimitOf(headers) };
  if (!response.ok) {
    const text = await response.text();
    // An earlier try, whose response was lost, has deleted it.
    if (mayBeDone && status === 404 && methodOf(name) === "DELETE")
      return { data: undefined as DataOf<Name>, status: 204, ...facts };
    throw refusalOf(response, text);
  }
  return { data: (await read(response, order)) as DataOf<Name>, status, ...facts };
}

function withKey<Name extends OperationName>(name: Name, request: Call<Name>): Call<Name> {
  const { idempotencyKey, changesNothing }: CallContext = request;
  if (methodOf(name) !== "POST" || idempotencyKey !== undefined || changesNothing) return request;
  return { ...request, idempotencyKey: newKey() };
}

/** Not `randomUUID`, which browsers have only on pages over HTTPS. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function methodOf(name: OperationName): string {
  return name.slice(0, name.indexOf(" "));
}

/** Sends a request; the caller reads the response, whatever its status. */
export async function send<Name extends OperationName>(
  order: ClientOrder,
  name: Name,
  request: Call<Name>,
  signal: AbortSignal,
): Promise<Response> {
  const { params, query, body, form, idempotencyKey, headers }: AnyCall = request;
  const [method = "", path = ""] = name.split(" ");
  const response = await (order.fetch ?? fetch)(urlOf(order, path, params, query), {
    method,
    headers: {
      Accept: "application/json",
      ...signInOf(order),
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      ...(idempotencyKey === undefined ? {} : { "Idempotency-Key": idempotencyKey }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    // fetch sets the content type of a form.
    ...(form === undefined ? {} : { body: formOf(form) }),
    ...(order.session ? { credentials: "same-origin" as const } : {}),
    // Credentials must not follow a redirect.
    redirect: "manual",
    signal,
  });
  if (response.type === "opaqueredirect" || [301, 302, 303, 307, 308].includes(response.status)) {
    throw new TandemNetworkError("garbled", `${order.baseUrl} redirects elsewhere, which the API never does.`);
  }
  return response;
}

/** A form of another site cannot set the session header. */
function signInOf(order: ClientOrder): Record<string, string> {
  if (order.session) {
    const owner = order.shownOwner?.();
    return { "X-Tandem-Session": "1", ...(owner !== undefined && { "X-Tandem-Account": owner }) };
  }
  return { Authorization: `Basic ${base64(`${order.accountSid}:${order.token}`)}` };
}

/** Ends the work by the timeout or the caller's signal, and turns every fault into one of our errors. */
export async function withinTime<Result>(
  order: ClientOrder,
  signal: AbortSignal | undefined,
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
  signal?.addEventListener("abort", abort);
  if (signal?.aborted) abort();
  try {
    return await work(ending.signal);
  } catch (error) {
    if (error instanceof TandemError || error instanceof TandemNetworkError) throw error;
    if (signal?.aborted) throw new TandemNetworkError("aborted", "The call was given up.", error);
    if (isLate) {
      throw new TandemNetworkError("timeout", `${order.baseUrl} did not answer within ${timeoutMs / 1000} s.`, error);
    }
    throw new TandemNetworkError("unreachable", `${order.baseUrl} cannot be reached: ${reasonOf(error)}.`, error);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}

/** JSON, or a file. */
async function read(response: Response, { baseUrl }: ClientOrder): Promise<unknown> {
  const { status, headers } = response;
  if (/^(application\/(pdf|octet-stream|vnd\.tcpdump\.pcap)|audio\/)/.test(headers.get("Content-Type") ?? ""))
    return new Uint8Array(await response.arrayBuffer());
  const body = parseOrNothing(await response.text());
  if (body === undefined && status !== 204) {
    throw new TandemNetworkError("garbled", `${baseUrl} answered ${status} with something other than JSON.`);
  }
  return body;
}

export function refusalOf({ headers, status }: Response, text: string): TandemError {
  return new TandemError(status, headers, parseOrNothing(text));
}

function urlOf({ baseUrl }: ClientOrder, path: string, params: AnyCall["params"], query: AnyCall["query"]): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined) given.set(name.charAt(0).toUpperCase() + name.slice(1), String(value));
  }
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params?.[name] ?? ""));
  return `${baseUrl.replace(/\/+$/, "")}${filled}${given.size === 0 ? "" : `?${given}`}`;
}

function formOf(members: NonNullable<AnyCall["form"]>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(members)) {
    if (Array.isArray(value)) for (const file of value) form.append(name, file);
    else form.append(name, JSON.stringify(value));
  }
  return form;
}

function parseOrNothing(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The error of fetch only says "fetch failed"; the reason is in its cause. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  // Node tries every address of a name and collects the failures.
  const first = cause instanceof AggregateError ? cause.errors[0] : cause;
  const { code, message } = first as { code?: unknown; message?: unknown };
  return String(message || code || first);
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
