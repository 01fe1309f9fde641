// Makes requests to the registry; every outcome, faults included, is a value.
//
// Guarantees: those of `json-exchange.ts`; an outcome within the deadline; requests within the rates; a read that
// failed temporarily, and any request that was rate-limited, is repeated as retry.ts decides, if the deadline allows
// it. Redirects are not followed, so the secret is sent only to the configured URL.

import { setTimeout as sleep } from "node:timers/promises";
import { deadlineAfter } from "../../base/deadline.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import { ExchangeFault, type JsonAnswer, JsonExchange, jsonBody } from "../json-exchange.ts";
import { RateLimiter, type Time } from "./rate-limiter.ts";
import { type RegistryFailure, readErrors } from "./registry-documents.ts";
import { retryWaitMs } from "./retry.ts";

export interface RegistryRequest {
  readonly method: "GET" | "PUT";
  /** Below the base URL, encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
}

export type RegistryAnswer<Value> = Result<Value, RegistryFailure>;

/** The JSON of the answer; undefined when it has no content. */
export type Ask = (request: RegistryRequest) => Promise<RegistryAnswer<unknown>>;

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
/** The registry allows 20 writes in 10 seconds and 20 reads in one: a burst of five, then this rate, is below that. */
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
  readonly #headers: { readonly authorization: string };
  readonly #http: JsonExchange;
  readonly #reads: RateLimiter;
  readonly #writes: RateLimiter;
  readonly #underWay = new Set<AbortController>();
  #isClosed = false;

  constructor(options: ExchangeOptions) {
    const { baseUrl, apiKey, secret, attemptMs, requestsPerSecond } = options;
    this.#options = options;
    this.#time = options.time ?? systemTime;
    this.#chance = options.chance ?? Math.random;
    this.#headers = { authorization: `Basic ${Buffer.from(`${apiKey}:${secret}`).toString("base64")}` };
    const limits = { connectionsMax: CONNECTIONS_MAX, answerBytesMax: ANSWER_BYTES_MAX, waitMsMax: attemptMs };
    this.#http = new JsonExchange({ baseUrl, ...limits });
    const atOnce = Math.max(1, Math.min(AT_ONCE_MAX, Math.floor(requestsPerSecond / 2)));
    const writesPerSecond = Math.min(requestsPerSecond, WRITES_PER_SECOND_MAX);
    this.#reads = new RateLimiter({ perSecond: requestsPerSecond, atOnce }, this.#time);
    this.#writes = new RateLimiter({ perSecond: writesPerSecond, atOnce }, this.#time);
  }

  /** All requests of `work` share one deadline. */
  async withDeadline<Value>(work: (ask: Ask) => Promise<Value>): Promise<Value> {
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), this.#options.deadlineMs);
    const untilMs = this.#time.nowMs() + this.#options.deadlineMs;
    this.#underWay.add(deadline);
    try {
      return await work((request) => this.#ask(request, untilMs, deadline.signal));
    } finally {
      clearTimeout(timer);
      this.#underWay.delete(deadline);
    }
  }

  close(): Promise<void> {
    this.#isClosed = true;
    const closed = this.#http.close();
    for (const deadline of this.#underWay) deadline.abort();
    return closed;
  }

  async #ask(request: RegistryRequest, untilMs: number, signal: AbortSignal): Promise<RegistryAnswer<unknown>> {
    const isRead = request.method === "GET";
    let last = TIMED_OUT;
    for (let attempt = 1; !signal.aborted && !this.#isClosed; attempt++) {
      const mayGo = await (isRead ? this.#reads : this.#writes).acquire(untilMs, signal).catch(() => false);
      if (!mayGo) break;
      const answer = await this.#attempt(request, signal);
      if (answer.ok) return answer;
      last = answer.refusal;
      const waitMs = retryWaitMs(last, { attempt, isRead }, this.#chance());
      if (waitMs === undefined || this.#time.nowMs() + waitMs >= untilMs) break;
      await this.#time.sleep(waitMs, signal).catch(() => {});
    }
    return refused(this.#isClosed ? CLOSED : last);
  }

  async #attempt({ method, path, query, body }: RegistryRequest, outer: AbortSignal): Promise<RegistryAnswer<unknown>> {
    const search = new URLSearchParams(query);
    const deadline = deadlineAfter(this.#options.attemptMs, outer);
    try {
      const answer = await this.#http.ask({
        method,
        path: search.size === 0 ? path : `${path}?${search}`,
        headers: this.#headers,
        body: body && jsonBody(body),
        signal: deadline.signal,
      });
      return readAnswer(answer);
    } catch (fault) {
      if (!(fault instanceof ExchangeFault)) throw fault;
      return refused({ kind: "unavailable", why: fault.why, detail: fault.message });
    } finally {
      deadline.clear();
    }
  }
}

const CLOSED: RegistryFailure = { kind: "unavailable", why: "closed", detail: "the registry is not asked any more" };
const TIMED_OUT: RegistryFailure = { kind: "unavailable", why: "timeout", detail: "no answer in time" };

function readAnswer({ statusCode, headers, json }: JsonAnswer): RegistryAnswer<unknown> {
  if (statusCode === 204) return ok(undefined);
  const detail = `status ${statusCode}`;
  if (statusCode === 401 || statusCode === 403) return refused({ kind: "unauthorized", detail });
  if (statusCode === 429 || statusCode >= 500) {
    const why = statusCode === 429 ? "rate-limited" : "failing";
    const retryAfterMs = secondsOf(headers["retry-after"]);
    return refused({ kind: "unavailable", why, detail, ...(retryAfterMs && { retryAfterMs }) });
  }
  const failure = statusCode === 400 ? readErrors(json?.value) : undefined;
  if (failure) return refused(failure);
  if (statusCode < 300 && json) return ok(json.value);
  return refused({ kind: "unavailable", why: "unreadable", detail: json ? detail : `${detail}, not JSON` });
}

/** RFC 9110 10.2.3: Retry-After in seconds. A date is ignored, and our own backoff applies. */
function secondsOf(retryAfter: string | string[] | undefined): number | undefined {
  return typeof retryAfter === "string" && /^\d{1,7}$/.test(retryAfter) ? Number(retryAfter) * 1000 : undefined;
}
