// Queries SIP redirect servers, on sockets of its own that are bound to our source addresses on the first query,
// because processes without calls answer lookups too.
//
// Guarantees: no telephone rings for longer than a CANCEL takes, and a call that is answered nevertheless is ended
// immediately; both are failures. Whatever the server names as Contact, requests go only over the flow of the INVITE.
// Abandoned queries that still wait for the server's final response are bounded.

import { isIP } from "node:net";
import { hostText, parseUri } from "../../../rules/sip-uri.ts";
import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import type { RedirectAnswer, RedirectQuestion, RedirectServers } from "../../domain/lookup/index.ts";
import { type LegEvent, newCaller } from "../../wire/sip/leg-state.ts";
import { contactsOf } from "../../wire/sip/message.ts";
import { SIP_TIMERS } from "../../wire/sip/timers.ts";
import type { RequestDraft } from "../../wire/sip/write.ts";
import { Deadlines } from "./deadlines.ts";
import { Endpoint } from "./endpoint.ts";
import type { Flow, Hop } from "./flow.ts";
import { legSettingsOn } from "./invite.ts";
import { type LegDeps, LegRunner } from "./leg-runner.ts";
import { Locator } from "./locator.ts";
import { systemNames } from "./names.ts";
import { randomText } from "./random-text.ts";
import { type SipSource, Sources } from "./sources.ts";
import { Transactions } from "./transactions.ts";
import { Trunks } from "./trunks.ts";
import { UnknownSenders } from "./unknown-senders.ts";

export interface RedirectServersOptions {
  readonly sources: readonly SipSource[];
  readonly clock: Clock;
  readonly log: Log;
}

/** How many addresses of a server are tried. */
const HOPS_MAX = 3;
const LEGS_MAX = 5000;

export class SipRedirectServers implements RedirectServers {
  readonly #options: RedirectServersOptions;
  readonly #endpoint: Endpoint;
  readonly #legDeps: LegDeps;
  readonly #legs = new Map<string, LegRunner>();
  #sources: Promise<Sources> | undefined;
  #isClosed = false;

  constructor(options: RedirectServersOptions) {
    this.#options = options;
    const { clock, log } = options;
    const elapsedMs = () => clock.elapsedMs();
    const families = [...new Set(options.sources.map(({ address }) => isIP(address) as 4 | 6))];
    const unknownSenders = new UnknownSenders(elapsedMs);
    const base = { deadlines: new Deadlines(clock), elapsedMs, timers: SIP_TIMERS };
    const transactions = new Transactions(base);
    this.#legDeps = {
      ...base,
      transactions,
      locator: new Locator({ clock, random: Math.random, names: systemNames, families }),
      flowTo: () => undefined,
      mayReach: () => false,
      onMessage: () => {},
      legs: this.#legs,
      onMoved: () => {},
      countGuest: (address, change) => unknownSenders.count(address, change),
    };
    this.#endpoint = new Endpoint({
      transactions,
      legs: this.#legs,
      trunks: new Trunks([], () => undefined),
      unknownSenders,
      log,
      onInvite: () => {},
      trunkByDigest: () => undefined,
    });
  }

  async ask(question: RedirectQuestion, signal: AbortSignal): Promise<RedirectAnswer> {
    if (this.#legs.size >= LEGS_MAX) throw new Error("too many questions are not answered");
    const { server, transport } = question;
    const uri = parseUri(`sip:${server};transport=${transport}`);
    if (!uri || !("host" in uri)) throw new Error("not an address");
    const sources = await this.#bound();
    const hops = await this.#legDeps.locator.locate(uri);
    signal.throwIfAborted();
    if (this.#isClosed) throw new Error("closed");
    return this.#askEach(question, hops, sources, signal);
  }

  /** One address after the other, each for its share of the time. */
  async #askEach(
    question: RedirectQuestion,
    hops: readonly Hop[],
    sources: Sources,
    signal: AbortSignal,
  ): Promise<RedirectAnswer> {
    let fault = new Silence("no address that can be reached from ours");
    const waitMs = Math.ceil(question.waitMs / Math.max(1, Math.min(hops.length, HOPS_MAX)));
    for (const hop of hops.slice(0, HOPS_MAX)) {
      const flow = sources.flowTo(hop, 0, undefined);
      if (!flow) continue;
      try {
        return await this.#invite({ ...question, waitMs }, flow, signal);
      } catch (error) {
        if (!(error instanceof Silence) || signal.aborted) throw error;
        fault = error;
      }
    }
    throw fault;
  }

  /** Open legs and transactions; 0 when idle. */
  get open(): number {
    return this.#legs.size + this.#legDeps.transactions.count;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#legDeps.deadlines.close();
    const sources = await this.#sources?.catch(() => undefined);
    sources?.close();
  }

  /** When the addresses cannot be bound, the next query tries again. */
  #bound(): Promise<Sources> {
    const { sources, clock, log } = this.#options;
    this.#sources ??= Sources.bind({
      sources,
      port: 0,
      tls: undefined,
      takesConnections: false,
      clock,
      log,
      isTrunk: () => false,
      onMessage: (text, flow) => this.#endpoint.receive(text, flow),
      mayLose: undefined,
    }).catch((error: unknown) => {
      this.#sources = undefined;
      throw error;
    });
    return this.#sources;
  }

  #invite(question: RedirectQuestion, flow: Flow, signal: AbortSignal): Promise<RedirectAnswer> {
    const { promise, resolve, reject } = withResolvers<RedirectAnswer>();
    const { clock } = this.#options;
    const localTag = randomText(8);
    const giveUp = (why: Error) => {
      reject(why);
      runner.step({ kind: "hangUp", reason: undefined, nowMs: clock.elapsedMs() });
    };
    const onEvent = (event: LegEvent) => {
      if (event.kind === "ringing") giveUp(new Error(`it rang (${event.status}) instead of redirecting`));
      else if (event.kind === "answered") giveUp(new Error("it took the call instead of redirecting"));
      else if (event.kind === "failed") {
        const { response } = event;
        if (response) resolve({ status: response.status, contacts: contactsOf(response).map(({ uri }) => uri) });
        else reject(new Silence(event.status === 408 ? "no answer" : "cannot be reached"));
      }
    };
    const runner: LegRunner = new LegRunner(this.#legDeps, {
      legSid: "",
      withheld: undefined,
      state: newCaller(legSettingsOn(flow, SIP_TIMERS), inviteOf(question, flow, localTag), localTag),
      flow,
      trunk: undefined,
      onEvent,
    });
    const onAbort = () => giveUp(new Error("given up"));
    const { waitMs } = question;
    const stopWaiting = clock.after(waitMs, () => giveUp(new Silence(`no answer within ${waitMs} ms`)));
    signal.addEventListener("abort", onAbort, { once: true });
    runner.step({ kind: "dial", nowMs: clock.elapsedMs() });
    return promise.finally(() => {
      stopWaiting();
      signal.removeEventListener("abort", onAbort);
    });
  }
}

/** No response: another address may answer. */
class Silence extends Error {}

function withResolvers<Value>() {
  let resolve: (value: Value) => void = () => {};
  let reject: (error: Error) => void = () => {};
  const promise = new Promise<Value>((settle, fail) => {
    [resolve, reject] = [settle, fail];
  });
  return { promise, resolve, reject };
}

/** The offer is inactive, so that even a call that is answered by mistake carries no audio. */
function inviteOf({ server, user }: RedirectQuestion, flow: Flow, localTag: string): RequestDraft {
  const { localAddress, family } = flow;
  const place = `IN IP${family} ${localAddress}`;
  const lines = ["v=0", `o=- 1 1 ${place}`, "s=-", `c=${place}`, "t=0 0", "m=audio 9 RTP/AVP 0", "a=inactive", ""];
  return {
    method: "INVITE",
    uri: `sip:${user}@${server}`,
    routes: [],
    from: `<sip:lookup@${hostText(localAddress)}>;tag=${localTag}`,
    to: `<sip:${user}@${server}>`,
    callId: `${randomText(12)}@${hostText(localAddress)}`,
    cseq: 1,
    lines: "",
    body: lines.join("\r\n"),
  };
}
