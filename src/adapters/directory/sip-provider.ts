// Asks SIP redirect servers for a number's routing number, by an INVITE that is answered with 302 and never rings.
//
// Guarantees: those of `RedirectServers`; servers are asked one after another, the next when one is silent for its
// share of the deadline, cannot be reached or answers 5xx. Throws on everything but an answer. Does not cache.

import type { LiveFinding, LiveProvider, RedirectAnswer, RedirectServers } from "../../domain/lookup/index.ts";
import { readContacts } from "../../domain/lookup/redirect-answer.ts";
import { fillTemplate } from "./http-provider.ts";

export interface SipProviderOptions extends Pick<LiveProvider, "name" | "deadlineMs"> {
  /** `host` or `host:port`, tried in order. */
  readonly servers: readonly string[];
  readonly transport: "udp" | "tcp" | "tls";
  /** The user part that is called, with `{number}`, `{digits}` or `{national}`. */
  readonly user: string;
  /** Status codes that mean that the number is not known. */
  readonly notFoundStatuses: readonly number[];
  /** Carrier names by `spn`. */
  readonly carriers: Readonly<Record<string, string>>;
}

export class SipProvider {
  readonly #options: SipProviderOptions;
  readonly #redirects: RedirectServers;
  readonly #carriers: ReadonlyMap<string, string>;

  constructor(options: SipProviderOptions, redirects: RedirectServers) {
    this.#options = options;
    this.#redirects = redirects;
    this.#carriers = new Map(Object.entries(options.carriers));
  }

  async ask(number: string, signal: AbortSignal): Promise<LiveFinding> {
    const { name, servers, transport, deadlineMs } = this.#options;
    const user = fillTemplate(this.#options.user, number, String);
    const waitMs = Math.max(1, Math.floor(deadlineMs / servers.length));
    let reason = "it has no server";
    for (const server of servers) {
      signal.throwIfAborted();
      try {
        const answer = await this.#redirects.ask({ server, transport, user, waitMs }, signal);
        const finding = this.#findingOf(number, answer);
        if (finding) return finding;
        reason = `${server} answered ${answer.status}`;
        if (answer.status < 500 || answer.status >= 600) break;
      } catch (error) {
        reason = `${server}: ${(error as Error).message}`;
      }
    }
    throw new Error(`${name} gave no usable answer: ${reason}`);
  }

  /** Undefined when the answer is neither a redirection nor "not known". */
  #findingOf(number: string, { status, contacts }: RedirectAnswer): LiveFinding | undefined {
    if (this.#options.notFoundStatuses.includes(status)) return { kind: "notFound" };
    if (status < 300 || status >= 400) return undefined;
    const read = readContacts({ number, carriers: this.#carriers }, contacts);
    if (!read.ok) throw new Error(`${status} with Contacts that are ${read.refusal}`);
    return read.value;
  }
}
