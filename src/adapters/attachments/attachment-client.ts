// Fetches media from untrusted URLs.
//
// Guarantees: `fetch` never throws and settles by its deadline. Every connection, including those of redirects, goes
// only to addresses that the guard allows. It reads at most `octetsMax` and decompresses nothing. The type of the
// result is verified by its bytes. What a caller keeps is fetched again only when it has changed. Does not limit
// concurrent fetches, and caches nothing itself.

import { EventEmitter } from "node:events";
import { createSecureContext, rootCertificates, type SecureContext } from "node:tls";
import { type buildConnector, Client, type Dispatcher } from "undici";
import { deadlineAfter } from "../../base/deadline.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import type { AddressGuard } from "../guard/address-guard.ts";
import { ConnectFault } from "../guard/connect-fault.ts";
import { type OpenSocketDeps, openSocket } from "../guard/open-socket.ts";
import { mediaName } from "./attachment-name.ts";
import { judgeMedia } from "./judge-attachment.ts";
import type { MediaType } from "./sniff-type.ts";

export interface FetchedMedia {
  readonly contentType: MediaType;
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Undefined when its server names none. */
  readonly version: MediaVersion | undefined;
}

/** By which a server tells whether media are still the same (RFC 9110 8.8). */
export interface MediaVersion {
  /** Where they came from in the end. */
  readonly url: string;
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
}

export type MediaRefusalReason =
  | "bad-url"
  | "address-refused"
  /** The server answered with a client error or redirected too often. */
  | "not-found"
  | "too-big"
  | "too-slow"
  /** No connection, or a server error: a retry may succeed. */
  | "unreachable"
  | "not-media"
  | "lies-about-type";

export interface MediaRefusal {
  readonly reason: MediaRefusalReason;
  readonly detail: string;
}

export interface MediaClientOptions {
  readonly guard: AddressGuard;
  /** For everything: DNS, connections, redirects and the content. */
  readonly deadlineMs?: number;
  readonly connectTimeoutMs?: number;
  readonly octetsMax?: number;
  readonly redirectsMax?: number;
  /** PEM of certificate authorities to trust in addition to the default ones. */
  readonly ca?: readonly string[];
  readonly dial?: OpenSocketDeps["dial"];
}

const HEADER_OCTETS_MAX = 16 * 1024;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const HEADERS = {
  accept: "image/*, audio/*, video/*, */*;q=0.5",
  "accept-encoding": "identity",
  "user-agent": "tandem",
};

/** Carries a refusal out of nested calls. */
class Refusal extends Error {
  readonly refusal: MediaRefusal;

  constructor(reason: MediaRefusalReason, detail: string) {
    super(detail);
    this.refusal = { reason, detail };
  }
}

export class MediaClient {
  readonly #guard: AddressGuard;
  readonly #secureContext: SecureContext;
  readonly #dial: OpenSocketDeps["dial"];
  readonly #deadlineMs: number;
  readonly #connectTimeoutMs: number;
  readonly #octetsMax: number;
  readonly #redirectsMax: number;

  constructor(options: MediaClientOptions) {
    this.#guard = options.guard;
    this.#secureContext = createSecureContext(options.ca ? { ca: [...rootCertificates, ...options.ca] } : {});
    this.#dial = options.dial;
    this.#deadlineMs = options.deadlineMs ?? 15_000;
    this.#connectTimeoutMs = options.connectTimeoutMs ?? 5_000;
    this.#octetsMax = options.octetsMax ?? 5 * 1024 * 1024;
    this.#redirectsMax = options.redirectsMax ?? 3;
  }

  /** The signal ends it early, as its deadline does. */
  async fetch(url: string, signal?: AbortSignal): Promise<Result<FetchedMedia, MediaRefusal>> {
    return this.#inTime((ended) => this.#follow(url, undefined, ended) as Promise<FetchedMedia>, signal);
  }

  /** Undefined when it is still the known version. */
  fetchNewer(
    url: string,
    known: MediaVersion | undefined,
    signal: AbortSignal,
  ): Promise<Result<FetchedMedia | undefined, MediaRefusal>> {
    return this.#inTime((ended) => this.#follow(url, known, ended), signal);
  }

  async #inTime<Value>(
    fetch: (ended: AbortSignal) => Promise<Value>,
    signal: AbortSignal | undefined,
  ): Promise<Result<Value, MediaRefusal>> {
    const deadline = new AbortController();
    const end = () => deadline.abort();
    const timer = setTimeout(end, this.#deadlineMs);
    signal?.addEventListener("abort", end, { once: true });
    if (signal?.aborted) end();
    try {
      return ok(await fetch(deadline.signal));
    } catch (error) {
      return refused(this.#refusalOf(error, deadline.signal));
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
    }
  }

  async #follow(
    start: string,
    known: MediaVersion | undefined,
    signal: AbortSignal,
  ): Promise<FetchedMedia | undefined> {
    let url = this.#checked(start);
    for (let redirects = 0; ; redirects++) {
      const answer = await this.#get(url, known?.url === url.href ? known : undefined, signal);
      if (!answer || !("location" in answer)) return answer;
      if (redirects >= this.#redirectsMax) {
        throw new Refusal("not-found", `There are more than ${this.#redirectsMax} redirects.`);
      }
      url = this.#checked(resolved(answer.location, url));
    }
  }

  #checked(text: string): URL {
    const checked = this.#guard.checkUrl(text);
    if (checked.ok) return checked.value;
    const { reason, detail } = checked.refusal;
    throw new Refusal(reason === "bad-url" ? "bad-url" : "address-refused", detail);
  }

  async #get(
    url: URL,
    known: MediaVersion | undefined,
    signal: AbortSignal,
  ): Promise<FetchedMedia | { readonly location: string } | undefined> {
    const client = new Client(url.origin, {
      connect: (target, callback) => this.#connect(target, signal, callback),
      maxHeaderSize: HEADER_OCTETS_MAX,
      // The deadline of the fetch is the only timeout.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    // Without a listener, an error on an unused connection would end the process.
    EventEmitter.prototype.on.call(client, "error", () => {});
    try {
      const answer = await client.request({
        method: "GET",
        path: `${url.pathname}${url.search}`,
        headers: known ? { ...HEADERS, ...conditionsOf(known) } : HEADERS,
        signal,
      });
      answer.body.on("error", () => {});
      const location = first(answer.headers.location);
      if (REDIRECTS.has(answer.statusCode) && location !== undefined) return { location };
      if (answer.statusCode === 304 && known) return undefined;
      return await this.#read(answer, url);
    } finally {
      await client.destroy();
    }
  }

  async #read({ statusCode, headers, body }: Dispatcher.ResponseData, url: URL): Promise<FetchedMedia> {
    if (statusCode !== 200) throw statusRefusal(statusCode);
    const encoding = first(headers["content-encoding"]) ?? "identity";
    if (encoding.toLowerCase() !== "identity") {
      throw new Refusal("not-media", `The server sends it as ${encoding.slice(0, 40)}, which was not asked for.`);
    }
    const tooBig = new Refusal("too-big", `The media has more than ${this.#octetsMax} bytes.`);
    if (Number(first(headers["content-length"]) ?? 0) > this.#octetsMax) throw tooBig;
    const chunks: Uint8Array[] = [];
    let octets = 0;
    for await (const chunk of body) {
      octets += chunk.length;
      if (octets > this.#octetsMax) throw tooBig;
      chunks.push(chunk);
    }
    const bytes = new Uint8Array(Buffer.concat(chunks));
    if (octets === 0) throw new Refusal("not-media", "The server sent nothing.");
    const judged = judgeMedia(bytes, first(headers["content-type"]));
    if (!judged.ok) throw new Refusal(judged.refusal.reason, judged.refusal.detail);
    const name = mediaName(url, first(headers["content-disposition"]), judged.value);
    return { contentType: judged.value, name, bytes, version: versionOf(url, headers) };
  }

  #connect(target: buildConnector.Options, signal: AbortSignal, callback: buildConnector.Callback): void {
    const secure = target.protocol === "https:";
    const { hostname } = target;
    const port = Number(target.port || (secure ? 443 : 80));
    const attempt = deadlineAfter(this.#connectTimeoutMs, signal);
    const deps = { guard: this.#guard, secureContext: this.#secureContext, dial: this.#dial };
    openSocket(deps, { secure, hostname, port }, attempt.signal)
      .finally(attempt.clear)
      .then(
        (socket) => callback(null, socket),
        (error: Error) => callback(error, null),
      );
  }

  #refusalOf(error: unknown, deadline: AbortSignal): MediaRefusal {
    if (error instanceof Refusal) return error.refusal;
    if (error instanceof ConnectFault && error.reason === "refused-address") {
      return { reason: "address-refused", detail: error.message };
    }
    if (deadline.aborted)
      return { reason: "too-slow", detail: `The media did not come within ${this.#deadlineMs} ms.` };
    const detail = error instanceof Error ? error.message : String(error);
    return { reason: "unreachable", detail: detail.slice(0, 200) };
  }
}

function versionOf({ href }: URL, headers: Dispatcher.ResponseData["headers"]): MediaVersion | undefined {
  const [etag, lastModified] = [first(headers.etag), first(headers["last-modified"])];
  return etag === undefined && lastModified === undefined ? undefined : { url: href, etag, lastModified };
}

function conditionsOf({ etag, lastModified }: MediaVersion): Record<string, string> {
  return {
    ...(etag !== undefined && { "if-none-match": etag }),
    ...(lastModified !== undefined && { "if-modified-since": lastModified }),
  };
}

function statusRefusal(status: number): Refusal {
  const detail = `The server answered ${status}.`;
  return new Refusal(status >= 500 || status === 408 || status === 429 ? "unreachable" : "not-found", detail);
}

function resolved(location: string, base: URL): string {
  try {
    return new URL(location, base).href;
  } catch {
    throw new Refusal("bad-url", "The server redirects to something that is no URL.");
  }
}

function first(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
