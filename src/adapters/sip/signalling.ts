// SIP signalling: the sockets on our source addresses, the trunks, and every leg. Implements the domain's port.
//
// Guarantees: a leg that was reported as `incoming` or was dialled ends with exactly one of `refused`, `canceled` and
// `ended`; events are reported in order, after the call that caused them has returned.

import { isIP } from "node:net";
import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import type { EnvironmentLookup } from "../../base/secret-text.ts";
import type {
  CallSignalling,
  DialOrder,
  Rejection,
  SignallingInput,
  SipMessageRecord,
} from "../../domain/voice/ports.ts";
import { type LegInput, newLeft } from "../../wire/sip/leg-state.ts";
import { SIP_TIMERS, type SipTimers } from "../../wire/sip/timers.ts";
import type { AddressGuard } from "../guard/address-guard.ts";
import { Admission } from "./admission.ts";
import { Deadlines } from "./deadlines.ts";
import { type DialDeps, Dialing, SESSION_SECONDS } from "./dialing.ts";
import { answerChallenge } from "./digest-account.ts";
import { Endpoint } from "./endpoint.ts";
import { peerText } from "./flow.ts";
import { IncomingLegs } from "./incoming-legs.ts";
import { InputQueue } from "./input-queue.ts";
import { contactOn } from "./invite.ts";
import { readLeftDialog } from "./left-dialog.ts";
import { type LegDeps, LegRunner } from "./leg-runner.ts";
import { Locator } from "./locator.ts";
import { type SipNames, systemNames } from "./names.ts";
import { type SipSource, Sources } from "./sources.ts";
import { type StrangerDrop, Strangers } from "./strangers.ts";
import { Transactions } from "./transactions.ts";
import type { TrunkSettings } from "./trunk-settings.ts";
import { TrunkWatch } from "./trunk-watch.ts";
import { type Trunk, Trunks } from "./trunks.ts";

export interface SipSignallingOptions {
  /** The first is used as long as it works. */
  readonly sources: readonly SipSource[];
  /** For UDP and TCP; 0: any free one. */
  readonly port: number;
  /** Our certificate and its key (PEM text or path), and the port; without it, peers cannot call us over TLS. */
  readonly tls?: { readonly port: number; readonly cert: string; readonly key: string } | undefined;
  readonly trunks: readonly TrunkSettings[];
  readonly environment: EnvironmentLookup;
  readonly guard: AddressGuard;
  readonly clock: Clock;
  readonly log: Log;
  readonly newLegSid: () => string;
  readonly onInput: (input: SignallingInput) => void;
  /** Every message of every leg; undefined: none is recorded. */
  readonly onMessage?: ((record: SipMessageRecord) => void) | undefined;
  readonly timers?: SipTimers | undefined;
  readonly random?: (() => number) | undefined;
  /** Default: the system's name servers. */
  readonly names?: SipNames | undefined;
  /** Loses datagrams on purpose; for tests. */
  readonly mayLose?: (() => boolean) | undefined;
}

export interface SipSignalling extends CallSignalling {
  /** The ports, one for each source. */
  readonly ports: readonly number[];
  readonly tlsPorts: readonly number[];
  /** Dropped messages of senders that are not trunks, by reason. */
  readonly drops: Readonly<Record<StrangerDrop, number>>;
  trunks(): readonly TrunkStatus[];
  /** A stopped trunk takes and brings no new calls. False when no trunk has the name. */
  stopTrunk(name: string): boolean;
  startTrunk(name: string): boolean;
  /** What is open; all zero when idle. */
  open(): OpenCounts;
  /** Unregisters, waiting up to a second for the registrars, and closes the sockets. */
  close(): Promise<void>;
}

export interface OpenCounts {
  readonly transactions: number;
  readonly legs: number;
  /** The peers' requests that a leg may still have to answer, or to answer again. */
  readonly requests: number;
}

export interface TrunkStatus {
  readonly name: string;
  readonly isUp: boolean;
  readonly reason: string;
  readonly isStopped: boolean;
  readonly calls: number;
  readonly callsMax: number | null;
  readonly since: Date | undefined;
  readonly perSecond: number;
  readonly p95Ms: number | null;
  readonly registration: { readonly isUp: boolean; readonly reason: string } | undefined;
}

/** Resolves when the sockets are bound; throws when none of the sources can be. */
export async function openSipSignalling(options: SipSignallingOptions): Promise<SipSignalling> {
  const core = new SignallingCore(options);
  await core.bind();
  const nowMs = () => options.clock.elapsedMs();
  return {
    // A source that could not be bound at first may get its port later.
    get ports() {
      return core.ports;
    },
    get tlsPorts() {
      return core.tlsPorts;
    },
    drops: core.drops,
    trunks: () => core.trunks(),
    stopTrunk: (name) => core.setStopped(name, true),
    startTrunk: (name) => core.setStopped(name, false),
    open: () => core.open(),
    dial: (order) => core.dial(order),
    ring: (legSid) => core.step(legSid, { kind: "ring", nowMs: nowMs() }),
    answer: (legSid, sdp) => core.step(legSid, { kind: "answer", sdp, nowMs: nowMs() }),
    reject: (legSid, rejection) => core.reject(legSid, rejection),
    answerOffer: (legSid, sdp) => core.step(legSid, { kind: "answerOffer", sdp, nowMs: nowMs() }),
    sendDigit: (legSid, digit, ms) => core.step(legSid, { kind: "sendDigit", digit, ms, nowMs: nowMs() }),
    hangUp: (legSid, reason) => core.hangUp(legSid, reason),
    endLeft: (legSid, dialog) => core.endLeft(legSid, dialog),
    close: () => core.close(),
  };
}

class SignallingCore {
  readonly #options: SipSignallingOptions;
  readonly #deadlines: Deadlines;
  readonly #transactions: Transactions;
  readonly #trunks: Trunks;
  readonly #strangers: Strangers;
  readonly #endpoint: Endpoint;
  readonly #legDeps: LegDeps;
  readonly #dialDeps: DialDeps;
  readonly #runners = new Map<string, LegRunner>();
  readonly #incoming: IncomingLegs;
  readonly #dialled = new Map<string, Dialing>();
  readonly #locator: Locator;
  #watches = new Map<Trunk, TrunkWatch>();
  #sources: Sources | undefined;
  /** Resolves when the hosts of all trunks have been looked up once. */
  #located: Promise<unknown> = Promise.resolve();

  constructor(options: SipSignallingOptions) {
    this.#options = options;
    const { clock, guard, log } = options;
    const timers = options.timers ?? SIP_TIMERS;
    const elapsedMs = () => clock.elapsedMs();
    this.#deadlines = new Deadlines(clock);
    this.#transactions = new Transactions({ deadlines: this.#deadlines, elapsedMs, timers });
    this.#trunks = new Trunks(options.trunks, options.environment);
    this.#strangers = new Strangers(elapsedMs);
    const families = [...new Set(options.sources.map(({ address }) => isIP(address) as 4 | 6))];
    this.#locator = new Locator({
      clock,
      random: options.random ?? Math.random,
      names: options.names ?? systemNames,
      families,
    });
    const inputs = new InputQueue(clock, log, options.onInput);
    this.#legDeps = {
      transactions: this.#transactions,
      deadlines: this.#deadlines,
      elapsedMs,
      locator: this.#locator,
      flowTo: (hop, source, tls) => this.#sources?.flowTo(hop, source, tls),
      mayReach: (hop) => guard.mayConnect(hop.address, hop.family, hop.port) && !this.#trunks.hold(hop),
      onMessage: ({ legSid, withheld }, direction, text, flow) =>
        options.onMessage?.({
          at: clock.now(),
          legSid,
          direction,
          peer: peerText(flow),
          local: peerText({ address: flow.localAddress, port: flow.localPort }),
          transport: flow.transport,
          text,
          withheld,
        }),
      legs: this.#runners,
      countGuest: (address, change) => this.#strangers.count(address, change),
    };
    this.#dialDeps = {
      legs: this.#legDeps,
      trunks: this.#trunks,
      timers,
      after: (ms, run) => clock.after(ms, run),
      report: (event) => inputs.push(event),
      located: () => this.#located,
      sourcesFor: (family) => this.#sources?.fitting(family) ?? [],
      onSilence: (trunk) => this.#watches.get(trunk)?.suspect(),
      refusalOf: ({ host }) => `The address of ${host} is not public. TANDEM_ALLOWED_NETWORKS can allow its network.`,
    };
    const admission = new Admission(this.#trunks, elapsedMs);
    this.#incoming = new IncomingLegs({
      admission,
      legs: this.#legDeps,
      timers,
      newLegSid: options.newLegSid,
      report: (event) => inputs.push(event),
    });
    this.#endpoint = new Endpoint({
      transactions: this.#transactions,
      legs: this.#runners,
      trunks: this.#trunks,
      strangers: this.#strangers,
      log,
      onInvite: (server, trunk, knownBy) => this.#incoming.receive(server, trunk, knownBy),
      trunkOfStranger: (message, flow) => admission.trunkOfStranger(message, flow),
    });
  }

  get ports(): readonly number[] {
    return this.#sources?.ports ?? [];
  }

  get tlsPorts(): readonly number[] {
    return this.#sources?.tlsPorts ?? [];
  }

  get drops(): Readonly<Record<StrangerDrop, number>> {
    return this.#strangers.drops;
  }

  dial(order: DialOrder): void {
    const dialing = new Dialing(this.#dialDeps, order, () => this.#dialled.delete(order.legSid));
    this.#dialled.set(order.legSid, dialing);
    dialing.start();
  }

  reject(legSid: string, { sipCode, retryAfterSeconds }: Rejection): void {
    const lines = retryAfterSeconds === undefined ? "" : `Retry-After: ${Math.ceil(retryAfterSeconds)}\r\n`;
    this.step(legSid, { kind: "reject", status: sipCode, lines, nowMs: this.#nowMs() });
  }

  hangUp(legSid: string, reason: string | undefined): void {
    const dialing = this.#dialled.get(legSid);
    if (dialing) dialing.hangUp(reason);
    else this.step(legSid, { kind: "hangUp", reason, nowMs: this.#nowMs() });
  }

  trunks(): readonly TrunkStatus[] {
    const nowMs = this.#nowMs();
    return this.#trunks.all.map(
      ({ settings, isUp, reason, since, isStopped, calls, registration, begun, answers }) => ({
        name: settings.name,
        isUp,
        reason,
        since,
        isStopped,
        calls,
        callsMax: settings.maxCalls ?? null,
        perSecond: begun.perSecond(nowMs),
        p95Ms: answers.p95Ms(nowMs),
        registration,
      }),
    );
  }

  setStopped(name: string, isStopped: boolean): boolean {
    const trunk = this.#trunks.named(name);
    if (trunk) trunk.isStopped = isStopped;
    return trunk !== undefined;
  }

  open(): OpenCounts {
    let requests = 0;
    for (const runner of this.#runners.values()) requests += runner.heldRequests;
    return { transactions: this.#transactions.count, legs: this.#runners.size, requests };
  }

  /** Sends BYE for a dialog that another process left behind: a leg that begins as established and ends immediately. */
  endLeft(legSid: string, stored: string): void {
    const left = readLeftDialog(stored);
    if (!left) return;
    const trunk = left.trunk === undefined ? undefined : this.#trunks.named(left.trunk);
    const flow = this.#sources?.flowTo(left.hop, 0, trunk?.settings.tls);
    if (!flow) return;
    const settings = { timers: this.#dialDeps.timers, contact: contactOn(flow), sessionSeconds: SESSION_SECONDS };
    const runner = new LegRunner(this.#legDeps, {
      legSid,
      withheld: left.withheld,
      state: newLeft(settings, left.dialog),
      flow,
      isTrusted: trunk !== undefined,
      tls: trunk?.settings.tls,
      onEvent: () => {},
      authorize: (response, draft) => (trunk?.account ? answerChallenge(trunk.account, response, draft) : undefined),
    });
    runner.step({ kind: "hangUp", reason: undefined, nowMs: this.#nowMs() });
  }

  async close(): Promise<void> {
    await Promise.all([...this.#watches.values()].map((watch) => watch.close()));
    this.#deadlines.close();
    this.#sources?.close();
  }

  async bind(): Promise<void> {
    const { sources, port, tls, clock, log, mayLose } = this.#options;
    this.#sources = await Sources.bind({
      sources,
      port,
      tls,
      takesConnections: true,
      clock,
      log,
      isTrunk: (address) => this.#trunks.ofSource(address, undefined) !== undefined,
      onMessage: (text, flow) => this.#endpoint.receive(text, flow),
      mayLose,
    });
    const starts = this.#trunks.all.map((trunk) => {
      const watch = new TrunkWatch(
        {
          clock,
          log,
          transactions: this.#transactions,
          locator: this.#locator,
          flowTo: this.#legDeps.flowTo,
          onAddresses: () => this.#trunks.forgetSources(),
        },
        trunk,
      );
      this.#watches.set(trunk, watch);
      return watch.start();
    });
    this.#located = Promise.all(starts);
  }

  #nowMs(): number {
    return this.#options.clock.elapsedMs();
  }

  step(legSid: string, input: LegInput): void {
    (this.#incoming.runner(legSid) ?? this.#dialled.get(legSid)?.runner)?.step(input);
  }
}
