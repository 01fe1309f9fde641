// The sandbox's SMSC: a carrier's SMPP 3.4 server and the handsets behind it. It knows nothing of the product; any ESME
// may bind.
//
// Guarantees: an accepted message reaches its handset and, if a receipt was requested, gets the receipt that the
// recipient's number stands for (behaviour.ts). Receipts and messages from handsets are delivered at least once, or
// their failure is reported. All queues are bounded. A slow answer does not delay other messages.

import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { type Clock, systemClock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import type { BindRequest } from "../../wire/smpp/pdu.ts";
import { SESSION_SETTINGS, type SessionSettings } from "../../wire/smpp/session-state.ts";
import { STATUS } from "../../wire/smpp/statuses.ts";
import type { ReceivedLimits } from "../received-messages.ts";
import { type Behaviour, DELIVERED, FAILED } from "./behaviour.ts";
import { Deliveries, type Delivery } from "./deliveries.ts";
import { deliverSmsOf, type HandsetMessage } from "./handset-message.ts";
import { Intake } from "./intake.ts";
import { Link, type LinkOwner } from "./link.ts";
import { MessageStore } from "./message-store.ts";
import type { ReceivedMessage } from "./received-message.ts";

export interface SmscOptions {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly log: Log;
  /** Required of every ESME that binds, if given. */
  readonly systemId?: string;
  readonly password?: string;
  readonly tls?: { readonly key: string | Buffer; readonly cert: string | Buffer };
  /** From the submit_sm_resp to the receipt; default one second. */
  readonly receiptDelayMs?: number;
  /** False: sends no receipts, even if requested. */
  readonly receipts?: boolean;
  /** False: stores no accepted messages, so none can be read, settled, queried or cancelled. */
  readonly storesMessages?: boolean;
  /** How long a slow answer takes. */
  readonly slowAnswerMs?: number;
  /** The pause before a delivery with a temporary refusal is sent again; doubles after each further refusal. */
  readonly redeliverMs?: number;
  /** How long `deliver` and `nextMessage` wait. */
  readonly patienceMs?: number;
  /** Bounds scheduled receipts and pending deliveries together. */
  readonly waitingMax?: number;
  readonly session?: Partial<SessionSettings>;
  readonly clock?: Clock;
}

const SYSTEM_ID = "sandbox";
const SESSION: SessionSettings = { ...SESSION_SETTINGS, windowMax: 50, unansweredMax: 1000 };
const CONNECTIONS_MAX = 1000;
const STORE_LIMITS: ReceivedLimits = { messagesMax: 10_000, octetsMax: 64 << 20 };
const WAITING_MAX = 100_000;
/** With doubling pauses, about a quarter of an hour. */
const REFUSALS_MAX = 10;

export class Smsc {
  /** Accepted submits, receipts and parts of handsets' messages that ESMEs have accepted, and successful binds. */
  readonly counts = { submits: 0, receipts: 0, delivers: 0, binds: 0 };
  readonly #options: SmscOptions;
  readonly #patienceMs: number;
  readonly #settings: SessionSettings;
  readonly #server: Server;
  /** Includes those in the middle of a TLS handshake. */
  readonly #sockets = new Set<Socket>();
  readonly #links = new Set<Link>();
  readonly #store: MessageStore | undefined;
  readonly #deliveries: Deliveries;
  readonly #intake: Intake;
  readonly #owner: LinkOwner;
  #nextReference = 0;
  #closed: Promise<unknown> | undefined;

  static async listen(options: SmscOptions): Promise<Smsc> {
    const smsc = new Smsc(options);
    smsc.#server.listen(options.port, options.host);
    await once(smsc.#server, "listening");
    smsc.#server.on("error", (error) => options.log.warn({ error: error.message }, "SMPP connection not accepted"));
    return smsc;
  }

  private constructor(options: SmscOptions) {
    this.#options = options;
    this.#patienceMs = options.patienceMs ?? 30_000;
    this.#settings = { ...SESSION, ...options.session };
    this.#store = options.storesMessages === false ? undefined : new MessageStore(STORE_LIMITS);
    this.#deliveries = new Deliveries({ redeliverMs: options.redeliverMs ?? 1000, refusalsMax: REFUSALS_MAX });
    this.#intake = this.#makeIntake();
    this.#owner = this.#makeOwner();
    const onSession = (socket: Socket) => this.#connect(socket);
    const handshakeTimeout = this.#settings.bindTimeoutMs;
    this.#server = options.tls
      ? createTlsServer({ ...options.tls, handshakeTimeout }, onSession)
      : createServer(onSession);
    this.#server.maxConnections = CONNECTIONS_MAX;
    this.#server.on("connection", (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once("close", () => this.#sockets.delete(socket));
    });
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** The messages that the handsets have received, the oldest first. */
  get received(): readonly ReceivedMessage[] {
    return this.#store?.received.all ?? [];
  }

  /** The next message that no earlier call has returned; waits until one arrives. */
  async nextMessage(wants: (message: ReceivedMessage) => boolean = () => true): Promise<ReceivedMessage> {
    if (!this.#store) throw new Error("this SMSC stores no messages");
    return await this.#store.received.next(wants, this.#patienceMs);
  }

  /** Sets the behaviour of a number from now on; `undefined` restores the one that the number stands for. */
  behave(number: string, behaviour: Behaviour | undefined): void {
    this.#intake.behave(number, behaviour);
  }

  /** Sends the receipt of a message now, replacing a scheduled one. False if it is unknown or requested no receipt. */
  settle(messageId: string, delivered: boolean): boolean {
    return this.#intake.settle(messageId, delivered ? DELIVERED : FAILED);
  }

  /** A handset sends a message. Resolves when ESMEs have accepted every part of it. */
  async deliver(message: HandsetMessage): Promise<void> {
    if (this.#intake.isFull) throw new Error("too much waits to be delivered");
    const pdus = deliverSmsOf(message, this.#nextReference++);
    await new Promise<void>((resolve, reject) => {
      let open = pdus.length;
      const onEnd = (failure: string | undefined) => {
        if (failure !== undefined) return fail(failure);
        this.counts.delivers += 1;
        open -= 1;
        if (open > 0) return;
        clearTimeout(timer);
        resolve();
      };
      const fail = (failure: string) => {
        clearTimeout(timer);
        reject(new Error(`the message was not taken: ${failure}`));
        for (const delivery of deliveries) this.#deliveries.end(delivery, failure);
      };
      const deliveries = pdus.map((pdu): Delivery => ({ systemId: undefined, pdu, onEnd }));
      const timer = setTimeout(() => fail(`not answered within ${this.#patienceMs} ms`), this.#patienceMs);
      this.#deliveries.add(deliveries);
    });
  }

  /** Breaks every connection; the ESMEs may reconnect. */
  cut(): void {
    for (const link of this.#links) link.cut();
  }

  async close(): Promise<void> {
    if (!this.#closed) {
      this.#closed = once(this.#server, "close");
      this.#server.close();
      this.#intake.close();
      this.cut();
      for (const socket of this.#sockets) socket.destroy();
      this.#deliveries.close();
      this.#store?.received.close();
    }
    await this.#closed;
  }

  #makeIntake(): Intake {
    const { clock = systemClock, log, receipts = true, receiptDelayMs = 1000, slowAnswerMs = 3000 } = this.#options;
    const { waitingMax = WAITING_MAX } = this.#options;
    return new Intake(
      { store: this.#store, deliveries: this.#deliveries, counts: this.counts, clock, log },
      { receipts, receiptDelayMs, slowAnswerMs, waitingMax },
    );
  }

  #makeOwner(): LinkOwner {
    return {
      judgeBind: (request) => this.#judgeBind(request),
      bound: (link) => {
        this.counts.binds += 1;
        this.#deliveries.attach(link);
      },
      requested: (link, requests) => this.#intake.requested(link, requests),
      freed: (link) => this.#deliveries.send(link),
      ended: (link) => {
        this.#links.delete(link);
        this.#deliveries.detach(link);
      },
    };
  }

  #connect(socket: Socket): void {
    const { log } = this.#options;
    this.#links.add(new Link(socket, { owner: this.#owner, settings: this.#settings, systemId: SYSTEM_ID, log }));
  }

  #judgeBind({ systemId, password }: BindRequest): number {
    const { systemId: wantedId = systemId, password: wantedPassword = password } = this.#options;
    if (systemId !== wantedId) return STATUS.ESME_RINVSYSID;
    return password === wantedPassword ? STATUS.ESME_ROK : STATUS.ESME_RINVPASWD;
  }
}
