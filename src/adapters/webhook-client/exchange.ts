// One request and what became of it. Settles exactly once; what comes later is not heard.
//
// The status decides: once the head of the answer is here, the exchange is `answered`, whether its body ends, breaks off, drips past
// the deadline or is longer than we read. `truncated` says that `body` is not all of it.

import { ConnectFault } from "../guard/connect-fault.ts";
import { AnswerReader } from "./answer-reader.ts";
import type { Connection, ConnectionUser, Origin } from "./connection.ts";
import type { ConnectionPool, Taker } from "./connection-pool.ts";
import type { Expiring } from "./deadlines.ts";

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
  /** Because the client was closed. */
  | "aborted";

export interface RawAnswer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly contentType: string | undefined;
  readonly body: Uint8Array;
  readonly truncated: boolean;
}

export type Outcome =
  | { readonly kind: "answered"; readonly answer: RawAnswer }
  | { readonly kind: "failed"; readonly reason: WebhookFailure; readonly detail: string };

export interface ExchangeOrder {
  readonly origin: Origin;
  /** Head and body. */
  readonly request: string;
  readonly keepBytes: number;
  readonly answerBytesMax: number;
}

export class Exchange implements Taker, ConnectionUser, Expiring {
  readonly #order: ExchangeOrder;
  readonly #pool: ConnectionPool;
  readonly #settled: (outcome: Outcome) => void;
  #answer: AnswerReader;
  #connection: Connection | undefined;
  #isSettled = false;
  #isSecondTry = false;

  constructor(pool: ConnectionPool, order: ExchangeOrder, settled: (outcome: Outcome) => void) {
    this.#pool = pool;
    this.#order = order;
    this.#settled = settled;
    this.#answer = newReader(order);
  }

  get origin(): Origin {
    return this.#order.origin;
  }

  start(): void {
    this.#pool.wait(this);
  }

  expire(afterMs: number): void {
    this.#break("timeout", `There was no answer within ${afterMs} ms.`);
  }

  /** Ends it now, wherever it stands, and frees what it holds. */
  abort(detail: string): void {
    this.#break("aborted", detail);
  }

  take(connection: Connection): void {
    this.#connection = connection;
    connection.use(this, this.#order.request);
  }

  read(bytes: Buffer, length: number): void {
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
    if (reason === "reset" && this.#answer.status === 0 && this.#mayTryAgain()) return;
    this.#break(reason, fault?.message ?? "The other side closed the connection without an answer.");
  }

  /** The other side may close an idle connection at the moment we write to it: then, once, a fresh connection is tried. */
  #mayTryAgain(): boolean {
    const connection = this.#connection;
    if (!connection || connection.served === 0 || this.#isSecondTry) return false;
    this.#isSecondTry = true;
    this.#answer = newReader(this.#order);
    this.#connection = undefined;
    this.#pool.drop(connection);
    this.#pool.dropIdle(connection.origin);
    this.#pool.wait(this);
    return true;
  }

  #finish(): void {
    const connection = this.#settle({ kind: "answered", answer: this.#rawAnswer(this.#answer.isShortened) });
    if (!connection) return;
    if (this.#answer.isReusable && !connection.hasUnsentBytes) {
      this.#pool.giveBack(connection, this.#answer.keepAliveMs);
    } else {
      this.#pool.drop(connection);
    }
  }

  #break(reason: WebhookFailure, detail: string): void {
    const connection = this.#settle(
      this.#answer.status === 0
        ? { kind: "failed", reason, detail }
        : { kind: "answered", answer: this.#rawAnswer(true) },
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

  #rawAnswer(truncated: boolean): RawAnswer {
    const { status, retryAfter, contentType, body } = this.#answer;
    return { status, retryAfter, contentType, body, truncated };
  }
}

function newReader({ keepBytes, answerBytesMax }: ExchangeOrder): AnswerReader {
  return new AnswerReader(keepBytes, answerBytesMax);
}

function reasonOf(fault: Error & { readonly code?: string }): WebhookFailure {
  if (fault instanceof ConnectFault) return fault.reason;
  const code = fault.code ?? "";
  return code === "EPROTO" || code.startsWith("ERR_SSL_") || code.startsWith("ERR_TLS_") ? "tls" : "reset";
}
