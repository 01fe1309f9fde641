// Speech from a service over HTTP: POST of `{ text, voice, language }`, answered with a WAV file.
//
// Guarantees: those of `json-exchange.ts`.

import { toTelephoneRate } from "../../wire/audio/resample.ts";
import { readWav } from "../../wire/audio/wav.ts";
import { JsonExchange, jsonBody } from "../json-exchange.ts";
import type { SpeechEngine } from "./engine.ts";

export interface HttpEngineOptions {
  readonly url: string;
  readonly authorization: string | undefined;
  readonly voice: string | undefined;
  readonly language: string | undefined;
}

const ANSWER_BYTES_MAX = 20_000_000;
const WAIT_MS_MAX = 15_000;
const CONNECTIONS_MAX = 16;

export class HttpEngine implements SpeechEngine {
  readonly places = CONNECTIONS_MAX;
  readonly #options: HttpEngineOptions;
  readonly #exchange: JsonExchange;

  constructor(options: HttpEngineOptions) {
    this.#options = options;
    this.#exchange = new JsonExchange({
      baseUrl: new URL(options.url).origin,
      connectionsMax: CONNECTIONS_MAX,
      answerBytesMax: ANSWER_BYTES_MAX,
      waitMsMax: WAIT_MS_MAX,
      parse: (octets) => ({ value: octets }),
    });
  }

  async make(text: string, stop: AbortSignal): Promise<Int16Array> {
    const { url, authorization, voice, language } = this.#options;
    const { pathname, search } = new URL(url);
    const { statusCode, json } = await this.#exchange.ask({
      method: "POST",
      path: pathname + search,
      headers: { accept: "audio/wav", ...(authorization !== undefined && { authorization }) },
      body: jsonBody({ text, voice, language }),
      signal: stop,
      wantsBody: (head) => head.statusCode === 200,
    });
    if (!json) throw new Error(`the speech service answered ${statusCode}`);
    const read = readWav(json.value as Uint8Array);
    if (!read.ok) throw new Error(`the answer of the speech service cannot be read: ${read.refusal}`);
    return toTelephoneRate(read.value);
  }

  close(): Promise<void> {
    return this.#exchange.close();
  }
}
