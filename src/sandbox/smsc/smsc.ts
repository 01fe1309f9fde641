// An SMSC of the sandbox: a carrier's SMPP 3.4 server with the handsets behind it. It knows nothing of the product; any ESME may bind.
//
// Guarantees: what it accepts reaches its handset and, where a receipt was asked for, is reported as the recipient's number says
// (behaviour.ts); receipts and messages from handsets are delivered at least once, or given up and told; everything that waits is bounded.
// A message whose answer is slow holds up nobody else's.

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
import { Ledger } from "./ledger.ts";
import { Link, type LinkOwner } from "./link.ts";
import type { ReceivedMessage } from "./received-message.ts";

export interface SmscOptions {
  readonly host: string;
  /** 0 for any that is free. */
  readonly port: number;
  readonly log: Log;
  /** Asked of every ESME that binds, where given. */
  readonly systemId?: string;
  readonly password?: string;
  readonly tls?: { readonly key: string | Buffer; readonly cert: string | Buffer };
  /** From the answer to the receipt; a second unless told. */
  readonly receiptDelayMs?: number;
  /** False: no receipts, whatever is asked. */
  readonly receipts?: boolean;
  /** False: nothing is kept of what was taken, so nothing can be read, settled, queried or cancelled. */
  readonly ledger?: boolean;
  /** How long a slow answer takes. */
  readonly slowAnswerMs?: number;
  /** Until a delivery that was refused for now is sent again; twice as long after each further refusal. */
  readonly redeliverMs?: number;
  /** How long `deliver` and `nextMessage` wait. */
  readonly patienceMs?: number;
  /** Receipts to come and deliveries to make. */
  readonly waitingMax?: number;
  readonly session?: Partial<SessionSettings>;
  readonly clock?: Clock;
}

const SYSTEM_ID = "sandbox";
const SESSION: SessionSettings = { ...SESSION_SETTINGS, windowMax: 50, unansweredMax: 1000 };
const CONNECTIONS_MAX = 1000;
const LEDGER_LIMITS: ReceivedLimits = { messagesMax: 10_000, octetsMax: 64 << 20 };
const WAITING_MAX = 100_000;
/** With each pause twice the last, a quarter of an hour. */
const REFUSALS_MAX = 10;

export class Smsc {
  /** Submits accepted, receipts and handsets' messages (by parts) that ESMEs have taken, binds granted. */
  readonly counts = { submits: 0, receipts: 0, delivers: 0, binds: 0 };
  readonly #options: SmscOptions;
  readonly #patienceMs: number;
  readonly #settings: SessionSettings;
  readonly #server: Server;
  /** Those in the middle of a TLS handshake, too. */
  readonly #sockets = new Set<Socket>();
  readonly #links = new Set<Link>();
  readonly #ledger: Ledger | undefined;
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
    this.#ledger = options.ledger === false ? undefined : new Ledger(LEDGER_LIMITS);
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

  /** What the handsets have got, the oldest first. */
  get received(): readonly ReceivedMessage[] {
    return this.#ledger?.messages ?? [];
  }

  /** A message that no earlier call was given, come already or yet to come. */
  async nextMessage(wants: (message: ReceivedMessage) => boolean = () => true): Promise<ReceivedMessage> {
    if (!this.#ledger) throw new Error("this SMSC keeps no ledger");
    return await this.#ledger.next(wants, this.#patienceMs);
  }

  /** What becomes of messages to this number from now on; `undefined` leaves it to the number again. */
  behave(number: string, behaviour: Behaviour | undefined): void {
    this.#intake.behave(number, behaviour);
  }

  /** Sends the receipt of a message now, in place of the one to come or after it. False when it is unknown or asked for none. */
  settle(messageId: string, delivered: boolean): boolean {
    return this.#intake.settle(messageId, delivered ? DELIVERED : FAILED);
  }

  /** A handset sends a message. Resolves when ESMEs have taken every part of it. */
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

  /** Breaks every connection; the ESMEs may come back. */
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
      this.#ledger?.close();
    }
    await this.#closed;
  }

  #makeIntake(): Intake {
    const { clock = systemClock, log, receipts = true, receiptDelayMs = 1000, slowAnswerMs = 3000 } = this.#options;
    const { waitingMax = WAITING_MAX } = this.#options;
    return new Intake(
      { ledger: this.#ledger, deliveries: this.#deliveries, counts: this.counts, clock, log },
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
