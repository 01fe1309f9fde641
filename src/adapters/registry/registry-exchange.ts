// Asks the registry over HTTP and answers a value, whatever happens.
//
// Guarantees: an answer within the deadline; no faster than the rates allow; an answer's body is read up to a bound; a read that failed
// for now, and anything refused for haste, is asked again as retry.ts says, if that can still be in time. Redirects are not followed: the
// secret goes where the settings say.

import { setTimeout as sleep } from "node:timers/promises";
import { type Dispatcher, Pool } from "undici";
import { ok, refused } from "../../base/result.ts";
import type { RegistryAnswer, RegistryFailure } from "./campaign-registry.ts";
import { Pace, type Time } from "./pace.ts";
import { readErrors } from "./registry-documents.ts";
import { retryWaitMs } from "./retry.ts";

export interface Question {
  readonly method: "GET" | "PUT" | "DELETE";
  /** Below the base URL, encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean | readonly string[]>>;
  readonly body?: object;
}

/** The JSON of the answer; undefined where it has no content. */
export type Ask = (question: Question) => Promise<RegistryAnswer<unknown>>;

export interface ExchangeOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly secret: string;
  readonly attemptMs: number;
  readonly deadlineMs: number;
  readonly requestsPerSecond: number;
  readonly time?: Time;
  /** From 0 to 1. */
  readonly chance?: () => number;
}

const CONNECTIONS_MAX = 4;
/** Fifty campaigns with all their texts. */
const ANSWER_BYTES_MAX = 4 * 1024 * 1024;
/** The registry takes 20 writes in 10 seconds, and 20 reads in one: five at once and the rest at this rate stay below. */
const WRITES_PER_SECOND_MAX = 1.5;
const AT_ONCE_MAX = 5;

const systemTime: Time = {
  nowMs: () => performance.now(),
  sleep: (ms, signal) => sleep(ms, undefined, { signal }),
};

export class RegistryExchange {
  readonly #options: ExchangeOptions;
  readonly #time: Time;
  readonly #chance: () => number;
  readonly #basePath: string;
  readonly #authorization: string;
  readonly #pool: Pool;
  readonly #reads: Pace;
  readonly #writes: Pace;
  readonly #underWay = new Set<AbortController>();
  #closing: Promise<void> | undefined;

  constructor(options: ExchangeOptions) {
    const { attemptMs, requestsPerSecond } = options;
    const base = new URL(options.baseUrl);
    this.#options = options;
    this.#time = options.time ?? systemTime;
    this.#chance = options.chance ?? Math.random;
    this.#basePath = base.pathname.replace(/\/+$/, "");
    this.#authorization = `Basic ${Buffer.from(`${options.apiKey}:${options.secret}`).toString("base64")}`;
    this.#pool = new Pool(base.origin, {
      connections: CONNECTIONS_MAX,
      pipelining: 1,
      connect: { timeout: attemptMs },
      headersTimeout: attemptMs,
      bodyTimeout: attemptMs,
      maxResponseSize: ANSWER_BYTES_MAX,
    });
    const atOnce = Math.max(1, Math.min(AT_ONCE_MAX, Math.floor(requestsPerSecond / 2)));
    const writesPerSecond = Math.min(requestsPerSecond, WRITES_PER_SECOND_MAX);
    this.#reads = new Pace({ perSecond: requestsPerSecond, atOnce }, this.#time);
    this.#writes = new Pace({ perSecond: writesPerSecond, atOnce }, this.#time);
  }

  /** All that is asked within has one deadline. */
  async inTime<Value>(talk: (ask: Ask) => Promise<Value>): Promise<Value> {
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), this.#options.deadlineMs);
    const untilMs = this.#time.nowMs() + this.#options.deadlineMs;
    this.#underWay.add(deadline);
    try {
      return await talk((question) => this.#ask(question, untilMs, deadline.signal));
    } finally {
      clearTimeout(timer);
      this.#underWay.delete(deadline);
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#pool.destroy();
    for (const deadline of this.#underWay) deadline.abort();
    return this.#closing;
  }

  async #ask(question: Question, untilMs: number, signal: AbortSignal): Promise<RegistryAnswer<unknown>> {
    const isRead = question.method === "GET";
    let last = TIMED_OUT;
    for (let attempt = 1; !signal.aborted && !this.#closing; attempt++) {
      const mayGo = await (isRead ? this.#reads : this.#writes).turn(untilMs, signal).catch(() => false);
      if (!mayGo) break;
      const answer = await this.#attempt(question, signal);
      if (answer.ok) return answer;
      last = answer.refusal;
      const waitMs = retryWaitMs(last, { attempt, isRead }, this.#chance());
      if (waitMs === undefined || this.#time.nowMs() + waitMs >= untilMs) break;
      await this.#time.sleep(waitMs, signal).catch(() => {});
    }
    return refused(this.#closing ? CLOSED : last);
  }

  async #attempt(question: Question, deadline: AbortSignal): Promise<RegistryAnswer<unknown>> {
    const limit = new AbortController();
    const stop = () => limit.abort();
    const timer = setTimeout(stop, this.#options.attemptMs);
    deadline.addEventListener("abort", stop);
    if (deadline.aborted) stop();
    try {
      const response = await this.#pool.request(this.#requestFor(question, limit.signal));
      // A body that nobody reads to its end would keep its connection; its error is told by whoever reads.
      response.body.on("error", () => {});
      const bytes = await response.body.bytes();
      return readAnswer(response, bytes);
    } catch (error) {
      if (this.#closing) return refused(CLOSED);
      return refused(limit.signal.aborted ? TIMED_OUT : faultOf(error));
    } finally {
      clearTimeout(timer);
      deadline.removeEventListener("abort", stop);
    }
  }

  #requestFor({ method, path, query, body }: Question, signal: AbortSignal): Dispatcher.RequestOptions {
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(query ?? {})) {
      for (const one of Array.isArray(value) ? value : [value]) search.append(name, String(one));
    }
    const text = search.toString();
    return {
      method,
      path: `${this.#basePath}${path}${text && `?${text}`}`,
      signal,
      headers: {
        authorization: this.#authorization,
        accept: "application/json",
        "accept-encoding": "identity",
        "user-agent": "tandem",
        ...(body && { "content-type": "application/json" }),
      },
      body: body ? JSON.stringify(body) : null,
    };
  }
}

const CLOSED: RegistryFailure = { kind: "unavailable", why: "closed", detail: "the registry is not asked any more" };
const TIMED_OUT: RegistryFailure = { kind: "unavailable", why: "timeout", detail: "no answer in time" };

function readAnswer({ statusCode, headers }: Dispatcher.ResponseData, bytes: Uint8Array): RegistryAnswer<unknown> {
  if (statusCode === 204) return ok(undefined);
  const detail = `status ${statusCode}`;
  if (statusCode === 401 || statusCode === 403) return refused({ kind: "unauthorized", detail });
  if (statusCode === 429) {
    const retryAfterMs = secondsOf(headers["retry-after"]);
    return refused({ kind: "unavailable", why: "rate-limited", detail, ...(retryAfterMs && { retryAfterMs }) });
  }
  if (statusCode >= 500) {
    const retryAfterMs = secondsOf(headers["retry-after"]);
    return refused({ kind: "unavailable", why: "failing", detail, ...(retryAfterMs && { retryAfterMs }) });
  }
  const document = parseJson(bytes);
  if (statusCode === 400 && document) {
    const failure = readErrors(document.value);
    if (failure) return refused(failure);
  }
  if (statusCode < 300 && document) return ok(document.value);
  return refused({ kind: "unavailable", why: "unreadable", detail: document ? detail : `${detail}, not JSON` });
}

function parseJson(bytes: Uint8Array): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) };
  } catch {
    return undefined;
  }
}

/** RFC 9110 10.2.3, its seconds. For a date the next attempt comes by our own measure. */
function secondsOf(retryAfter: string | string[] | undefined): number | undefined {
  return typeof retryAfter === "string" && /^\d{1,7}$/.test(retryAfter) ? Number(retryAfter) * 1000 : undefined;
}

const UNREADABLE_CODES = new Set(["UND_ERR_RES_EXCEEDED_MAX_SIZE", "UND_ERR_HEADERS_OVERFLOW"]);
const TIMEOUT_CODES = new Set(["UND_ERR_CONNECT_TIMEOUT", "UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT"]);

function faultOf(error: unknown): RegistryFailure {
  const { code, name } = error as { readonly code?: unknown; readonly name?: unknown };
  const detail = String(code ?? name);
  if (TIMEOUT_CODES.has(detail)) return TIMED_OUT;
  const isUnreadable = UNREADABLE_CODES.has(detail) || name === "HTTPParserError";
  return { kind: "unavailable", why: isUnreadable ? "unreadable" : "unreachable", detail };
}
