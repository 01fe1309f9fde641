// An SMPP link to a carrier: keeps its binds up, submits texts, receives receipts and messages.
//
// Guarantees: those of `transmitter.ts` for what is sent; a delivery of the SMSC is answered only after the listener
// has taken it, and with an error that makes the SMSC keep it when the listener could not; the number of deliveries
// with the listener is bounded. Stores nothing.

import type { Log } from "../../base/log.ts";
import { type EnvironmentLookup, secretOf } from "../../base/secret-text.ts";
import { Unavailable } from "../../base/unavailable.ts";
import type {
  CarrierReceipt,
  LinkListener,
  LinkState,
  OpenLink,
  Outgoing,
  PduSubject,
  SubmitOutcome,
} from "../../domain/messaging/index.ts";
import type { BindCommand, DataSm, DeliverSm } from "../../wire/smpp/pdu.ts";
import { MESSAGE_STATE } from "../../wire/smpp/receipt.ts";
import { type Outcome, SESSION_SETTINGS, type SessionEvent } from "../../wire/smpp/session-state.ts";
import { STATUS } from "../../wire/smpp/statuses.ts";
import { LinkStateLog } from "../link-state-log.ts";
import { sourceAddress } from "./address.ts";
import { idForQuery } from "./carrier-id.ts";
import type { Connection } from "./connection.ts";
import { type Incoming, readIncoming, receiptState } from "./incoming.ts";
import type { LinkSettings } from "./link-settings.ts";
import { headsIn, octetsOf, type PduHead, type PduTap, shownOf, type TappedPdu } from "./pdu-tap.ts";
import { type BindTimes, PersistentBind } from "./persistent-bind.ts";
import { makeStatusRules, type StatusSettings } from "./status-rules.ts";
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

export interface LinkOrder {
  readonly carrier: string;
  readonly settings: LinkSettings;
  readonly statuses?: StatusSettings | undefined;
  /** Distinguishes the sessions of this run from those of others. */
  readonly run: string;
}

export interface LinkDeps {
  readonly log: Log;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** A monotonic clock in milliseconds. */
  readonly elapsedMs: () => number;
  readonly random: () => number;
  /** The value of an environment variable. */
  readonly secret: EnvironmentLookup;
  readonly times?: Partial<LinkTimes>;
  /** For a viewer that watches the link. */
  readonly tap?: PduTap | undefined;
}

// Deliveries that the listener may be handling at the same time; the session answers ESME_RX_T_APPN to more.
const UNANSWERED_MAX = 256;

/** SMPP carries no MMS. */
export type SmppListener = Omit<LinkListener, "mms">;

export class SmppLink implements OpenLink {
  readonly kind = "sms";
  readonly name: string;
  readonly carrier: string;
  readonly #run: string;
  readonly #settings: LinkSettings;
  readonly #listener: SmppListener;
  readonly #deps: LinkDeps;
  readonly #log: Log;
  readonly #transmitter: Transmitter;
  /** The one that sends is first. */
  readonly #binds: readonly [PersistentBind, ...PersistentBind[]];
  readonly #queries = new Map<string, (outcome: Outcome) => void>();
  readonly #sessions = new WeakMap<Connection, string>();
  #connections = 0;
  #lastQuery = 0;
  readonly #states: LinkStateLog;
  #closing: Promise<void> | undefined;

  constructor({ carrier, settings, statuses, run }: LinkOrder, listener: SmppListener, deps: LinkDeps) {
    this.name = settings.name;
    this.carrier = carrier;
    this.#run = run;
    this.#settings = settings;
    this.#listener = listener;
    this.#deps = deps;
    this.#log = deps.log;
    this.#states = new LinkStateLog({ link: this.name, kind: "down", reason: "not started" }, deps);
    const times = { ...LINK_TIMES, ...deps.times };
    this.#transmitter = new Transmitter(settings, {
      ...deps,
      times,
      ruleOf: makeStatusRules(statuses),
      connection: () => (this.#isUp ? this.#binds[0].connection : undefined),
      taken: (message, carrierId) => deps.tap?.answered(carrier, carrierId, message),
      late: (message, outcome) => listener.late({ message, link: this, outcome }),
      freed: () => listener.freed(),
      notify: (call) => this.#notify(call),
      throttleChanged: () => this.#updateState(),
    });
    const bind = (command: BindCommand) => this.#newBind(command, times);
    this.#binds =
      settings.bind === "transceiver" ? [bind("bind_transceiver")] : [bind("bind_transmitter"), bind("bind_receiver")];
  }

  get state(): LinkState {
    return this.#states.state;
  }

  start(): void {
    for (const bind of this.#binds) bind.connect();
  }

  capacity(): number {
    return this.#transmitter.capacity();
  }

  /** `done` is not called before this returns. */
  submit(message: Outgoing, done: (outcome: SubmitOutcome) => void): void {
    this.#transmitter.submit(message, done);
  }

  async ask(carrierId: string, from: string): Promise<CarrierReceipt | undefined> {
    const connection = this.#isUp ? this.#binds[0].connection : undefined;
    const source = sourceAddress(from, this.#settings.addressing);
    if (!source.ok || !connection || connection.capacity === 0) return undefined;
    const ref = `query ${++this.#lastQuery}`;
    const messageId = idForQuery(carrierId, this.#settings.receiptIds);
    const outcome = await new Promise<Outcome>((resolve) => {
      this.#queries.set(ref, resolve);
      connection.request([{ ref, pdu: { command: "query_sm", messageId, source: source.value } }]);
    });
    if (outcome.kind !== "accepted" || outcome.response.command !== "query_sm_resp") return undefined;
    const { messageState, errorCode } = outcome.response;
    return {
      carrier: this.carrier,
      carrierId,
      state: receiptState(MESSAGE_STATE[messageState] ?? "unknown"),
      errorCode: errorCode === 0 ? null : String(errorCode),
      receivedOn: new Date(this.#deps.now()),
    };
  }

  /** Waits for outstanding answers and unbinds, within a few `responseSeconds`, whatever the SMSC does. */
  close(): Promise<void> {
    this.#closing ??= this.#drain();
    return this.#closing;
  }

  async #drain(): Promise<void> {
    await this.#transmitter.drain(this.#settings.responseSeconds * 1000);
    await Promise.all(this.#binds.map((bind) => bind.close()));
    this.#updateState();
  }

  get #isUp(): boolean {
    for (const { phase } of this.#binds) if (phase !== "bound") return false;
    return true;
  }

  #newBind(command: BindCommand, times: LinkTimes): PersistentBind {
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
    const bind: PersistentBind = new PersistentBind(this.#settings, command, session, {
      elapsedMs: this.#deps.elapsedMs,
      random: this.#deps.random,
      password: () => secretOf(this.#settings.password, this.#deps.secret),
      times,
      onEvent: (event, connection) => this.#onEvent(event, connection, bind),
      onChange: () => this.#updateState(),
      tap: this.#deps.tap && {
        isOn: this.#deps.tap.isOn,
        show: (direction, pdu, ref) => {
          const message = this.#transmitter.messageOf(ref);
          if (!message) return;
          const about: PduSubject = { kind: "message", message };
          if (this.#deps.tap?.admits(this.carrier, about)) void this.#show(direction, pdu, about);
        },
      },
    });
    return bind;
  }

  #onEvent(event: SessionEvent, connection: Connection, bind: PersistentBind): void {
    switch (event.kind) {
      case "answered":
        if (!this.#answerQuery(event.ref, event.outcome)) this.#transmitter.answered(event.ref, event.outcome);
        break;
      case "answeredLate":
        this.#transmitter.answeredLate(event.ref, event.outcome);
        break;
      case "requested":
        // The session machine lets an SMSC request nothing else of an ESME.
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
        this.#log.debug({ link: this.name, sequence: event.sequence, what: event.what }, "protocol violation noticed");
        break;
      default:
        break;
    }
  }

  #show(direction: TappedPdu["direction"], pdu: PduHead, about: PduSubject): Promise<void> {
    const { name: link, carrier } = this;
    const shown = shownOf(pdu);
    return this.#deps.tap?.show({ link, carrier, direction, ...shown, about }) ?? Promise.resolve();
  }

  /** Started before the listener takes the PDU, while the message of a receipt can still be found. Not awaited. */
  async #showIncoming(pdu: DeliverSm | DataSm, incoming: Incoming): Promise<void> {
    if (pdu.command !== "deliver_sm" || incoming.kind === "receiptOfNothing") return;
    const about: PduSubject =
      incoming.kind === "receipt"
        ? { kind: "receipt", carrierId: incoming.receipt.carrierId }
        : { kind: "inbound", to: incoming.part.to };
    if (!this.#deps.tap?.admits(this.carrier, about)) return;
    const [head] = headsIn(octetsOf(pdu), () => true);
    if (head) await this.#show("Received", head, about);
  }

  async #receive(pdu: DeliverSm | DataSm, connection: Connection): Promise<void> {
    const status = await this.#take(pdu, this.#sessionOf(connection));
    connection.answer({ command: `${pdu.command}_resp`, sequence: pdu.sequence, status, messageId: "", tlvs: {} });
  }

  #sessionOf(connection: Connection): string {
    const session = this.#sessions.get(connection) ?? `${this.#run} ${this.name} ${++this.#connections}`;
    this.#sessions.set(connection, session);
    return session;
  }

  async #take(pdu: DeliverSm | DataSm, session: string): Promise<number> {
    try {
      const place = { carrier: this.carrier, link: this.name, session };
      const incoming = readIncoming(pdu, this.#settings, place, new Date(this.#deps.now()));
      if (this.#deps.tap?.isOn()) {
        void this.#showIncoming(pdu, incoming).catch(({ message: reason }: Error) =>
          this.#log.warn({ link: this.name, reason }, "PDU not shown"),
        );
      }
      if (incoming.kind === "receipt") await this.#listener.receipt(incoming.receipt);
      else if (incoming.kind === "inbound") await this.#listener.part(incoming.part);
      else this.#log.warn({ link: this.name }, "receipt without a usable message id dropped");
      return STATUS.ESME_ROK;
    } catch (error) {
      if (error instanceof Unavailable) return STATUS.ESME_RX_T_APPN;
      this.#log.error({ link: this.name, error }, "delivery could not be processed");
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

  #updateState(): void {
    this.#states.set(this.#currentState());
  }

  /** A listener that throws must not prevent the outcomes of other messages from being reported. */
  #notify(call: () => void): void {
    try {
      call();
    } catch (error) {
      this.#log.error({ link: this.name, error }, "link's listener failed");
    }
  }

  #currentState(): Omit<LinkState, "since"> {
    const [first, second = first] = this.#binds;
    if (first.phase === "closed" && second.phase === "closed") return { kind: "closed", reason: first.reason };
    for (const kind of ["down", "connecting"] as const) {
      const bind = this.#binds.find(({ phase }) => phase === kind);
      if (bind) return { kind, reason: bind.reason };
    }
    return { kind: this.#transmitter.isThrottled ? "throttled" : "bound", reason: first.reason };
  }
}
