// One HTTP exchange: a request and its outcome. Settles exactly once and ignores everything after that.
//
// The status decides: once the head of the response has arrived, the exchange is `answered`, even if the body breaks
// off, exceeds the deadline or is longer than the limit. `truncated` means that `body` is incomplete.

import type { AttemptExchange } from "../../domain/webhooks/index.ts";
import type { UrlOrigin } from "../guard/address-guard.ts";
import { ConnectFault } from "../guard/connect-fault.ts";
import type { Connection, ConnectionUser } from "./connection.ts";
import type { ConnectionPool, PoolClient } from "./connection-pool.ts";
import type { Expiring } from "./deadlines.ts";
import { headersIn, timingOf, valuesIn } from "./exchange-record.ts";
import { ResponseParser } from "./response-parser.ts";

export type WebhookFailure =
  | "refused-address"
  | "dns"
  | "connect"
  | "tls"
  | "timeout"
  | "reset"
  | "too-large"
  | "protocol"
  | "bad-url"
  /** The client was closed. */
  | "aborted";

export interface RawResponse {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly contentType: string | undefined;
  readonly body: Uint8Array;
  readonly truncated: boolean;
}

export type Outcome =
  | { readonly kind: "answered"; readonly answer: RawResponse }
  | { readonly kind: "failed"; readonly reason: WebhookFailure; readonly detail: string };

export interface ExchangeOrder {
  readonly origin: UrlOrigin;
  /** Head and body. */
  readonly request: string;
  readonly keepBytes: number;
  readonly answerBytesMax: number;
}

export class Exchange implements PoolClient, ConnectionUser, Expiring {
  readonly #order: ExchangeOrder;
  readonly #pool: ConnectionPool;
  readonly #settled: (outcome: Outcome) => void;
  #answer: ResponseParser;
  #connection: Connection | undefined;
  #isSettled = false;
  #isRetry = false;
  #startedMs = 0;
  #firstByteMs = 0;
  /** Of the connection, if it was made for this exchange. */
  #opening: Connection["opening"] | undefined;

  constructor(pool: ConnectionPool, order: ExchangeOrder, settled: (outcome: Outcome) => void) {
    this.#pool = pool;
    this.#order = order;
    this.#settled = settled;
    this.#answer = newParser(order);
  }

  get origin(): UrlOrigin {
    return this.#order.origin;
  }

  get startedMs(): number {
    return this.#startedMs;
  }

  start(): void {
    this.#startedMs = performance.now();
    this.#pool.wait(this);
  }

  expire(afterMs: number): void {
    this.#break("timeout", `There was no answer within ${afterMs} ms.`);
  }

  /** Ends the exchange in any state and frees its connection. */
  abort(detail: string): void {
    this.#break("aborted", detail);
  }

  take(connection: Connection): void {
    this.#connection = connection;
    this.#opening = connection.served === 0 ? connection.opening : undefined;
    connection.use(this, this.#order.request);
  }

  read(bytes: Buffer, length: number): void {
    if (this.#firstByteMs === 0) this.#firstByteMs = performance.now();
    const result = this.#answer.read(bytes, length);
    if (result === "more") return;
    if (result === "done") this.#finish();
    else if (result === "cut") this.#break("too-large", "");
    else this.#break(result.kind, result.detail);
  }

  lost(fault: Error | undefined): void {
    if (this.#answer.status !== 0 && fault === undefined && this.#answer.end() === "done") {
      this.#finish();
      return;
    }
    const reason = fault ? reasonOf(fault) : "reset";
    if (reason === "reset" && this.#answer.status === 0 && this.#retry()) return;
    this.#break(reason, fault?.message ?? "The other side closed the connection without an answer.");
  }

  /** The peer may close an idle connection just as we write to it. Then a fresh connection is tried once. */
  #retry(): boolean {
    const connection = this.#connection;
    if (!connection || connection.served === 0 || this.#isRetry) return false;
    this.#isRetry = true;
    this.#answer = newParser(this.#order);
    this.#connection = undefined;
    this.#pool.drop(connection);
    this.#pool.dropIdle(connection.origin);
    this.#pool.wait(this);
    return true;
  }

  #finish(): void {
    const connection = this.#settle({ kind: "answered", answer: this.#rawResponse(this.#answer.isShortened) });
    if (!connection) return;
    if (this.#answer.isReusable && !connection.hasUnsentBytes) {
      this.#pool.release(connection, this.#answer.keepAliveMs);
    } else {
      this.#pool.drop(connection);
    }
  }

  #break(reason: WebhookFailure, detail: string): void {
    const connection = this.#settle(
      this.#answer.status === 0
        ? { kind: "failed", reason, detail }
        : { kind: "answered", answer: this.#rawResponse(true) },
    );
    if (connection) this.#pool.drop(connection);
  }

  #settle(outcome: Outcome): Connection | undefined {
    if (this.#isSettled) return undefined;
    this.#isSettled = true;
    const connection = this.#connection;
    this.#connection = undefined;
    if (!connection) this.#pool.leave(this);
    this.#settled(outcome);
    return connection;
  }

  /** For the record, of an exchange that ended at this time. */
  recordAt(endedMs: number): AttemptExchange {
    const { head } = this.#answer;
    return {
      requestHeaders: headersIn(this.#order.request),
      answerHeaders: head === "" ? null : headersIn(head),
      timing: timingOf({
        startedMs: this.#startedMs,
        firstByteMs: this.#firstByteMs,
        endedMs,
        opening: this.#opening,
      }),
    };
  }

  /** The values of a header of the answer, by its name in lower case. */
  answerValues(name: string): readonly string[] {
    return valuesIn(this.#answer.head, name);
  }

  #rawResponse(truncated: boolean): RawResponse {
    const { status, retryAfter, contentType, body } = this.#answer;
    return { status, retryAfter, contentType, body, truncated };
  }
}

function newParser({ keepBytes, answerBytesMax }: ExchangeOrder): ResponseParser {
  return new ResponseParser(keepBytes, answerBytesMax);
}

function reasonOf(fault: Error & { readonly code?: string }): WebhookFailure {
  if (fault instanceof ConnectFault) return fault.reason;
  const code = fault.code ?? "";
  return code === "EPROTO" || code.startsWith("ERR_SSL_") || code.startsWith("ERR_TLS_") ? "tls" : "reset";
}
