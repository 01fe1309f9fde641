// An HTTP/1.1 client of our own that posts to untrusted URLs and does only what a webhook delivery needs.
//
// Guarantees: `post` never throws and settles by its deadline, whatever the receiver does. Nothing of an exchange
// outlives it except a reusable connection. Connections go only to addresses that the guard allows (open-socket.ts) and
// are bounded per account and origin and in total, for any number of origins: accounts share no connection, so none
// waits for another's slow receiver at the same address. At most 64 KiB of a response are read; nothing is
// decompressed, no redirect is followed, certificates are verified. A request may be sent twice when a reused
// connection breaks before any response, because delivery is "at least once" anyway; one that `isOnce` never is.
// Does not retry later, sign, or limit how many posts wait: callers bound that per endpoint.

import { createSecureContext, rootCertificates } from "node:tls";
import { type Clock, systemClock } from "../../base/clock.ts";
import { forgetOldest } from "../../base/forget-oldest.ts";
import type { AttemptExchange } from "../../domain/webhooks/index.ts";
import type { AddressGuard, UrlOrigin } from "../guard/address-guard.ts";
import type { OpenSocketDeps } from "../guard/open-socket.ts";
import { ConnectionPool } from "./connection-pool.ts";
import { Deadlines } from "./deadlines.ts";
import { Exchange, type ExchangeOrder, type Outcome, type WebhookFailure } from "./exchange.ts";
import { requestText } from "./request-text.ts";
import { parseRetryAfter } from "./retry-after.ts";

export interface WebhookRequest {
  /** POST by default. */
  readonly method?: "POST" | "GET";
  readonly url: string;
  /** Without `content-length`, `host` and connection headers, which the client sets. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Whose connections it uses. */
  readonly accountSid?: string;
  /** For everything: waiting for a connection, DNS, connect, TLS, request and response. */
  readonly deadlineMs?: number | undefined;
  /** How much of the response body is kept. */
  readonly keepBytes?: number | undefined;
  /** It gets a connection of its own, so that no broken one is a reason to send it again. */
  readonly isOnce?: boolean | undefined;
}

export type WebhookAnswer =
  | {
      readonly kind: "answered";
      readonly status: number;
      readonly contentType: string | undefined;
      /** From a valid Retry-After. */
      readonly retryAfterMs: number | undefined;
      readonly body: Uint8Array;
      /** `body` is incomplete. */
      readonly truncated: boolean;
      readonly ms: number;
      readonly exchange: () => AttemptExchange;
      /** Of a header, by its name in lower case. */
      readonly valuesOf: (name: string) => readonly string[];
    }
  | {
      readonly kind: "failed";
      readonly reason: WebhookFailure;
      readonly detail: string;
      readonly ms: number;
      /** Absent when the request was not attempted. */
      readonly exchange?: () => AttemptExchange;
    };

export interface WebhookClientOptions {
  readonly guard: AddressGuard;
  readonly clock?: Clock;
  readonly deadlineMs?: number;
  readonly connectTimeoutMs?: number;
  readonly keepBytes?: number;
  readonly answerBytesMax?: number;
  readonly keepAliveMs?: number;
  readonly connectionsPerOriginMax?: number;
  readonly connectionsMax?: number;
  readonly idleConnectionsMax?: number;
  /** PEM of certificate authorities to trust in addition to the default ones. */
  readonly ca?: readonly string[];
  readonly dial?: OpenSocketDeps["dial"];
}

const DETAIL_LENGTH_MAX = 500;
/** For each origin. */
const ACCOUNTS_REMEMBERED_MAX = 1_000;

function failedAtOnce(reason: WebhookFailure, detail: string): Promise<WebhookAnswer> {
  return Promise.resolve({ kind: "failed", reason, detail: detail.slice(0, DETAIL_LENGTH_MAX), ms: 0 });
}

export class WebhookClient {
  readonly #guard: AddressGuard;
  readonly #clock: Clock;
  readonly #pool: ConnectionPool;
  readonly #deadlineMs: number;
  readonly #keepBytes: number;
  readonly #answerBytesMax: number;
  readonly #running = new Set<Exchange>();
  readonly #deadlines = new Deadlines();
  /** By account: the same origin under a name of the account's own, which costs much to make for each request. */
  readonly #ownOrigins = new WeakMap<UrlOrigin, Map<string, UrlOrigin>>();
  #closing: Promise<void> | undefined;
  /** How many requests got a connection of their own. */
  #ownConnections = 0;

  constructor(options: WebhookClientOptions) {
    this.#guard = options.guard;
    this.#clock = options.clock ?? systemClock;
    this.#deadlineMs = options.deadlineMs ?? 15_000;
    this.#keepBytes = options.keepBytes ?? 4 * 1024;
    this.#answerBytesMax = options.answerBytesMax ?? 64 * 1024;
    this.#pool = new ConnectionPool(
      {
        guard: options.guard,
        secureContext: createSecureContext(options.ca ? { ca: [...rootCertificates, ...options.ca] } : {}),
        dial: options.dial,
        connectTimeoutMs: options.connectTimeoutMs ?? 5_000,
      },
      {
        connectionsPerOriginMax: options.connectionsPerOriginMax ?? 20,
        connectionsMax: options.connectionsMax ?? 2_000,
        idleConnectionsMax: options.idleConnectionsMax ?? 500,
        keepAliveMs: options.keepAliveMs ?? 4_000,
      },
    );
  }

  /** While it waits for the response, the client holds only the text of the request. */
  post(request: WebhookRequest): Promise<WebhookAnswer> {
    const { deadlineMs = this.#deadlineMs, keepBytes = this.#keepBytes } = request;
    // Names are resolved and checked for every connection.
    const checked = this.#guard.targetOf(request.url);
    if (!checked.ok) return failedAtOnce(checked.refusal.reason, checked.refusal.detail);
    if (this.#closing) return failedAtOnce("aborted", "The client is closed.");
    const text = requestText(checked.value, request.headers, request.body, request.method);
    if (text === undefined) return failedAtOnce("protocol", "A header has characters that cannot be sent.");
    const { accountSid = "", isOnce = false } = request;
    const called = checked.value.origin;
    const origin = isOnce
      ? { ...called, name: `${called.name} ${accountSid} ${++this.#ownConnections}` }
      : this.#ownOriginOf(called, accountSid);
    return this.#exchange({ origin, request: text, keepBytes, answerBytesMax: this.#answerBytesMax }, deadlineMs);
  }

  close(): Promise<void> {
    this.#closing ??= this.#closeAll();
    return this.#closing;
  }

  #ownOriginOf(origin: UrlOrigin, accountSid: string): UrlOrigin {
    let ofAccounts = this.#ownOrigins.get(origin);
    if (!ofAccounts) {
      ofAccounts = new Map();
      this.#ownOrigins.set(origin, ofAccounts);
    }
    let own = ofAccounts.get(accountSid);
    if (!own) {
      own = { ...origin, name: `${origin.name} ${accountSid}` };
      ofAccounts.set(accountSid, own);
      forgetOldest(ofAccounts, ACCOUNTS_REMEMBERED_MAX);
    }
    return own;
  }

  #exchange(order: ExchangeOrder, deadlineMs: number): Promise<WebhookAnswer> {
    return new Promise((resolve) => {
      const exchange = new Exchange(this.#pool, order, (outcome) => {
        this.#deadlines.remove(exchange, deadlineMs);
        this.#running.delete(exchange);
        resolve(this.#answerOf(outcome, exchange));
      });
      this.#deadlines.add(exchange, deadlineMs);
      this.#running.add(exchange);
      exchange.start();
    });
  }

  async #closeAll(): Promise<void> {
    for (const exchange of [...this.#running]) exchange.abort("The client was closed.");
    this.#deadlines.close();
    await this.#pool.close();
  }

  #answerOf(outcome: Outcome, made: Exchange): WebhookAnswer {
    const endedMs = performance.now();
    const ms = Math.round(endedMs - made.startedMs);
    const exchange = () => made.recordAt(endedMs);
    if (outcome.kind === "failed") {
      return { ...outcome, detail: outcome.detail.slice(0, DETAIL_LENGTH_MAX), ms, exchange };
    }
    const { status, contentType, retryAfter, body, truncated } = outcome.answer;
    const valuesOf = (name: string) => made.answerValues(name);
    const retryAfterMs = retryAfter === undefined ? undefined : parseRetryAfter(retryAfter, this.#clock.now());
    return { kind: "answered", status, contentType, retryAfterMs, body, truncated, ms, exchange, valuesOf };
  }
}
