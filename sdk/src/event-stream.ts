// Follows GET /v1/Events/stream, and the stream of operators.
//
// Guarantees: every event after the one it began with is yielded once and in order, however often the connection breaks
// or the server restarts. The first connection must succeed; later ones are retried without limit, with pauses that
// grow to a bound, unless the server refuses with a permanent status.

import { TandemError, TandemNetworkError } from "./errors.ts";
import { type ClientOrder, reasonOf, refusalOf, send, withinTime } from "./exchange.ts";
import { type LiveEntry, readEntry } from "./live-entries.ts";
import { grownPauseMs, pause } from "./retry.ts";
import { SseParser } from "./sse-parser.ts";
import type { AccountEvent } from "./webhook-events.ts";

export type StreamState =
  | { readonly kind: "open" }
  | { readonly kind: "lost"; readonly reason: string; readonly retryMs: number };

export interface StreamOptions {
  /** Begins after this event; by default with the first event from now on. */
  readonly lastEventId?: string;
  /** Also passes requests, or protocol messages, to `onLive` as they happen. */
  readonly include?: readonly ("requests" | "protocol")[];
  readonly onLive?: (entry: LiveEntry) => void;
  /** Ends the stream without an error. */
  readonly signal?: AbortSignal;
  readonly onState?: (state: StreamState) => void;
  /** A connection without a byte for this long counts as lost; by default 45 seconds (three heartbeats). */
  readonly silenceMsMax?: number;
}

export interface StreamSource {
  readonly operation: "GET /v1/Events/stream" | "GET /operator/v1/Events/stream";
  readonly findLastId: (signal: AbortSignal | undefined) => Promise<string>;
}

const SILENCE_MS_MAX = 45_000;
const PAUSE_MS_MIN = 250;
const PAUSE_MS_MAX = 10_000;
const ASKED_PAUSE_MS_MAX = 60_000;

export async function* streamEvents(
  order: ClientOrder,
  options: StreamOptions,
  source: StreamSource,
): AsyncGenerator<AccountEvent, void, void> {
  const { onState, signal } = options;
  // A function, because the compiler assumes that `signal.aborted` does not change in between.
  const isEnded = () => signal?.aborted === true;
  let lastId = options.lastEventId;
  let failures = 0;
  let wasOpen = false;
  while (!isEnded()) {
    const connection = new Connection(order, options, source);
    let openedMs = Number.POSITIVE_INFINITY;
    try {
      // Read before the first connection, so that nothing is missed when it breaks before its first event.
      lastId ??= await source.findLastId(signal);
      await connection.open(lastId);
      wasOpen = true;
      openedMs = performance.now();
      onState?.({ kind: "open" });
      for await (const event of connection.events()) {
        lastId = event.id;
        yield event;
      }
    } catch (error) {
      if (isEnded()) return;
      if (!wasOpen || !isTemporary(error)) throw error;
      if (performance.now() - openedMs > PAUSE_MS_MAX) failures = 0;
      const retryMs = pauseAfter(failures++, error);
      onState?.({ kind: "lost", reason: (error as Error).message, retryMs });
      await pause(retryMs, signal);
    } finally {
      connection.close();
    }
  }
}

class Connection {
  readonly #order: ClientOrder;
  readonly #options: StreamOptions;
  readonly #source: StreamSource;
  readonly #silenceMsMax: number;
  readonly #ending = new AbortController();
  readonly #signal: AbortSignal | undefined;
  readonly #abort = () => this.#ending.abort();
  #body: ReadableStreamDefaultReader<Uint8Array> | undefined;
  #isSilent = false;

  constructor(order: ClientOrder, options: StreamOptions, source: StreamSource) {
    const { signal, silenceMsMax = SILENCE_MS_MAX } = options;
    this.#order = order;
    this.#options = options;
    this.#source = source;
    this.#silenceMsMax = silenceMsMax;
    this.#signal = signal;
    signal?.addEventListener("abort", this.#abort);
    if (signal?.aborted) this.#abort();
  }

  async open(lastId: string | undefined): Promise<void> {
    const { include = [] } = this.#options;
    // In the query, where the server refuses a wrong id; a wrong header would be ignored, and events would be missed.
    const query = {
      ...(lastId === undefined ? {} : { lastEventId: lastId }),
      ...(include.length === 0 ? {} : { include: include.join(",") }),
    };
    const request = { query, headers: { Accept: "text/event-stream" } };
    await withinTime(this.#order, this.#signal, async (signal) => {
      // The timeout of the call covers the head only; the body is read under the connection's own signal.
      signal.addEventListener("abort", this.#abort);
      const response = await send(this.#order, this.#source.operation, request, this.#ending.signal);
      if (!response.ok) throw refusalOf(response, await response.text());
      const isStream = response.headers.get("Content-Type")?.startsWith("text/event-stream") === true;
      if (!isStream || !response.body) throw this.#garbled("no stream of events");
      this.#body = response.body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
    });
  }

  /** Throws when the stream ends, because the server never ends it on purpose. */
  async *events(): AsyncGenerator<AccountEvent, void, void> {
    const parser = new SseParser();
    for (;;) {
      const bytes = await this.#read();
      for (const { data, id, type } of parser.feed(bytes)) {
        const entry = readEntry(type, data);
        if (entry) this.#options.onLive?.(entry);
        if (entry) continue;
        const event = parseEvent(data);
        if (event?.id !== id) throw this.#garbled("something other than an event");
        yield event;
      }
      if (parser.isBroken) throw this.#garbled("an event that is too long");
    }
  }

  close(): void {
    this.#signal?.removeEventListener("abort", this.#abort);
    this.#abort();
  }

  async #read(): Promise<Uint8Array> {
    const timer = setTimeout(() => {
      this.#isSilent = true;
      this.#abort();
    }, this.#silenceMsMax);
    const { baseUrl } = this.#order;
    try {
      const { done, value } = (await this.#body?.read()) ?? { done: true };
      if (!done && value) return value;
    } catch (error) {
      const reason = this.#isSilent ? `it was silent for ${this.#silenceMsMax / 1000} s` : reasonOf(error);
      throw new TandemNetworkError("unreachable", `The stream of ${baseUrl} broke: ${reason}.`, error);
    } finally {
      clearTimeout(timer);
    }
    throw new TandemNetworkError("unreachable", `The stream of ${baseUrl} was ended by the server.`);
  }

  #garbled(what: string): TandemNetworkError {
    return new TandemNetworkError("garbled", `${this.#order.baseUrl} answered ${what}.`);
  }
}

function parseEvent(data: string): AccountEvent | undefined {
  try {
    const event: unknown = JSON.parse(data);
    return event !== null && typeof event === "object" ? (event as AccountEvent) : undefined;
  } catch {
    return undefined;
  }
}

function isTemporary(error: unknown): boolean {
  if (error instanceof TandemNetworkError) return error.fault === "unreachable" || error.fault === "timeout";
  return error instanceof TandemError && (error.status >= 500 || error.status === 429 || isConflict(error));
}

/** It means too many streams: one of them may be our lost connection, which the server has not noticed yet. */
function isConflict({ status, code }: TandemError): boolean {
  return status === 409 && code !== "other-account";
}

function pauseAfter(failures: number, error: unknown): number {
  const asked = error instanceof TandemError ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
  return Math.max(Math.min(asked, ASKED_PAUSE_MS_MAX), grownPauseMs(failures, PAUSE_MS_MIN, PAUSE_MS_MAX));
}
