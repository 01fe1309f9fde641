// Asks a name server for a number's NAPTR records (RFC 6116).
//
// Guarantees: `ask` settles no later than its signal's abort; an abort ends only its own query; a late answer is
// dropped; pending queries are bounded. Throws on everything but an answer: dead and refusing servers, timeouts,
// garbage. Does not retry and does not cache: the caller does.

import { Resolver } from "node:dns/promises";
import { enumName, readNaptrs } from "../../domain/lookup/enum-answer.ts";
import type { LiveFinding, LiveProvider } from "../../domain/lookup/index.ts";

export interface EnumProviderOptions extends Pick<LiveProvider, "name" | "deadlineMs" | "concurrencyMax"> {
  /** The apex domain of the numbers, such as `e164.arpa`. */
  readonly suffix: string;
  /** Addresses with or without a port; empty for the system's name servers. */
  readonly servers: readonly string[];
  /** Carrier names by `spn`. */
  readonly carriers: Readonly<Record<string, string>>;
}

// RFC 2308 2: the name does not exist, or it has no NAPTR record.
const NOT_FOUND_CODES: ReadonlySet<unknown> = new Set(["ENOTFOUND", "ENODATA"]);

export class EnumProvider {
  readonly #name: string;
  readonly #suffix: string;
  readonly #carriers: ReadonlyMap<string, string>;
  readonly #resolver: Resolver;
  readonly #pendingMax: number;
  #pending = 0;
  #isClosed = false;

  constructor(options: EnumProviderOptions) {
    this.#name = options.name;
    this.#suffix = options.suffix;
    this.#carriers = new Map(Object.entries(options.carriers));
    // An aborted query stays pending until the resolver gives up, so a slow server may have more than `concurrencyMax`.
    this.#pendingMax = options.concurrencyMax * 2;
    // The resolver tries its servers one after the other: each gets a share of the deadline, so the last is tried too.
    const timeout = Math.max(1, Math.floor(options.deadlineMs / Math.max(1, options.servers.length)));
    this.#resolver = new Resolver({ timeout, tries: 1 });
    if (options.servers.length > 0) this.#resolver.setServers(options.servers);
  }

  async ask(number: string, signal: AbortSignal): Promise<LiveFinding> {
    signal.throwIfAborted();
    if (this.#isClosed) throw new Error(`${this.#name} is closed`);
    if (this.#pending >= this.#pendingMax) throw new Error(`${this.#name} owes too many answers`);
    const records = await untilAborted(this.#naptrsOf(number), signal);
    if (!records) return { kind: "notFound" };
    const answer = readNaptrs({ number, carriers: this.#carriers }, records);
    if (!answer.ok) throw new Error(`${this.#name} gave an answer that is ${answer.refusal}`);
    return answer.value;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#resolver.cancel();
  }

  async #naptrsOf(number: string) {
    this.#pending += 1;
    try {
      return await this.#resolver.resolveNaptr(enumName(number, this.#suffix));
    } catch (error) {
      if (error instanceof Error && "code" in error && NOT_FOUND_CODES.has(error.code)) return undefined;
      throw error;
    } finally {
      this.#pending -= 1;
    }
  }
}

/** Rejects on abort and drops the late result. Resolver.cancel() would end every query of the resolver. */
function untilAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
