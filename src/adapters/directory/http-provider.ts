// Asks a lookup service over HTTP, by template: any service that answers JSON can be described in the configuration.
//
// Guarantees: the whole exchange ends with the signal; at most `concurrencyMax` connections, to the one origin of the
// template; at most 64 KiB of an answer are read; redirects are not followed and nothing is decompressed, so that a small
// answer cannot become a large one. Throws on everything but an answer. Does not retry and does not cache.

import { type Dispatcher, Pool } from "undici";
import { callingCodeOf } from "../../domain/lookup/enum-answer.ts";
import type { LiveFinding, LiveProvider } from "../../domain/lookup/index.ts";
import { type AnswerPaths, type AnswerWords, readAnswer } from "./http-answer.ts";

export interface HttpProviderOptions extends Omit<LiveProvider, "source" | "ask"> {
  readonly method: "GET" | "POST";
  /** `{number}`, `{digits}` and `{national}` may stand in path and query. */
  readonly url: string;
  /** Ready to be sent, authorization included. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: { readonly contentType: string; readonly template: string } | undefined;
  /** Status codes that say that the number is not known. */
  readonly notFoundStatuses: readonly number[];
  readonly paths: AnswerPaths;
  readonly words: AnswerWords;
}

const ANSWER_BYTES_MAX = 64 * 1024;
const JSON_TYPE = /^\s*(?:application|text)\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

export class HttpProvider implements LiveProvider {
  readonly source = "http";
  readonly name: string;
  readonly callingCodes: readonly string[];
  readonly deadlineMs: number;
  readonly concurrencyMax: number;
  readonly cacheSeconds: number;
  readonly negativeCacheSeconds: number;
  readonly #options: HttpProviderOptions;
  readonly #pool: Pool;
  #closing: Promise<void> | undefined;

  constructor(options: HttpProviderOptions) {
    this.name = options.name;
    this.callingCodes = options.callingCodes;
    this.deadlineMs = options.deadlineMs;
    this.concurrencyMax = options.concurrencyMax;
    this.cacheSeconds = options.cacheSeconds;
    this.negativeCacheSeconds = options.negativeCacheSeconds;
    this.#options = options;
    this.#pool = new Pool(new URL(options.url).origin, {
      connections: options.concurrencyMax,
      pipelining: 1,
      connect: { timeout: options.deadlineMs },
      headersTimeout: options.deadlineMs,
      bodyTimeout: options.deadlineMs,
      maxResponseSize: ANSWER_BYTES_MAX,
    });
  }

  async ask(number: string, signal: AbortSignal): Promise<LiveFinding> {
    signal.throwIfAborted();
    const { notFoundStatuses, paths, words } = this.#options;
    const response = await this.#pool.request(this.#requestFor(number, signal));
    if (notFoundStatuses.includes(response.statusCode)) {
      // The status said it all: the rest only has to pass for the connection to be used again.
      response.body.dump({ limit: ANSWER_BYTES_MAX, signal }).catch(() => {});
      return { kind: "notFound" };
    }
    try {
      const answer = await readJson(response);
      return readAnswer(number, answer, paths, words);
    } catch (error) {
      // A body nobody reads would keep its connection; its error has been told already.
      response.body.on("error", () => {}).destroy();
      signal.throwIfAborted();
      throw new Error(`${this.name} gave no usable answer: ${reasonOf(error)}`, { cause: error });
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#pool.destroy();
    return this.#closing;
  }

  #requestFor(number: string, signal: AbortSignal): Dispatcher.RequestOptions {
    const { method, url, headers, body } = this.#options;
    const target = new URL(fillTemplate(url, number, encodeURIComponent));
    const isForm = body?.contentType.toLowerCase().startsWith("application/x-www-form-urlencoded") ?? false;
    return {
      method,
      path: target.pathname + target.search,
      signal,
      headers: {
        accept: "application/json",
        "user-agent": "tandem",
        ...(body ? { "content-type": body.contentType } : {}),
        ...headers,
        "accept-encoding": "identity",
      },
      body: body ? fillTemplate(body.template, number, isForm ? encodeURIComponent : String) : null,
    };
  }
}

/** Only the three names are filled in: every other brace is the template's own, as in a JSON body. */
export function fillTemplate(template: string, number: string, encode: (text: string) => string): string {
  const digits = number.replace(/\D/g, "");
  const values: Readonly<Record<string, string>> = {
    number: `+${digits}`,
    digits,
    national: digits.slice(callingCodeOf(number).length),
  };
  return template.replace(/\{(number|digits|national)\}/g, (_, name: string) => encode(values[name] ?? ""));
}

async function readJson({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<unknown> {
  if (statusCode < 200 || statusCode > 299) throw new Error(`status ${statusCode}`);
  const encoding = headers["content-encoding"];
  if (encoding !== undefined && encoding !== "identity") throw new Error("compressed although not asked for");
  const type = headers["content-type"];
  if (typeof type !== "string" || !JSON_TYPE.test(type)) throw new Error("not JSON");
  const bytes = await body.bytes();
  return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : "unknown";
}
