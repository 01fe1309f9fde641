// Follows GET /v1/Events/stream. Guarantees: every event after the one it began with is yielded once and in order,
// however often the connection breaks or the server restarts in between. The first connection has to succeed; later
// ones are tried for ever, with pauses that grow to a bound, unless the server refuses in a way that waiting does not
// change.

import type { Event as AccountEvent } from "./api.generated.ts";
import { TandemError, TandemNetworkError } from "./errors.ts";
import { type ClientOrder, reasonOf, refusalOf, send, withinTime } from "./exchange.ts";
import { SseParser } from "./sse-parser.ts";

export type StreamState =
  | { readonly kind: "open" }
  | { readonly kind: "lost"; readonly reason: string; readonly retryMs: number };

export interface StreamOptions {
  /** Begins after this event; with what comes from now on unless told. */
  readonly lastEventId?: string;
  /** Ends the stream quietly. */
  readonly signal?: AbortSignal;
  readonly onState?: (state: StreamState) => void;
  /** Without a byte for so long, the connection is taken for dead; 45 seconds (three heartbeats) unless told. */
  readonly silenceMsMax?: number;
}

type FindLastId = (signal: AbortSignal | undefined) => Promise<string>;

const SILENCE_MS_MAX = 45_000;
const PAUSE_MS_MIN = 250;
const PAUSE_MS_MAX = 10_000;
const ASKED_PAUSE_MS_MAX = 60_000;

export async function* streamEvents(
  order: ClientOrder,
  options: StreamOptions,
  findLastId: FindLastId,
): AsyncGenerator<AccountEvent, void, void> {
  const { onState, signal } = options;
  // A getter of its own: the compiler would take an answer of before for the one of now.
  const isEnded = () => signal?.aborted === true;
  let lastId = options.lastEventId;
  let failures = 0;
  let wasOpen = false;
  while (!isEnded()) {
    const connection = new Connection(order, options);
    let openedMs = Number.POSITIVE_INFINITY;
    try {
      // Known before the first connection, so that one that breaks before its first event misses nothing either.
      lastId ??= await findLastId(signal);
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
      if (!wasOpen || !isPassing(error)) throw error;
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
  readonly #silenceMsMax: number;
  readonly #ending = new AbortController();
  readonly #signal: AbortSignal | undefined;
  readonly #abort = () => this.#ending.abort();
  #body: ReadableStreamDefaultReader<Uint8Array> | undefined;
  #isSilent = false;

  constructor(order: ClientOrder, { signal, silenceMsMax = SILENCE_MS_MAX }: StreamOptions) {
    this.#order = order;
    this.#silenceMsMax = silenceMsMax;
    this.#signal = signal;
    signal?.addEventListener("abort", this.#abort);
    if (signal?.aborted) this.#abort();
  }

  async open(lastId: string): Promise<void> {
    // In the query, where a wrong one is refused; a wrong header would be passed over, and events with it.
    const request = { query: { lastEventId: lastId }, headers: { Accept: "text/event-stream" } };
    await withinTime(this.#order, this.#signal, async (signal) => {
      // The call's signal ends with its time; what is read afterwards ends with the connection's own.
      signal.addEventListener("abort", this.#abort);
      const response = await send(this.#order, "GET /v1/Events/stream", request, this.#ending.signal);
      if (!response.ok) throw refusalOf(response, await response.text());
      const isStream = response.headers.get("Content-Type")?.startsWith("text/event-stream") === true;
      if (!isStream || !response.body) throw this.#garbled("no stream of events");
      this.#body = response.body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
    });
  }

  /** Throws when the stream ends, for it never ends by itself. */
  async *events(): AsyncGenerator<AccountEvent, void, void> {
    const parser = new SseParser();
    for (;;) {
      const bytes = await this.#read();
      for (const { data, id } of parser.feed(bytes)) {
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

/**
 * May be over when it is tried again. 409: too many streams, perhaps our own that the server does not know to be dead.
 */
function isPassing(error: unknown): boolean {
  if (error instanceof TandemNetworkError) return error.fault === "unreachable" || error.fault === "timeout";
  return error instanceof TandemError && (error.status >= 500 || error.status === 429 || error.status === 409);
}

/** Half of it by chance, so that a server that comes back does not see all its listeners in the same moment. */
function pauseAfter(failures: number, error: unknown): number {
  const asked = error instanceof TandemError ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
  const grown = Math.min(PAUSE_MS_MAX, PAUSE_MS_MIN * 2 ** Math.min(failures, 10));
  return Math.max(Math.min(asked, ASKED_PAUSE_MS_MAX), Math.round(grown * (0.5 + Math.random() / 2)));
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener("abort", end);
    if (signal?.aborted) end();
  });
}
