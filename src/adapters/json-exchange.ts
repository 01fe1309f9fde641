// Sends HTTP requests to one origin and reads JSON. For the campaign registry, the clearing house and lookup services.
//
// Guarantees: an exchange ends when its signal aborts, at any step from connecting to the last octet; at most
// `connectionsMax` connections; at most `answerBytesMax` of an answer are read; redirects are not followed and nothing
// is decompressed, so that a small answer cannot become a large one. Throws `ExchangeFault` when there is no readable
// answer; does not retry.

import { type Dispatcher, Pool } from "undici";
import { Unavailable } from "../base/unavailable.ts";

export interface JsonExchangeOptions {
  /** Request paths are appended to its path. */
  readonly baseUrl: string;
  readonly connectionsMax: number;
  readonly answerBytesMax: number;
  /** The longest wait for the head and for more of the body. */
  readonly waitMsMax: number;
  /** The longest wait for connecting; `waitMsMax` by default. */
  readonly connectMsMax?: number;
  /** Parses bodies; returns undefined for a body that is not JSON. */
  readonly parse?: typeof parseJson;
}

export interface JsonRequest {
  readonly method: "GET" | "POST" | "PUT";
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: { readonly contentType: string; readonly content: string | Uint8Array } | undefined;
  readonly signal: AbortSignal;
  /** When it returns false, the body is discarded. */
  readonly wantsBody?: (head: AnswerHead) => boolean;
}

export type AnswerHead = Pick<Dispatcher.ResponseData, "statusCode" | "headers">;

export interface JsonAnswer extends AnswerHead {
  /** Undefined when the body is not JSON, or was not wanted. */
  readonly json: { readonly value: unknown } | undefined;
}

export class ExchangeFault extends Unavailable {
  readonly why: "unreachable" | "timeout" | "unreadable" | "closed";

  constructor(why: ExchangeFault["why"], message: string, cause?: unknown) {
    super(message, { cause });
    this.why = why;
  }
}

export const jsonBody = (value: object) => ({ contentType: "application/json", content: JSON.stringify(value) });

export class JsonExchange {
  readonly #pool: Pool;
  readonly #basePath: string;
  readonly #answerBytesMax: number;
  readonly #parse: typeof parseJson;
  #closing: Promise<void> | undefined;

  constructor(options: JsonExchangeOptions) {
    const { connectionsMax, answerBytesMax, waitMsMax, connectMsMax = waitMsMax, parse = parseJson } = options;
    const { origin, pathname } = new URL(options.baseUrl);
    this.#parse = parse;
    this.#basePath = pathname.replace(/\/+$/, "");
    this.#answerBytesMax = answerBytesMax;
    this.#pool = new Pool(origin, {
      connections: connectionsMax,
      pipelining: 1,
      connect: { timeout: connectMsMax },
      headersTimeout: waitMsMax,
      bodyTimeout: waitMsMax,
      maxResponseSize: answerBytesMax,
    });
  }

  async ask({ method, path, headers, body, signal, wantsBody }: JsonRequest): Promise<JsonAnswer> {
    try {
      const response = await this.#pool.request({
        method,
        path: this.#basePath + path,
        signal,
        headers: {
          accept: "application/json",
          "user-agent": "tandem",
          ...(body && { "content-type": body.contentType }),
          ...headers,
          "accept-encoding": "identity",
        },
        body: body?.content ?? null,
      });
      const { statusCode } = response;
      if (wantsBody?.(response) !== false)
        return { statusCode, headers: response.headers, json: await jsonOf(response, this.#parse) };
      // Reads and drops the body, so that the connection can be reused.
      response.body.dump({ limit: this.#answerBytesMax, signal }).catch(() => {});
      return { statusCode, headers: response.headers, json: undefined };
    } catch (error) {
      throw this.#faultOf(error, signal);
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#pool.destroy();
    return this.#closing;
  }

  #faultOf(error: unknown, signal: AbortSignal): ExchangeFault {
    if (error instanceof ExchangeFault) return error;
    if (this.#closing) return new ExchangeFault("closed", "nothing is asked any more", error);
    const { code, name } = error as { readonly code?: unknown; readonly name?: unknown };
    const detail = String(code ?? name);
    if (signal.aborted || TIMEOUT_CODES.has(detail)) return new ExchangeFault("timeout", "no answer in time", error);
    const isUnreadable = UNREADABLE_CODES.has(detail) || name === "HTTPParserError";
    return new ExchangeFault(isUnreadable ? "unreadable" : "unreachable", detail, error);
  }
}

const UNREADABLE_CODES = new Set(["UND_ERR_RES_EXCEEDED_MAX_SIZE", "UND_ERR_HEADERS_OVERFLOW"]);
const TIMEOUT_CODES = new Set(["UND_ERR_CONNECT_TIMEOUT", "UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT"]);

async function jsonOf(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  parse: typeof parseJson,
): Promise<JsonAnswer["json"]> {
  // `bytes()` reports the error too; without a listener it would be uncaught when the body is destroyed.
  body.on("error", () => {});
  const encoding = headers["content-encoding"];
  if (encoding !== undefined && encoding !== "identity") {
    body.destroy();
    // The status of an error answer is enough: proxies compress their error pages unasked.
    if (statusCode >= 300) return undefined;
    throw new ExchangeFault("unreadable", "compressed although not asked for");
  }
  return parse(await body.bytes());
}

/** When a member name is repeated, the last one counts. */
export function parseJson(bytes: Uint8Array): JsonAnswer["json"] {
  try {
    return { value: JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) };
  } catch {
    return undefined;
  }
}
