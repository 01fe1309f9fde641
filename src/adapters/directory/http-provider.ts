// Asks a lookup service over HTTP by a template: any service that answers JSON can be configured.
//
// Guarantees: those of `json-exchange.ts`, with at most `concurrencyMax` connections, to the one origin of the
// template, and at most 64 KiB of an answer. Throws on everything but an answer. Does not retry and does not cache.

import { callingCodeIn } from "../../../rules/numbers/calling-code.ts";
import type { LiveFinding, LiveProvider } from "../../domain/lookup/index.ts";
import { type AnswerHead, JsonExchange, type JsonRequest } from "../json-exchange.ts";
import { type AnswerPaths, type AnswerWords, readAnswer } from "./http-answer.ts";

export interface HttpProviderOptions extends Pick<LiveProvider, "name" | "deadlineMs" | "concurrencyMax"> {
  readonly method: "GET" | "POST";
  /** `{number}`, `{digits}` and `{national}` may occur in path and query. */
  readonly url: string;
  /** Ready to be sent, authorization included. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: { readonly contentType: string; readonly template: string } | undefined;
  /** Status codes that mean that the number is not known. */
  readonly notFoundStatuses: readonly number[];
  readonly paths: AnswerPaths;
  readonly words: AnswerWords;
}

const ANSWER_BYTES_MAX = 64 * 1024;
const JSON_TYPE = /^\s*(?:application|text)\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

export class HttpProvider {
  readonly #options: HttpProviderOptions;
  readonly #exchange: JsonExchange;

  constructor(options: HttpProviderOptions) {
    this.#options = options;
    this.#exchange = new JsonExchange({
      baseUrl: new URL(options.url).origin,
      connectionsMax: options.concurrencyMax,
      answerBytesMax: ANSWER_BYTES_MAX,
      waitMsMax: options.deadlineMs,
    });
  }

  async ask(number: string, signal: AbortSignal): Promise<LiveFinding> {
    signal.throwIfAborted();
    const { name, notFoundStatuses, paths, words } = this.#options;
    try {
      const { statusCode, json } = await this.#exchange.ask(this.#requestOf(number, signal));
      if (notFoundStatuses.includes(statusCode)) return { kind: "notFound" };
      if (!json) throw new Error(isGood(statusCode) ? "not JSON" : `status ${statusCode}`);
      return readAnswer(number, json.value, paths, words);
    } catch (error) {
      signal.throwIfAborted();
      throw new Error(`${name} gave no usable answer: ${(error as Error).message}`, { cause: error });
    }
  }

  close(): Promise<void> {
    return this.#exchange.close();
  }

  #requestOf(number: string, signal: AbortSignal): JsonRequest {
    const { method, url, headers, body } = this.#options;
    const target = new URL(fillTemplate(url, number, encodeURIComponent));
    const isForm = body?.contentType.toLowerCase().startsWith("application/x-www-form-urlencoded") ?? false;
    return {
      method,
      path: target.pathname + target.search,
      signal,
      headers,
      body: body && {
        contentType: body.contentType,
        content: fillTemplate(body.template, number, isForm ? encodeURIComponent : String),
      },
      wantsBody: isJson,
    };
  }
}

/** Only the three names are filled in: every other brace is the template's own, as in a JSON body. */
export function fillTemplate(template: string, number: string, encode: (text: string) => string): string {
  const digits = number.replace(/\D/g, "");
  const values: Readonly<Record<string, string>> = {
    number: `+${digits}`,
    digits,
    national: digits.slice(callingCodeIn(number).length),
  };
  return template.replace(/\{(number|digits|national)\}/g, (_, name: string) => encode(values[name] ?? ""));
}

const isGood = (statusCode: number) => statusCode >= 200 && statusCode <= 299;

function isJson({ statusCode, headers }: AnswerHead): boolean {
  const type = headers["content-type"];
  return isGood(statusCode) && typeof type === "string" && JSON_TYPE.test(type);
}
