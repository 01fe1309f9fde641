// Sending in a process, from the moment it gets the sending lease until it loses it: one term. The steps, in order:
//
//   begin  what an earlier sender left is settled; the sender takes messages; then the links are opened
//   end    no more messages are taken; those never submitted are given back; then sender and links close
//
// Without the lease there is neither a sender nor a link, and everything here does nothing.

import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import { giveBackStrays } from "../give-back.ts";
import type { StoppedStore } from "../stopped.ts";
import type {
  LinkHealth,
  ReceiptStore,
  ReportedLinkStore,
  SendQueue,
  SettledMessage,
  UnconfirmedMessage,
} from "./ports.ts";
import { makePlacer, makeRoutes, type RouteRule } from "./routing.ts";
import { type OwnSending, Sender } from "./sender.ts";
import type { SwitchedLink } from "./switched-link.ts";
import { UnstoredAnswers } from "./unstored-answers.ts";

export interface TermDeps {
  readonly queue: SendQueue & {
    /** Ends the submits of earlier terms. Returns how many messages were being sent, whose outcome is now unknown. */
    beginTerm(term: number, now: Date): Promise<number>;
  };
  /** All links, none of them opened. */
  readonly makeLinks: (term: number) => readonly SwitchedLink[];
  readonly routes: readonly RouteRule[];
  /** The weight of an account's share of a link. */
  readonly weightOf: (accountSid: string) => number;
  /** From now on accepted messages are passed to this sender. */
  readonly handTo: (sending: OwnSending | undefined) => void;
  readonly stoppedLinks: Pick<StoppedStore, "list">;
  readonly reportedLinks: Pick<ReportedLinkStore, "report">;
  readonly receipts: ReceiptStore;
  readonly submitted: (settled: SettledMessage) => void;
  readonly clock: Clock;
  readonly log: Log;
}

/** `failed`: this process tried to take over the sending and could not; the log has the reason, and it tries again. */
export type SendingStanding = "here" | "elsewhere" | "failed";

const QUERIES_AT_ONCE = 100;

export class SendingTerms {
  /** Answers of carriers that are not stored yet: their receipts wait for them. */
  readonly answers = new UnstoredAnswers();
  readonly #deps: TermDeps;
  #links: readonly SwitchedLink[] = [];
  #sender: Sender | undefined;
  #isEnding = false;
  #term = 0;
  /** The last attempt to take over the sending failed. */
  #hasFailed = false;

  constructor(deps: TermDeps) {
    this.#deps = deps;
  }

  get links(): readonly LinkHealth[] {
    return this.#links.map(({ health }) => health);
  }

  get standing(): SendingStanding {
    return this.#hasFailed ? "failed" : this.#sender ? "here" : "elsewhere";
  }

  async begin(term: number): Promise<void> {
    try {
      await this.#begin(term);
      this.#hasFailed = false;
    } catch (fault) {
      this.#hasFailed = true;
      throw fault;
    }
  }

  async #begin(term: number): Promise<void> {
    const { queue, clock, log } = this.#deps;
    const lost = await queue.beginTerm(term, clock.now());
    if (lost > 0)
      log.warn({ count: lost }, "messages of unknown outcome, for their sender stopped while it was sending");
    const stopped = await this.#stoppedNames();
    this.#term = term;
    this.#links = this.#deps.makeLinks(term);
    const sender = this.#newSender();
    this.#sender = sender;
    this.#deps.handTo({ term: () => (sender.isOpen ? term : undefined), sender });
    await this.#setStopped(stopped);
  }

  #newSender(): Sender {
    const { queue, routes, weightOf, submitted: report, clock, log } = this.#deps;
    return new Sender({
      queue,
      placer: makePlacer(routes),
      routes: makeRoutes(routes, this.#links),
      weightOf,
      clock,
      log,
      report,
      answers: this.answers,
    });
  }

  async end(): Promise<void> {
    const { handTo, log } = this.#deps;
    this.#isEnding = true;
    handTo(undefined);
    // Otherwise the next holder of the lease would treat messages that were never submitted as messages of unknown
    // outcome.
    await this.giveBack().catch((error: Error) => log.warn({ reason: error.message }, "messages not given back"));
    const sender = this.#sender;
    this.#sender = undefined;
    const closed = sender?.close();
    try {
      await Promise.all(this.#links.map((link) => link.close()));
      await closed;
    } finally {
      this.answers.clear();
      this.#links = [];
      this.#isEnding = false;
    }
  }

  /** Looks for messages that are due. */
  async look(): Promise<void> {
    if (!this.#isEnding) await this.#sender?.look();
  }

  /** A link has capacity again. */
  pump(): void {
    this.#sender?.pump();
  }

  async giveBack(): Promise<void> {
    if (this.#sender) await giveBackStrays(this.#sender.claims, this.#deps.log);
  }

  /** Stops and starts links as the operator orders, and reports their state to processes without links. */
  async switchLinks(): Promise<void> {
    const { reportedLinks, clock } = this.#deps;
    if (this.#links.length === 0 || this.#isEnding) return;
    await this.#setStopped(await this.#stoppedNames());
    await reportedLinks.report(this.#term, this.links, clock.now());
  }

  /** A link that cannot be opened is down, and the others send. Each call tries it again. */
  async #setStopped(stopped: ReadonlySet<string>): Promise<void> {
    const set = async (link: SwitchedLink) => {
      const before = link.state.reason;
      await link.setStopped(stopped.has(link.name)).catch(({ message: reason }: Error) => {
        if (reason !== before) this.#deps.log.warn({ link: link.name, reason }, "link not opened");
      });
    };
    await Promise.all(this.#links.map(set));
  }

  async #stoppedNames(): Promise<ReadonlySet<string>> {
    return new Set((await this.#deps.stoppedLinks.list()).map(({ name }) => name));
  }

  /** Queries carriers for messages without a receipt: it may have been lost. */
  async queryMissingReceipts(): Promise<void> {
    const { receipts, clock } = this.#deps;
    if (this.#links.length === 0) return;
    for (const message of await receipts.claimUnconfirmed(clock.now(), QUERIES_AT_ONCE)) await this.#query(message);
  }

  async #query({ link, carrierId, from }: UnconfirmedMessage): Promise<void> {
    const receipt = await this.#links.find(({ name }) => name === link)?.ask(carrierId, from);
    if (receipt) await this.#deps.receipts.take(receipt);
  }
}
