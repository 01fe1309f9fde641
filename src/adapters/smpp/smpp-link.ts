// An SMPP link to a carrier: keeps its binds up for ever, submits texts, takes receipts and messages in.
//
// Guarantees: those of `transmitter.ts` for what is sent; what the SMSC delivers is answered when the owner has taken it and not before, and
// what the owner could not take the SMSC is told to keep; a bounded number is with the owner at once. Stores nothing: what is
// `unknown` or `notSent` is the owner's to decide.

import type { Log } from "../../base/log.ts";
import { type EnvironmentLookup, secretOf } from "../../base/secret-text.ts";
import { Unavailable } from "../../base/unavailable.ts";
import type { BindCommand, DataSm, DeliverSm } from "../../wire/smpp/pdu.ts";
import { MESSAGE_STATE } from "../../wire/smpp/receipt.ts";
import { type Outcome, SESSION_SETTINGS, type SessionEvent } from "../../wire/smpp/session-state.ts";
import { parseSmppTime } from "../../wire/smpp/smpp-time.ts";
import { STATUS, statusName } from "../../wire/smpp/statuses.ts";
import { smppAddress } from "./address.ts";
import { idForQuery } from "./carrier-id.ts";
import type { Connection } from "./connection.ts";
import { readIncoming, receiptState } from "./incoming.ts";
import { type BindTimes, KeptBind } from "./kept-bind.ts";
import type { LinkOwner, LinkState, OutgoingText, QueryAnswer, SubmitOutcome } from "./link-owner.ts";
import type { LinkSettings } from "./link-settings.ts";
import { Transmitter, type TransmitterTimes } from "./transmitter.ts";

export type LinkTimes = BindTimes & TransmitterTimes;

export const LINK_TIMES: LinkTimes = {
  connectMsMax: 10_000,
  reconnectMsMin: 500,
  reconnectMsMax: 30_000,
  throttleMsMin: 250,
  throttleMsMax: 30_000,
  heldMsMax: 120_000,
};

export interface LinkDeps {
  readonly log: Log;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Milliseconds that never jump. */
  readonly elapsedMs: () => number;
  readonly random: () => number;
  /** The value of an environment variable. */
  readonly secret: EnvironmentLookup;
  readonly times?: Partial<LinkTimes>;
}

// Deliveries that may be with the owner at once; more are told to come again.
const UNANSWERED_MAX = 256;

export class SmppLink {
  readonly #settings: LinkSettings;
  readonly #owner: LinkOwner;
  readonly #deps: LinkDeps;
  readonly #log: Log;
  readonly #transmitter: Transmitter;
  /** The one that sends is first. */
  readonly #binds: readonly [KeptBind, ...KeptBind[]];
  readonly #queries = new Map<string, (outcome: Outcome) => void>();
  readonly #numbers = new WeakMap<Connection, number>();
  #connections = 0;
  #lastQuery = 0;
  #state: LinkState = { kind: "down", reason: "not started" };
  #closing: Promise<void> | undefined;

  constructor(settings: LinkSettings, owner: LinkOwner, deps: LinkDeps) {
    this.#settings = settings;
    this.#owner = owner;
    this.#deps = deps;
    this.#log = deps.log;
    const times = { ...LINK_TIMES, ...deps.times };
    this.#transmitter = new Transmitter(settings, {
      ...deps,
      times,
      connection: () => (this.#isUp ? this.#binds[0].connection : undefined),
      owner,
      tell: (call) => this.#tell(call),
      throttleTurned: () => this.#turn(),
    });
    const keep = (command: BindCommand) => this.#keep(command, times);
    this.#binds =
      settings.bind === "transceiver" ? [keep("bind_transceiver")] : [keep("bind_transmitter"), keep("bind_receiver")];
  }

  get state(): LinkState {
    return this.#state;
  }

  start(): void {
    for (const bind of this.#binds) bind.connect();
  }

  /** Messages that may be handed in now; who is told 0 hears of `room` when it is more again. */
  room(): number {
    return this.#transmitter.room();
  }

  /** `done` is called once, and not before this returns. */
  submit(text: OutgoingText, done: (outcome: SubmitOutcome) => void): void {
    this.#transmitter.submit(text, done);
  }

  /** What the SMSC says of a message that `from` has sent. */
  query(carrierId: string, from: string): Promise<QueryAnswer> {
    const unknown = (reason: string) => Promise.resolve<QueryAnswer>({ kind: "unknown", reason });
    const connection = this.#isUp ? this.#binds[0].connection : undefined;
    const source = smppAddress(from, this.#settings.addressing.source);
    if (!source.ok) return unknown(source.refusal);
    if (!connection || connection.room === 0) return unknown(connection ? "no room" : "link down");
    const ref = `query ${++this.#lastQuery}`;
    const messageId = idForQuery(carrierId, this.#settings.receiptIds);
    return new Promise((resolve) => {
      this.#queries.set(ref, (outcome) => resolve(this.#queryAnswer(outcome)));
      connection.request([{ ref, pdu: { command: "query_sm", messageId, source: source.value } }]);
    });
  }

  /** Takes nothing more, waits for what is on its way, unbinds. Ends within a few `responseSeconds`, whatever the SMSC does. */
  close(): Promise<void> {
    this.#closing ??= this.#drain();
    return this.#closing;
  }

  async #drain(): Promise<void> {
    await this.#transmitter.drain(this.#settings.responseSeconds * 1000);
    await Promise.all(this.#binds.map((bind) => bind.close()));
    this.#turn();
  }

  get #isUp(): boolean {
    for (const { phase } of this.#binds) if (phase !== "bound") return false;
    return true;
  }

  #keep(command: BindCommand, times: LinkTimes): KeptBind {
    const { windowSize, responseSeconds, enquireLinkSeconds } = this.#settings;
    const session = {
      ...SESSION_SETTINGS,
      windowMax: windowSize,
      unansweredMax: UNANSWERED_MAX,
      responseTimeoutMs: responseSeconds * 1000,
      bindTimeoutMs: Math.min(SESSION_SETTINGS.bindTimeoutMs, responseSeconds * 1000),
      enquireIntervalMs: enquireLinkSeconds * 1000,
      enquireTimeoutMs: Math.min(SESSION_SETTINGS.enquireTimeoutMs, responseSeconds * 1000),
    };
    const bind: KeptBind = new KeptBind(this.#settings, command, session, {
      elapsedMs: this.#deps.elapsedMs,
      random: this.#deps.random,
      password: () => secretOf(this.#settings.password, this.#deps.secret),
      times,
      happened: (event, connection) => this.#heard(event, connection, bind),
      changed: () => this.#turn(),
    });
    return bind;
  }

  #heard(event: SessionEvent, connection: Connection, bind: KeptBind): void {
    switch (event.kind) {
      case "answered":
        if (!this.#answerQuery(event.ref, event.outcome)) this.#transmitter.answered(event.ref, event.outcome);
        break;
      case "answeredLate":
        this.#transmitter.answeredLate(event.ref, event.outcome);
        break;
      case "requested":
        // An SMSC may ask an ESME for nothing else.
        void this.#receive(event.pdu as DeliverSm | DataSm, connection);
        break;
      case "bound":
        this.#transmitter.wake();
        break;
      case "ended":
        if (bind === this.#binds[0]) this.#transmitter.sessionEnded();
        this.#transmitter.linkLost(bind.reason);
        break;
      case "noticed":
        this.#log.debug({ link: this.#settings.name, sequence: event.sequence, what: event.what }, "oddity noticed");
        break;
      default:
        break;
    }
  }

  async #receive(pdu: DeliverSm | DataSm, connection: Connection): Promise<void> {
    const status = await this.#take(pdu, this.#numberOf(connection));
    connection.answer({ command: `${pdu.command}_resp`, sequence: pdu.sequence, status, messageId: "", tlvs: {} });
  }

  #numberOf(connection: Connection): number {
    const number = this.#numbers.get(connection) ?? ++this.#connections;
    this.#numbers.set(connection, number);
    return number;
  }

  async #take(pdu: DeliverSm | DataSm, connection: number): Promise<number> {
    try {
      const incoming = readIncoming(pdu, this.#settings, new Date(this.#deps.now()));
      if (incoming.kind === "receipt") await this.#owner.receipt(incoming.receipt);
      else if (incoming.kind === "inbound") await this.#owner.inbound(incoming.part, connection);
      else this.#log.warn({ link: this.#settings.name }, "receipt without a message id dropped");
      return STATUS.ESME_ROK;
    } catch (error) {
      if (error instanceof Unavailable) return STATUS.ESME_RX_T_APPN;
      this.#log.error({ link: this.#settings.name, error }, "delivery could not be taken");
      return STATUS.ESME_RSYSERR;
    }
  }

  #answerQuery(ref: string, outcome: Outcome): boolean {
    const resolve = this.#queries.get(ref);
    if (!resolve) return false;
    this.#queries.delete(ref);
    resolve(outcome);
    this.#transmitter.wake();
    return true;
  }

  #queryAnswer(outcome: Outcome): QueryAnswer {
    if (outcome.kind === "accepted" && outcome.response.command === "query_sm_resp") {
      const { finalDate, messageState, errorCode } = outcome.response;
      const doneOn = parseSmppTime(finalDate, new Date(this.#deps.now()));
      return {
        kind: "state",
        state: receiptState(MESSAGE_STATE[messageState] ?? "unknown"),
        ...(errorCode !== 0 && { errorCode: String(errorCode) }),
        ...(doneOn && { doneOn }),
      };
    }
    return { kind: "unknown", reason: "status" in outcome ? statusName(outcome.status) : reasonOf(outcome) };
  }

  /** Tells the owner when the link's state has become another. */
  #turn(): void {
    const state = this.#currentState();
    if (state.kind === this.#state.kind && state.reason === this.#state.reason) return;
    const hasFailed = state.kind === "down" && this.#state.kind !== "down";
    this.#state = state;
    this.#log[hasFailed ? "warn" : "info"]({ link: this.#settings.name, ...state }, "link changed");
    this.#tell(() => this.#owner.changed(state));
  }

  /** An owner that throws must not take the others' outcomes with it. */
  #tell(call: () => void): void {
    try {
      call();
    } catch (error) {
      this.#log.error({ link: this.#settings.name, error }, "link's owner failed");
    }
  }

  #currentState(): LinkState {
    const [first, second = first] = this.#binds;
    if (first.phase === "closed" && second.phase === "closed") return { kind: "closed", reason: first.reason };
    for (const kind of ["down", "connecting"] as const) {
      const bind = this.#binds.find(({ phase }) => phase === kind);
      if (bind) return { kind, reason: bind.reason };
    }
    return { kind: this.#transmitter.isThrottled ? "throttled" : "bound", reason: first.reason };
  }
}

function reasonOf(outcome: Outcome): string {
  return "reason" in outcome ? outcome.reason : "answer of another kind";
}
