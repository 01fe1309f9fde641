// A simulated port clearing house with a losing carrier: the HTTP API of a real one, but a port takes seconds.
//
//   PUT  /v1/documents/{sha256}       the bytes of a document
//   POST /v1/orders                   an order; Idempotency-Key is its reference
//   PUT  /v1/orders/{reference}       the corrected order, after an exception
//   POST /v1/orders/{reference}/cancel
//   GET  /v1/news?after=&limit=       the updates of all orders, oldest first
//
// Guarantees: with a directory, an update is on disk before it is sent. Updates are sent as signed notifications and
// can be read from the list.

import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Log } from "../../base/log.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import { originOf, readBody } from "../http.ts";
import { Notifier } from "../notifier.ts";
import { type OrderBody, orderBodySchema } from "./order-body.ts";
import { OrderBook, type OrderFault, type StoredOrder } from "./order-book.ts";
import { type OrderFiles, openOrderFiles } from "./order-files.ts";
import type { Outcome, Reason } from "./port-plan.ts";

export interface ClearingHouseOptions {
  readonly host: string;
  readonly port: number;
  /** The carriers' bearer token. */
  readonly token: string;
  /** Signs the notifications. */
  readonly secret: string;
  readonly notifyUrl?: string;
  /** How long a port takes. */
  readonly portMs?: number;
  /** Where orders are stored; only in memory without it. */
  readonly directory?: string;
  readonly log: Log;
}

export interface Decision {
  readonly outcome: Outcome;
  /** For a rejection or an exception. */
  readonly reason?: string;
}

/** Tests can make it lose or duplicate notifications. */
type NotificationConduct = "deliver" | "lose" | "duplicate";

interface Answer {
  readonly status: number;
  readonly body: object;
}

const PORT_MS = 20_000;
const NOTIFY_RETRY_MS = 500;
const DOCUMENT_BYTES_MAX = 12 * 1024 * 1024;
const JSON_BYTES_MAX = 1024 * 1024;
const DOCUMENTS_MAX = 10_000;
const NEWS_MAX = 1000;
const TIMER_MS_MAX = 60_000;

export class ClearingHouse {
  readonly #options: ClearingHouseOptions;
  readonly #server: Server;
  readonly #files: OrderFiles;
  readonly #book: OrderBook;
  readonly #notifier: Notifier;
  #notifyUrl: string | undefined;
  #conduct: NotificationConduct = "deliver";
  readonly #documents = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #closing: Promise<void> | undefined;

  static async listen(options: ClearingHouseOptions): Promise<ClearingHouse> {
    const house = new ClearingHouse(options);
    house.#server.listen(options.port, options.host);
    await once(house.#server, "listening");
    house.#arm();
    return house;
  }

  private constructor(options: ClearingHouseOptions) {
    this.#options = options;
    this.#files = openOrderFiles(options.directory);
    this.#book = new OrderBook(options.portMs ?? PORT_MS, this.#files.orders);
    this.#notifier = new Notifier(NOTIFY_RETRY_MS, options.log);
    this.#notifyUrl = options.notifyUrl;
    this.#server = createServer({ requestTimeout: 60_000 }, (request, response) => this.#serve(request, response));
  }

  get url(): string {
    return originOf(this.#server);
  }

  /** Sets the outcome of an order, in place of its scheduled steps. */
  decide(orderSid: string, { outcome, reason }: Decision): Result<undefined, Reason> {
    const given = reason === undefined ? undefined : { code: reason, detail: null };
    const decided = this.#book.decide(orderSid, outcome, given, Date.now());
    if (!decided.ok) return decided;
    this.#files.write(decided.value);
    this.#advance();
    return ok(undefined);
  }

  /** Sets the URL for notifications. */
  notifyTo(url: string | undefined): void {
    this.#notifyUrl = url;
  }

  treatNotifications(conduct: NotificationConduct): void {
    this.#conduct = conduct;
  }

  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
    clearTimeout(this.#timer);
    this.#server.close();
    this.#server.closeAllConnections();
    await Promise.all([this.#notifier.close(), once(this.#server, "close")]);
  }

  #advance(): void {
    const before = this.#book.updateCount;
    for (const order of this.#book.advance(Date.now())) this.#files.write(order);
    this.#notifySince(before);
    this.#arm();
  }

  #notifySince(place: number): void {
    const url = this.#notifyUrl;
    const news = this.#book.updatesAfter(place, Number.POSITIVE_INFINITY);
    if (url === undefined || this.#conduct === "lose" || news.length === 0) return;
    const body = JSON.stringify({ news });
    for (let time = 0; time < (this.#conduct === "duplicate" ? 2 : 1); time++)
      this.#notifier.queue("carrier", () => ({ url, headers: this.#signatureOf(body), body }));
  }

  #signatureOf(body: string): Readonly<Record<string, string>> {
    const timestamp = String(Math.floor(Date.now() / 1000));
    const signature = createHmac("sha256", this.#options.secret).update(`${timestamp}.${body}`).digest("hex");
    return { "clearing-house-timestamp": timestamp, "clearing-house-signature": `v1=${signature}` };
  }

  #arm(): void {
    clearTimeout(this.#timer);
    const due = this.#book.nextDueMs;
    if (due === undefined || this.#closing) return;
    const waitMs = Math.min(Math.max(due - Date.now(), 0), TIMER_MS_MAX);
    this.#timer = setTimeout(() => this.#advanceByTimer(), waitMs);
  }

  #advanceByTimer(): void {
    try {
      this.#advance();
    } catch (fault) {
      this.#options.log.error({ reason: String(fault) }, "orders of the clearing house not kept");
      this.#arm();
    }
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const { status, body } = await this.#answer(request);
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    } catch (error) {
      if (!request.errored) this.#options.log.error({ reason: String(error) }, "clearing house failed to answer");
      response.destroy();
    }
  }

  async #answer(request: IncomingMessage): Promise<Answer> {
    if (!isSame(request.headers.authorization ?? "", `Bearer ${this.#options.token}`)) {
      return failure(401, "UNAUTHORIZED", "The token is missing or wrong.");
    }
    const url = new URL(request.url ?? "/", "http://house");
    const route = `${request.method} ${url.pathname}`;
    if (route === "GET /v1/news") return this.#updates(url.searchParams);
    const sha256 = /^PUT \/v1\/documents\/([0-9a-f]{64})$/.exec(route)?.[1];
    if (sha256 !== undefined) return this.#takeDocument(sha256, await readBody(request, DOCUMENT_BYTES_MAX));
    const body = await readBody(request, JSON_BYTES_MAX);
    if (route === "POST /v1/orders") return this.#submit(body, request.headers["idempotency-key"]);
    const [, method, reference = "", verb] = /^(PUT|POST) \/v1\/orders\/([\w-]{1,64})(\/cancel)?$/.exec(route) ?? [];
    if (method === "PUT" && verb === undefined) return this.#supplement(reference, body);
    if (method === "POST" && verb === "/cancel") {
      return this.#changed(() => this.#book.cancel(reference, Date.now()));
    }
    return failure(404, "NOT_FOUND", "There is nothing here.");
  }

  #takeDocument(sha256: string, bytes: Buffer | undefined): Answer {
    if (!bytes) return failure(413, "TOO_LARGE", "The document is too large.");
    if (createHash("sha256").update(bytes).digest("hex") !== sha256) {
      return failure(422, "DIGEST_MISMATCH", "The document is not the one its name says.");
    }
    if (this.#documents.size >= DOCUMENTS_MAX) return failure(503, "FULL", "The sandbox holds no more documents.");
    this.#documents.add(sha256);
    return { status: 201, body: {} };
  }

  #submit(bytes: Buffer | undefined, key: unknown): Answer {
    const order = this.#readOrder(bytes);
    if (!order.ok) return order.refusal;
    const { reference } = order.value;
    if (key !== reference) return failure(400, "KEY_MISMATCH", "Idempotency-Key is not the reference.");
    const fingerprint = createHash("sha256").update(JSON.stringify(order.value)).digest("hex");
    const isNew = this.#book.find(reference) === undefined;
    const answer = this.#changed(() => this.#book.submit(order.value, fingerprint, Date.now()));
    return isNew && answer.status === 200 ? { ...answer, status: 201 } : answer;
  }

  #supplement(reference: string, bytes: Buffer | undefined): Answer {
    const order = this.#readOrder(bytes);
    if (!order.ok) return order.refusal;
    if (order.value.reference !== reference) return failure(400, "REFERENCE_MISMATCH", "The path names another order.");
    return this.#changed(() => this.#book.supplement(order.value, Date.now()));
  }

  #readOrder(bytes: Buffer | undefined): Result<OrderBody, Answer> {
    if (!bytes) return refused(failure(413, "TOO_LARGE", "The order is too large."));
    let value: unknown;
    try {
      value = JSON.parse(bytes.toString("utf8"));
    } catch {
      return refused(failure(400, "NOT_JSON", "The order is not JSON."));
    }
    const order = orderBodySchema.safeParse(value);
    if (!order.success) {
      const [issue] = order.error.issues;
      return refused(failure(422, "INVALID_ORDER", `${issue?.path.join(".")}: ${issue?.message}`));
    }
    const missing = order.data.documents.find(({ sha256 }) => !this.#documents.has(sha256));
    // A known order may name documents that were lost in a restart.
    if (missing && !this.#book.find(order.data.reference)) {
      return refused(failure(409, "DOCUMENT_MISSING", `The document ${missing.sha256} was not sent.`));
    }
    return ok(order.data);
  }

  /** Stores the changed order, sends its updates, and answers with all updates of the order. */
  #changed(change: () => Result<StoredOrder, OrderFault>): Answer {
    const before = this.#book.updateCount;
    const done = change();
    if (!done.ok) return failure(done.refusal.status, done.refusal.code, done.refusal.detail ?? "");
    this.#files.write(done.value);
    this.#notifySince(before);
    this.#arm();
    return { status: 200, body: { news: done.value.history.map(({ news }) => news) } };
  }

  #updates(query: URLSearchParams): Answer {
    const place = this.#placeOf(query.get("after"));
    if (place === undefined) return failure(410, "CURSOR_GONE", "This place is not known here: start anew.");
    const limit = Math.min(Math.max(Number(query.get("limit") ?? 100) || 100, 1), NEWS_MAX);
    const news = this.#book.updatesAfter(place, limit);
    const next = place + news.length;
    const more = next < this.#book.updateCount;
    return { status: 200, body: { news, cursor: `${this.#files.epoch}.${next}`, more } };
  }

  #placeOf(cursor: string | null): number | undefined {
    if (cursor === null) return 0;
    const [epoch, place] = cursor.split(".");
    const isKnown =
      epoch === this.#files.epoch && /^\d{1,9}$/.test(place ?? "") && Number(place) <= this.#book.updateCount;
    return isKnown ? Number(place) : undefined;
  }
}

function failure(status: number, code: string, detail: string): Answer {
  return { status, body: { code, detail } };
}

function isSame(given: string, wanted: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}
