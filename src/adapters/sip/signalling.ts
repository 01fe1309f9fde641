// SIP signalling: the sockets on our source addresses, the trunks, and every leg. Implements the domain's port.
//
// Guarantees: a leg that was told as `incoming` or was dialled ends with exactly one of `refused`, `canceled` and
// `ended`; what happened is told after the call that caused it has returned, and in order.

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
import { type LegEvent, type LegInput, newCallee } from "../../wire/sip/leg-state.ts";
import { SIP_TIMERS, type SipTimers } from "../../wire/sip/timers.ts";
import type { AddressGuard } from "../guard/address-guard.ts";
import { resolveName } from "../guard/resolve-name.ts";
import { Deadlines } from "./deadlines.ts";
import { type DialDeps, Dialing, reportCommon, SESSION_SECONDS, type SignallingEvent } from "./dialing.ts";
import { Endpoint } from "./endpoint.ts";
import { type Flow, type Hop, peerText } from "./flow.ts";
import { incomingLegOf } from "./incoming.ts";
import { contactOn } from "./invite.ts";
import { type LegDeps, LegRunner } from "./leg-runner.ts";
import { Locator } from "./locator.ts";
import { randomText } from "./random-text.ts";
import { type StrangerDrop, Strangers } from "./strangers.ts";
import { type Server, Transactions } from "./transactions.ts";
import type { TrunkSettings } from "./trunk-settings.ts";
import { type Trunk, Trunks } from "./trunks.ts";
import { UdpSocket } from "./udp-socket.ts";

export interface SipSource {
  /** A local address; everything leaves from one of these. */
  readonly address: string;
  /** What peers see and reach behind a NAT. */
  readonly publicAddress?: string | undefined;
}

export interface SipSignallingOptions {
  /** The first is used as long as it works. */
  readonly sources: readonly SipSource[];
  /** For UDP and TCP; 0: any free one. */
  readonly port: number;
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
  /** Loses datagrams on purpose; for tests. */
  readonly mayLose?: (() => boolean) | undefined;
}

export interface SipSignalling extends CallSignalling {
  /** The ports, one for each source. */
  readonly ports: readonly number[];
  /** What senders that are no trunks had dropped, by reason. */
  readonly drops: Readonly<Record<StrangerDrop, number>>;
  close(): void;
}

export async function openSipSignalling(options: SipSignallingOptions): Promise<SipSignalling> {
  const core = new SignallingCore(options);
  await core.bind();
  const nowMs = () => options.clock.elapsedMs();
  return {
    ports: core.ports,
    drops: core.drops,
    dial: (order) => core.dial(order),
    ring: (legSid) => core.step(legSid, { kind: "ring", nowMs: nowMs() }),
    answer: (legSid, sdp) => core.step(legSid, { kind: "answer", sdp, nowMs: nowMs() }),
    reject: (legSid, rejection) => core.reject(legSid, rejection),
    answerOffer: (legSid, sdp) => core.step(legSid, { kind: "answerOffer", sdp, nowMs: nowMs() }),
    sendDigit: (legSid, digit, ms) => core.step(legSid, { kind: "sendDigit", digit, ms, nowMs: nowMs() }),
    hangUp: (legSid, reason) => core.hangUp(legSid, reason),
    endLeft: () => {},
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
  readonly #incoming = new Map<string, LegRunner>();
  readonly #dialled = new Map<string, Dialing>();
  #sockets: readonly UdpSocket[] = [];
  #inputs: SignallingInput[] = [];

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
    const locator = new Locator({ clock, random: options.random ?? Math.random, resolveName, families });
    this.#legDeps = {
      transactions: this.#transactions,
      deadlines: this.#deadlines,
      elapsedMs,
      locator,
      flowTo: (hop, source) => this.#flowTo(hop, source),
      mayReach: ({ address, family, port }) => guard.mayConnect(address, family, port),
      onMessage: (legSid, direction, text, flow) => this.#record(legSid, direction, text, flow),
      legs: this.#runners,
    };
    this.#dialDeps = {
      legs: this.#legDeps,
      trunks: this.#trunks,
      timers,
      after: (ms, run) => clock.after(ms, run),
      report: (event) => this.#report(event),
      refusalOf: ({ host }) => `The address of ${host} is not public. TANDEM_ALLOWED_NETWORKS can allow its network.`,
    };
    this.#endpoint = new Endpoint({
      transactions: this.#transactions,
      legs: this.#runners,
      trunks: this.#trunks,
      strangers: this.#strangers,
      log,
      onInvite: (server, trunk) => this.#receiveInvite(server, trunk),
      onStranger: () => false,
    });
  }

  /** The UDP ports, one for each source. */
  get ports(): readonly number[] {
    return this.#sockets.map(({ port }) => port);
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

  close(): void {
    this.#deadlines.close();
    for (const socket of this.#sockets) socket.close();
  }

  async bind(): Promise<void> {
    const { sources, port, log, mayLose } = this.#options;
    const sockets: UdpSocket[] = [];
    for (const [source, { address, publicAddress }] of sources.entries()) {
      const options = {
        address,
        publicAddress,
        family: isIP(address) as 4 | 6,
        port,
        source,
        mayLose,
        onMessage: (text: string, flow: Flow) => this.#endpoint.receive(text, flow),
        onFault: (error: Error) => log.error({ err: error, address }, "a SIP socket failed"),
      };
      sockets.push(await UdpSocket.bind(options));
    }
    this.#sockets = sockets;
  }

  /** From the source that is asked for, or else from the first that works. */
  #flowTo({ transport, address, family, port }: Hop, source: number): Flow | undefined {
    if (transport !== "UDP") return undefined;
    const fitting = this.#sockets.filter((socket) => socket.family === family && socket.isOpen);
    const wanted = this.#sockets[source];
    const socket = wanted && fitting.includes(wanted) ? wanted : fitting[0];
    return socket?.flowTo(address, port);
  }

  #nowMs(): number {
    return this.#options.clock.elapsedMs();
  }

  step(legSid: string, input: LegInput): void {
    (this.#incoming.get(legSid) ?? this.#dialled.get(legSid)?.runner)?.step(input);
  }

  #receiveInvite(server: Server, trunk: Trunk): void {
    const { message, flow } = server;
    const legSid = this.#options.newLegSid();
    const settings = {
      timers: this.#dialDeps.timers,
      contact: contactOn(flow),
      sessionSeconds: SESSION_SECONDS,
    };
    const order = {
      legSid,
      state: newCallee(settings, message, randomText(8)),
      flow,
      isTrusted: true,
      onEvent: (event: LegEvent) => this.#onIncomingEvent(event, legSid, trunk),
      authorize: () => undefined,
    };
    const runner = new LegRunner(this.#legDeps, order, server);
    this.#incoming.set(legSid, runner);
    trunk.calls++;
    this.#record(legSid, "Received", message.text, flow);
    server.respond({ status: 100, toTag: "", lines: "", contentType: "", body: "" });
    this.#report({ kind: "incoming", ...incomingLegOf(message, flow, trunk, legSid) });
  }

  #onIncomingEvent(event: LegEvent, legSid: string, trunk: Trunk): void {
    switch (event.kind) {
      case "confirmed":
        this.#report({ kind: "confirmed", legSid, sdp: event.sdp });
        break;
      case "canceled":
        this.#leave(legSid, trunk);
        this.#report({ kind: "canceled", legSid });
        break;
      case "ended":
        this.#leave(legSid, trunk);
        this.#report({ kind: "ended", legSid, by: event.by, sipCode: event.status, reason: event.reason });
        break;
      default:
        reportCommon((told) => this.#report(told), legSid, event, trunk);
    }
  }

  #leave(legSid: string, trunk: Trunk): void {
    if (this.#incoming.delete(legSid)) trunk.calls--;
  }

  /** Told after everything that is being done now: whoever listens may call us back at once. */
  #report(event: SignallingEvent): void {
    const input = { at: this.#options.clock.now(), ...event } as SignallingInput;
    if (this.#inputs.push(input) > 1) return;
    queueMicrotask(() => {
      const inputs = this.#inputs;
      this.#inputs = [];
      for (const one of inputs) this.#tell(one);
    });
  }

  #tell(input: SignallingInput): void {
    try {
      this.#options.onInput(input);
    } catch (error) {
      this.#options.log.error({ err: error, legSid: input.legSid }, "what SIP told could not be taken");
    }
  }

  #record(legSid: string, direction: "Sent" | "Received", text: string, flow: Flow): void {
    this.#options.onMessage?.({
      at: this.#options.clock.now(),
      legSid,
      direction,
      peer: peerText(flow),
      local: peerText({ address: flow.localAddress, port: flow.localPort }),
      transport: flow.transport,
      text,
    });
  }
}
