// SIP signalling: the sockets on our source addresses, the trunks, and every leg. Implements the domain's port.
//
// Guarantees: a leg that was reported as `incoming` or was dialled ends with exactly one of `refused`, `canceled` and
// `ended`; events are reported in order, after the call that caused them has returned.

import { isIP } from "node:net";
import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import type { EnvironmentLookup } from "../../base/secret-text.ts";
import type {
  BridgeSignalling,
  CallSignalling,
  DialOrder,
  NodeDialOrder,
  Rejection,
  SignallingInput,
  SipMessageRecord,
} from "../../domain/voice/ports.ts";
import type { ContactStore, RegisteredContact } from "../../domain/voice/registered-contact.ts";
import type { DigestAlgorithm } from "../../wire/sip/digest.ts";
import { type LegInput, newLeft } from "../../wire/sip/leg-state.ts";
import { SIP_TIMERS, type SipTimers } from "../../wire/sip/timers.ts";
import type { AddressGuard } from "../guard/address-guard.ts";
import { Admission } from "./admission.ts";
import { CallerDigest } from "./caller-digest.ts";
import { Deadlines } from "./deadlines.ts";
import { type DialDeps, Dialing, mediaAddressOn } from "./dialing.ts";
import { Endpoint } from "./endpoint.ts";
import { type Flow, peerText } from "./flow.ts";
import { IncomingLegs } from "./incoming-legs.ts";
import { InputQueue } from "./input-queue.ts";
import { legSettingsOn } from "./invite.ts";
import { readLeftDialog } from "./left-dialog.ts";
import { type LegDeps, LegRunner } from "./leg-runner.ts";
import { Locator } from "./locator.ts";
import { type SipNames, systemNames } from "./names.ts";
import { NodeDialing, ticketOf } from "./node-dialing.ts";
import type { RegisteredTrunk } from "./registered-trunk.ts";
import { Registrar } from "./registrar.ts";
import { type SipSource, Sources } from "./sources.ts";
import { Transactions } from "./transactions.ts";
import type { TrunkSettings } from "./trunk-settings.ts";
import { TrunkWatch } from "./trunk-watch.ts";
import { type Trunk, Trunks } from "./trunks.ts";
import { type SenderDrop, UnknownSenders } from "./unknown-senders.ts";

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
  /** Shares the contacts of trunks that register with us. Default: they are known to this process alone. */
  readonly contacts?: ContactStore | undefined;
  readonly newLegSid: () => string;
  /**
   * The id of the ticket that is the user part of this URI, if another node of ours has made it. Default: there are no
   * other nodes.
   */
  readonly readTicket?: ((user: string) => string | undefined) | undefined;
  readonly onInput: (input: SignallingInput) => void;
  /** Every message of every leg, while `isWatched`; undefined: none is recorded. */
  readonly onMessage?: ((record: SipMessageRecord) => void) | undefined;
  /** Default: always. */
  readonly isWatched?: (() => boolean) | undefined;
  /** What callers may prove themselves with, in order of preference. */
  readonly digests?: readonly DigestAlgorithm[] | undefined;
  readonly timers?: SipTimers | undefined;
  readonly random?: (() => number) | undefined;
  /** Default: the system's name servers. */
  readonly names?: SipNames | undefined;
  /** Loses datagrams on purpose; for tests. */
  readonly mayLose?: (() => boolean) | undefined;
  /** Default: asks the system. */
  readonly hasAddress?: ((address: string) => Promise<boolean>) | undefined;
  /** Called when a source address is lost, or works again. */
  readonly onSources?: (() => void) | undefined;
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
  /** The most calls that it may have; null: any number. */
  readonly window: number | null;
  readonly inFlight: number;
  /** When it last went up or down. */
  readonly since: Date | null;
  readonly perSecond: number;
  readonly p95Ms: number | null;
  readonly registration: { readonly isUp: boolean; readonly reason: string } | null;
}

export class SipSignalling implements CallSignalling, BridgeSignalling {
  readonly #options: SipSignallingOptions;
  readonly #trunks: Trunks;
  readonly #unknownSenders: UnknownSenders;
  readonly #endpoint: Endpoint;
  readonly #legDeps: LegDeps;
  readonly #dialDeps: DialDeps;
  readonly #incoming: IncomingLegs;
  readonly #dialled = new Map<string, Dialing | NodeDialing>();
  readonly #registrar: Registrar;
  readonly #watches = new Map<Trunk, TrunkWatch | RegisteredTrunk>();
  #sources: Sources | undefined;
  /** Resolves when the hosts of all trunks have been looked up once. */
  #located: Promise<unknown> = Promise.resolve();

  /** Resolves when the sockets are bound; throws when none of the sources can be. */
  static async open(options: SipSignallingOptions): Promise<SipSignalling> {
    const signalling = new SipSignalling(options);
    await signalling.#bind();
    return signalling;
  }

  private constructor(options: SipSignallingOptions) {
    this.#options = options;
    const { clock, guard, log, timers = SIP_TIMERS, random = Math.random, names = systemNames } = options;
    const elapsedMs = () => clock.elapsedMs();
    const base = { deadlines: new Deadlines(clock), elapsedMs, timers };
    const transactions = new Transactions(base);
    const legs = new Map<string, LegRunner>();
    this.#trunks = new Trunks(options.trunks, options.environment);
    this.#unknownSenders = new UnknownSenders(elapsedMs);
    const families = [...new Set(options.sources.map(({ address }) => isIP(address) as 4 | 6))];
    const inputs = new InputQueue(clock, log, options.onInput);
    this.#legDeps = {
      ...base,
      transactions,
      locator: new Locator({ clock, random, names, families }),
      flowTo: (hop, source, tls) => this.#sources?.flowTo(hop, source, tls),
      mayReach: (hop) => guard.mayConnect(hop.address, hop.family, hop.port) && !this.#trunks.hold(hop),
      onMessage: ({ legSid, withheld }, direction, text, flow) => {
        if (options.isWatched?.() === false) return;
        options.onMessage?.({
          at: clock.now(),
          legSid,
          direction,
          peer: peerText(flow),
          local: peerText({ address: flow.localAddress, port: flow.localPort }),
          transport: flow.transport,
          text,
          withheld,
        });
      },
      legs,
      onMoved: (legSid, flow) => inputs.push({ kind: "moved", legSid, address: mediaAddressOn(flow) }),
      countGuest: (address, change) => this.#unknownSenders.count(address, change),
    };
    this.#dialDeps = {
      legs: this.#legDeps,
      trunks: this.#trunks,
      after: (ms, run) => clock.after(ms, run),
      report: (event) => inputs.push(event),
      located: () => this.#located,
      sourcesFor: (family) => this.#sources?.fitting(family) ?? [],
      onSilence: (trunk, reason) => this.#watches.get(trunk)?.suspect(reason),
      log,
      refusalOf: ({ host }) => `The address of ${host} is not public. TANDEM_ALLOWED_NETWORKS can allow its network.`,
    };
    const digest = new CallerDigest(elapsedMs, log, options.digests);
    this.#registrar = new Registrar({
      ...{ clock, log, transactions, digest, trunks: this.#trunks, store: options.contacts },
      places: () => (this.#sources?.places ?? []).flatMap((place) => place ?? []),
      flowAt: (contact) => this.#flowAt(contact),
    });
    for (const registered of this.#registrar.trunks) this.#watches.set(registered.trunk, registered);
    const admission = new Admission(this.#trunks, digest, elapsedMs);
    this.#incoming = new IncomingLegs({
      admission,
      legs: this.#legDeps,
      newLegSid: options.newLegSid,
      report: (event) => inputs.push(event),
    });
    this.#endpoint = new Endpoint({
      ...{ transactions, legs, log, trunks: this.#trunks, registrar: this.#registrar },
      unknownSenders: this.#unknownSenders,
      onInvite: (server, trunk, knownBy) => this.#incoming.receive(server, trunk, knownBy),
      bridges: {
        ticketOf: ({ uri }) => ticketOf(uri, options.readTicket),
        onInvite: (server, ticket) => this.#incoming.receiveBridge(server, ticket),
      },
      trunkByDigest: (message, flow) => admission.trunkByDigest(message, flow),
    });
  }

  /** The ports, one for each source. One that could not be bound at first may get its port later. */
  get ports(): readonly number[] {
    return this.#sources?.ports ?? [];
  }

  get tlsPorts(): readonly number[] {
    return this.#sources?.tlsPorts ?? [];
  }

  /** Where other nodes reach us; undefined while no source works. */
  get place(): string | undefined {
    return this.#sources?.places.find((place) => place !== undefined);
  }

  /** Our source addresses, and whether they work. */
  get sources(): readonly { readonly address: string; readonly isUp: boolean }[] {
    const { ports } = this;
    return this.#options.sources.map(({ address }, at) => ({ address, isUp: ports[at] !== 0 }));
  }

  /** Dropped messages of senders that are not trunks, by reason. */
  get drops(): Readonly<Record<SenderDrop, number>> {
    return this.#unknownSenders.drops;
  }

  dial(order: DialOrder): void {
    const dialing = new Dialing(this.#dialDeps, order, () => this.#dialled.delete(order.legSid));
    this.#dialled.set(order.legSid, dialing);
    dialing.start();
  }

  dialNode(order: NodeDialOrder): void {
    const dialing = new NodeDialing(this.#dialDeps, order, () => this.#dialled.delete(order.legSid));
    this.#dialled.set(order.legSid, dialing);
    dialing.start();
  }

  ring(legSid: string): void {
    this.#step(legSid, { kind: "ring", nowMs: this.#nowMs() });
  }

  answer(legSid: string, sdp: string): void {
    this.#step(legSid, { kind: "answer", sdp, nowMs: this.#nowMs() });
  }

  answerOffer(legSid: string, sdp: string | undefined): void {
    this.#step(legSid, { kind: "answerOffer", sdp, nowMs: this.#nowMs() });
  }

  reoffer(legSid: string, sdp: string): void {
    this.#runner(legSid)?.reoffer(sdp);
  }

  sendDigit(legSid: string, digit: string, ms: number): void {
    this.#step(legSid, { kind: "sendDigit", digit, ms, nowMs: this.#nowMs() });
  }

  reject(legSid: string, { sipCode, retryAfterSeconds }: Rejection): void {
    const lines = retryAfterSeconds === undefined ? "" : `Retry-After: ${Math.ceil(retryAfterSeconds)}\r\n`;
    this.#step(legSid, { kind: "reject", status: sipCode, lines, nowMs: this.#nowMs() });
  }

  hangUp(legSid: string, reason?: string): void {
    const dialing = this.#dialled.get(legSid);
    if (dialing) dialing.hangUp(reason);
    else this.#step(legSid, { kind: "hangUp", reason, nowMs: this.#nowMs() });
  }

  trunks(): readonly TrunkStatus[] {
    const nowMs = this.#nowMs();
    return this.#trunks.all.map(
      ({ settings, isUp, reason, since, isStopped, calls, registration, begun, answers }) => ({
        name: settings.name,
        isUp,
        reason,
        since: since ?? null,
        isStopped,
        calls,
        inFlight: calls,
        window: settings.maxCalls ?? null,
        perSecond: begun.perSecond(nowMs),
        p95Ms: answers.p95Ms(nowMs),
        registration: registration ?? null,
      }),
    );
  }

  /** Whether calls to numbers are best begun by the process with which a trunk has registered. */
  get isBestTrunkElsewhere(): boolean {
    return this.#trunks.isBestElsewhere;
  }

  /** Whether only other processes reach the trunk, with which it has registered. */
  isTrunkElsewhere(name: string | undefined): boolean {
    return name !== undefined && this.#trunks.named(name)?.isElsewhere === true;
  }

  /** Whether trunks are registered with other processes. */
  get areTrunksElsewhere(): boolean {
    return this.#trunks.registrants.some(({ isHeldElsewhere }) => isHeldElsewhere);
  }

  /** Learns which contacts of trunks are stored. */
  loadContacts(): Promise<void> {
    return this.#registrar.load();
  }

  /** The stored contacts of a trunk have changed, or those of any may have. */
  contactsChanged(trunk: string | "all"): void {
    this.#registrar.changed(trunk);
  }

  /** A stopped trunk takes and brings no new calls. */
  setStopped(name: string, isStopped: boolean): void {
    const trunk = this.#trunks.named(name);
    if (trunk) trunk.isStopped = isStopped;
  }

  /** Tells trunks that this process is about to stop; it takes and keeps calls as before. */
  leave(): void {
    this.#endpoint.leave();
  }

  /** What is open; all zero when idle. */
  open(): OpenCounts {
    const { legs, transactions } = this.#legDeps;
    let requests = 0;
    for (const runner of legs.values()) requests += runner.heldRequests;
    return { transactions: transactions.count, legs: legs.size, requests };
  }

  /** Sends BYE for a dialog that another process left behind: a leg that begins as established and ends immediately. */
  endLeft(legSid: string, stored: string): void {
    const left = readLeftDialog(stored);
    if (!left) return;
    const trunk = left.trunk === undefined ? undefined : this.#trunks.named(left.trunk);
    const flow = this.#sources?.flowTo(left.hop, 0, trunk?.settings.tls);
    if (!flow) return;
    const runner = new LegRunner(this.#legDeps, {
      legSid,
      withheld: left.withheld,
      state: newLeft(legSettingsOn(flow, this.#legDeps.timers), left.dialog),
      flow,
      trunk,
      onEvent: () => {},
    });
    runner.step({ kind: "hangUp", reason: undefined, nowMs: this.#nowMs() });
  }

  /** Unregisters, waiting up to a second for the registrars, and closes the sockets. */
  async close(): Promise<void> {
    await Promise.all([...this.#watches.values()].map((watch) => watch.close()));
    await this.#registrar.close();
    this.#legDeps.deadlines.close();
    this.#sources?.close();
  }

  async #bind(): Promise<void> {
    const { sources, port, tls, clock, log, mayLose, hasAddress } = this.#options;
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
      hasAddress,
      onChange: (source, isUp) => this.#sourceChanged(source, isUp),
    });
    for (const registered of this.#registrar.trunks) registered.start();
    const starts = this.#trunks.all.map((trunk) => {
      if (!trunk.uri) return undefined;
      const watch = new TrunkWatch(
        {
          clock,
          log,
          ...this.#legDeps,
          onAddresses: () => this.#trunks.forgetSources(),
        },
        trunk,
        trunk.uri,
      );
      this.#watches.set(trunk, watch);
      return watch.start();
    });
    this.#located = Promise.all(starts);
  }

  #flowAt({ address, port, place }: RegisteredContact): Flow | undefined {
    const source = this.#sources?.places.indexOf(place) ?? -1;
    if (source < 0) return undefined;
    const family = isIP(address) as 4 | 6;
    const hop = { transport: "UDP", address, port, family, servername: address, server: address } as const;
    const flow = this.#sources?.flowTo(hop, source, undefined);
    return flow?.source === source ? flow : undefined;
  }

  #nowMs(): number {
    return this.#options.clock.elapsedMs();
  }

  /** Calls of a source address that is gone go on from another one. */
  #sourceChanged(source: number, isUp: boolean): void {
    this.#options.onSources?.();
    if (isUp) return;
    for (const runner of [...this.#legDeps.legs.values()]) {
      runner.leaveSource(source).catch((error: unknown) => {
        this.#options.log.error({ err: error }, "a leg could not leave from another address");
      });
    }
  }

  #runner(legSid: string): LegRunner | undefined {
    return this.#incoming.runner(legSid) ?? this.#dialled.get(legSid)?.runner;
  }

  #step(legSid: string, input: LegInput): void {
    this.#runner(legSid)?.step(input);
  }
}
