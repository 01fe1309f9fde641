// One request and what became of it. Settles exactly once; what comes later is not heard.
//
// The status decides: once the headers of the answer are here, the exchange is `answered`, whether its body ends, breaks off, drips
// past the deadline or is longer than we read. `truncated` says that `body` is not all of it.

import type { Dispatcher } from "undici";
import { ConnectFault } from "../guard/connect-fault.ts";
import type { Connection } from "./connection.ts";
import type { ConnectionPool, Taker } from "./connection-pool.ts";

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
  /** By the caller's signal, or because the client was closed. */
  | "aborted";

export interface RawAnswer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly contentType: string | undefined;
  readonly body: Uint8Array;
  readonly truncated: boolean;
  readonly remoteAddress: string | undefined;
}

export type Outcome =
  | { readonly kind: "answered"; readonly answer: RawAnswer }
  | { readonly kind: "failed"; readonly reason: WebhookFailure; readonly detail: string };

export interface ExchangeOrder {
  readonly origin: string;
  readonly options: Dispatcher.DispatchOptions;
  readonly keepBytes: number;
  readonly answerBytesMax: number;
}

/** 102 and 103 may come before the answer, but not for ever. */
const INTERIM_ANSWERS_MAX = 16;

export class Exchange implements Taker, Dispatcher.DispatchHandler {
  readonly #pool: ConnectionPool;
  readonly #order: ExchangeOrder;
  readonly #settled: (outcome: Outcome) => void;
  #connection: Connection | undefined;
  #isSettled = false;
  #isSecondTry = false;
  #interimAnswers = 0;
  #status = 0;
  #retryAfter: string | undefined;
  #contentType: string | undefined;
  readonly #kept: Uint8Array[] = [];
  #keptBytes = 0;
  #bytes = 0;

  constructor(pool: ConnectionPool, order: ExchangeOrder, settled: (outcome: Outcome) => void) {
    this.#pool = pool;
    this.#order = order;
    this.#settled = settled;
  }

  start(): void {
    this.#pool.wait(this.#order.origin, this);
  }

  /** Ends it now, wherever it stands, and frees what it holds. */
  stop(reason: "timeout" | "aborted", detail: string): void {
    this.#break(reason, detail);
  }

  take(connection: Connection): void {
    this.#connection = connection;
    connection.client.dispatch(this.#order.options, this);
  }

  /** Only its presence counts: it tells undici which set of methods this is. */
  onRequestStart(): void {}

  onResponseStart(_: unknown, status: number, headers: Readonly<Record<string, string | string[] | undefined>>): void {
    if (this.#isSettled) return;
    if (status < 200) {
      this.#interimAnswers += 1;
      if (this.#interimAnswers > INTERIM_ANSWERS_MAX)
        this.#break("protocol", "There were interim answers without end.");
      return;
    }
    this.#status = status;
    this.#retryAfter = first(headers["retry-after"]);
    this.#contentType = first(headers["content-type"]);
  }

  onResponseData(_: unknown, chunk: Buffer): void {
    if (this.#isSettled) return;
    this.#bytes += chunk.length;
    const room = this.#order.keepBytes - this.#keptBytes;
    if (room > 0) {
      // Copied: a view of two bytes would keep the whole block that was read alive.
      const part = new Uint8Array(chunk.subarray(0, room));
      this.#kept.push(part);
      this.#keptBytes += part.length;
    }
    if (this.#bytes > this.#order.answerBytesMax) this.#break("too-large", "");
  }

  onResponseEnd(): void {
    const connection = this.#settle({ kind: "answered", answer: this.#answer(this.#bytes > this.#keptBytes) });
    if (!connection) return;
    if (connection.hasUnsentBytes) this.#pool.drop(connection);
    else this.#pool.giveBack(connection);
  }

  onResponseError(_: unknown, error: Error): void {
    if (this.#isSettled) return;
    const reason = reasonOf(error);
    if (reason === "reset" && this.#status === 0 && this.#mayTryAgain()) return;
    this.#break(reason, error.message);
  }

  /** The other side may close an idle connection at the moment we write to it: then, once, a fresh connection is tried. */
  #mayTryAgain(): boolean {
    const connection = this.#connection;
    if (!connection || connection.served === 0 || this.#isSecondTry) return false;
    this.#isSecondTry = true;
    this.#connection = undefined;
    this.#pool.drop(connection);
    this.#pool.dropIdle(connection.origin);
    this.#pool.wait(connection.origin, this);
    return true;
  }

  #break(reason: WebhookFailure, detail: string): void {
    const hasStatus = this.#status !== 0;
    const connection = this.#settle(
      hasStatus ? { kind: "answered", answer: this.#answer(true) } : { kind: "failed", reason, detail },
    );
    if (connection) this.#pool.drop(connection);
  }

  #settle(outcome: Outcome): Connection | undefined {
    if (this.#isSettled) return undefined;
    this.#isSettled = true;
    const connection = this.#connection;
    this.#connection = undefined;
    if (!connection) this.#pool.leave(this.#order.origin, this);
    this.#settled(outcome);
    return connection;
  }

  #answer(truncated: boolean): RawAnswer {
    return {
      status: this.#status,
      retryAfter: this.#retryAfter,
      contentType: this.#contentType,
      body: joined(this.#kept, this.#keptBytes),
      truncated,
      remoteAddress: this.#connection?.remoteAddress,
    };
  }
}

function first(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

function joined(parts: readonly Uint8Array[], length: number): Uint8Array {
  const [only] = parts;
  if (only && parts.length === 1) return only;
  const all = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function reasonOf(error: Error & { readonly code?: string }): WebhookFailure {
  if (error instanceof ConnectFault) return error.reason;
  const code = error.code ?? "";
  if (code === "UND_ERR_HEADERS_OVERFLOW") return "too-large";
  // undici says so of an answer nobody asked for and of an upgrade.
  if (code === "UND_ERR_SOCKET") return error.message.startsWith("bad ") ? "protocol" : "reset";
  if (code === "ECONNRESET" || code === "EPIPE" || code === "ETIMEDOUT" || code === "ECONNABORTED") return "reset";
  if (code.startsWith("ERR_SSL_") || code.startsWith("ERR_TLS_")) return "tls";
  return "protocol";
}
