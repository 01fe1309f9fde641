// A client of a port clearing house over HTTP.
//
// Guarantees: those of `json-exchange.ts`, with a deadline for every request. The clearing house knows an order by its
// sid, which is also the Idempotency-Key: an order that is submitted twice is one order. A refusal is returned; when
// the outcome is unknown, `Unavailable` is thrown and the caller repeats the request later. Does not retry.

import type { Log } from "../../base/log.ts";
import { parseStrictJson } from "../../base/strict-json.ts";
import { Unavailable } from "../../base/unavailable.ts";
import type {
  PortDocument,
  PortingGateway,
  PortOrder,
  PortPins,
  PortReply,
  PortUpdate,
  PortUpdatePage,
} from "../../domain/porting/index.ts";
import { type JsonAnswer, JsonExchange, type JsonRequest, jsonBody } from "../json-exchange.ts";
import { answeredSequence, orderBody, readReason, readUpdates } from "./clearing-house-documents.ts";

export interface ClearingHouseOptions {
  /** Ends without a slash. */
  readonly baseUrl: string;
  readonly token: string;
  readonly deadlineMs: number;
  /** For one document, which may be large. */
  readonly documentDeadlineMs: number;
  readonly concurrencyMax: number;
  readonly log: Log;
}

/** `body` is undefined when it is not JSON: the status alone may be enough. */
type Answer = Pick<JsonAnswer, "statusCode"> & { readonly body: unknown };

const ANSWER_BYTES_MAX = 1024 * 1024;
const CURSOR_LENGTH_MAX = 500;
const UPDATES_PER_PAGE = 200;
/** The order breaks a rule or does not fit its present state; other statuses say nothing about the order. */
const REFUSALS: readonly number[] = [400, 409, 413, 415, 422];

export class ClearingHouseClient implements PortingGateway {
  readonly #options: ClearingHouseOptions;
  readonly #http: JsonExchange;

  constructor(options: ClearingHouseOptions) {
    this.#options = options;
    this.#http = new JsonExchange({
      baseUrl: options.baseUrl,
      connectionsMax: options.concurrencyMax,
      answerBytesMax: ANSWER_BYTES_MAX,
      waitMsMax: options.documentDeadlineMs,
      connectMsMax: options.deadlineMs,
      parse: strictJson,
    });
  }

  async submit(order: PortOrder, pins: PortPins, documents: readonly PortDocument[]): Promise<PortReply> {
    const refusal = await this.#upload(documents);
    if (refusal) return refusal;
    const body = jsonBody(orderBody(order, pins, documents));
    return this.#replyOf(await this.#ask({ method: "POST", path: "/v1/orders", body, key: order.sid }));
  }

  async cancel(order: PortOrder): Promise<PortReply> {
    const path = `/v1/orders/${order.sid}/cancel`;
    return this.#replyOf(await this.#ask({ method: "POST", path, body: jsonBody({}), key: `${order.sid}.cancel` }));
  }

  async supplement(order: PortOrder, pins: PortPins, documents: readonly PortDocument[]): Promise<PortReply> {
    const refusal = await this.#upload(documents);
    if (refusal) return refusal;
    const body = jsonBody({ ...orderBody(order, pins, documents), answers: answeredSequence(order) });
    return this.#replyOf(await this.#ask({ method: "PUT", path: `/v1/orders/${order.sid}`, body }));
  }

  async updates(after: string | undefined): Promise<PortUpdatePage> {
    const query = new URLSearchParams({ limit: String(UPDATES_PER_PAGE), ...(after === undefined ? {} : { after }) });
    const answer = await this.#ask({ method: "GET", path: `/v1/news?${query}` });
    // The cursor has expired: all updates are read again, and those known already change nothing.
    if (answer.statusCode === 410 && after !== undefined) return this.updates(undefined);
    const page = answer.statusCode === 200 ? membersOf(answer.body) : undefined;
    const cursor = page?.cursor;
    if (!Array.isArray(page?.news) || typeof cursor !== "string" || cursor.length > CURSOR_LENGTH_MAX) {
      throw unexpected(answer);
    }
    // A page whose cursor does not move is the last one, whatever `more` is.
    return { updates: this.#read(page.news), cursor, more: page.more === true && cursor !== after };
  }

  close(): Promise<void> {
    return this.#http.close();
  }

  async #upload(documents: readonly PortDocument[]): Promise<PortReply | undefined> {
    for (const { sha256, contentType, bytes } of documents) {
      const path = `/v1/documents/${sha256}`;
      const body = { contentType, content: bytes };
      const answer = await this.#ask({ method: "PUT", path, body, deadlineMs: this.#options.documentDeadlineMs });
      if (answer.statusCode >= 200 && answer.statusCode <= 299) continue;
      const reply = this.#replyOf(answer);
      if (reply.kind === "refused") return reply;
      throw unexpected(answer);
    }
    return undefined;
  }

  /** Throws when the body is not the clearing house's: a proxy answered, so nothing is known about the order. */
  #replyOf(answer: Answer): PortReply {
    const { statusCode, body } = answer;
    const news = membersOf(body)?.news;
    if ((statusCode === 200 || statusCode === 201) && Array.isArray(news)) {
      return { kind: "taken", updates: this.#read(news) };
    }
    const reason = readReason(body);
    if (reason && statusCode === 404) return { kind: "unknown" };
    if (reason && REFUSALS.includes(statusCode)) return { kind: "refused", reason };
    throw unexpected(answer);
  }

  #read(list: unknown): readonly PortUpdate[] {
    const { updates, unreadable } = readUpdates(list);
    if (unreadable > 0) this.#options.log.warn({ unreadable }, "updates of the clearing house could not be read");
    return updates;
  }

  async #ask({ key, deadlineMs = this.#options.deadlineMs, ...request }: GatewayRequest): Promise<Answer> {
    const headers = {
      authorization: `Bearer ${this.#options.token}`,
      ...(key === undefined ? {} : { "idempotency-key": key }),
    };
    const signal = AbortSignal.timeout(deadlineMs);
    try {
      const { statusCode, json } = await this.#http.ask({ ...request, headers, signal });
      return { statusCode, body: json?.value };
    } catch (fault) {
      throw new Unavailable(`the clearing house gave no usable answer: ${(fault as Error).message}`, { cause: fault });
    }
  }
}

interface GatewayRequest extends Pick<JsonRequest, "method" | "path" | "body"> {
  readonly key?: string;
  readonly deadlineMs?: number;
}

function strictJson(bytes: Uint8Array): JsonAnswer["json"] {
  const read = parseStrictJson(bytes);
  return read.ok ? read : undefined;
}

function membersOf(body: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof body === "object" && body !== null && !Array.isArray(body) ? { ...body } : undefined;
}

function unexpected({ statusCode }: Answer): Unavailable {
  const advice = statusCode === 401 || statusCode === 403 ? ": is the token right?" : "";
  return new Unavailable(`the clearing house answered ${statusCode}${advice}`);
}
