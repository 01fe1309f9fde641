// An ESME for tests: the product's session machine on a socket. Tests can wait for everything it receives.

import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { addressOf } from "../../src/sandbox/smsc/address.ts";
import { Framer } from "../../src/wire/smpp/framer.ts";
import { type BindCommand, type DeliverSm, type SubmitSm, submitSm, type Unnumbered } from "../../src/wire/smpp/pdu.ts";
import { type Receipt, readReceipt } from "../../src/wire/smpp/receipt.ts";
import { step } from "../../src/wire/smpp/session.ts";
import {
  newEsmeSession,
  type Outcome,
  SESSION_SETTINGS,
  type SessionEvent,
  type SessionInput,
  type SessionRequest,
  type SessionState,
} from "../../src/wire/smpp/session-state.ts";

export interface EsmeOptions {
  readonly port: number;
  readonly as?: BindCommand;
  readonly systemId?: string;
  readonly password?: string;
  readonly tls?: boolean;
  /** The status of the response to each delivery; undefined for no response. */
  readonly judge?: (pdu: DeliverSm) => number | undefined;
}

export class Esme {
  readonly events: SessionEvent[] = [];
  readonly delivered: DeliverSm[] = [];
  readonly #socket: Socket;
  readonly #framer = new Framer();
  readonly #judge: (pdu: DeliverSm) => number | undefined;
  readonly #waiters = new Set<() => void>();
  #state: SessionState;
  #nextRef = 0;

  /** Resolves when it is bound or refused. */
  static async bind(options: EsmeOptions): Promise<Esme> {
    const esme = new Esme(options);
    await esme.until(() => esme.events.find(({ kind }) => kind === "bound" || kind === "ended"));
    return esme;
  }

  private constructor({
    port,
    as = "bind_transceiver",
    systemId = "alice",
    password = "secret",
    tls,
    judge,
  }: EsmeOptions) {
    this.#judge = judge ?? (() => 0);
    const bind = {
      systemId,
      password,
      systemType: "",
      interfaceVersion: 0x34,
      addrTon: 0,
      addrNpi: 0,
      addressRange: "",
    };
    this.#state = newEsmeSession({ command: as, ...bind }, { ...SESSION_SETTINGS, windowMax: 1000 });
    const address = { host: "127.0.0.1", port };
    this.#socket = tls ? connectTls({ ...address, rejectUnauthorized: false }) : connect(address);
    this.#socket.once(tls ? "secureConnect" : "connect", () => this.#do({ kind: "connected", nowMs: 0 }));
    this.#socket.on("data", (chunk) => {
      const { pdus } = this.#framer.push(chunk);
      this.#do({ kind: "received", pdus, nowMs: 0 });
    });
    this.#socket.on("error", () => {});
    this.#socket.on("close", () => this.#do({ kind: "closed", nowMs: 0 }));
  }

  /** Resolves with the result of `find` as soon as there is one. */
  async until<Found>(find: () => Found | undefined): Promise<Found> {
    for (;;) {
      const found = find();
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => {
        const waiter = () => {
          this.#waiters.delete(waiter);
          resolve();
        };
        this.#waiters.add(waiter);
      });
    }
  }

  async ask(pdu: Unnumbered<SessionRequest>): Promise<Outcome> {
    const ref = String(this.#nextRef++);
    this.#do({ kind: "request", requests: [{ ref, pdu }], nowMs: 0 });
    const answered = await this.until(() =>
      this.events.find((event) => event.kind === "answered" && event.ref === ref),
    );
    return (answered as { outcome: Outcome }).outcome;
  }

  /** Submits a message that must be accepted; returns its message id. */
  async submitted(to: string, fields: Partial<Unnumbered<SubmitSm>> = {}): Promise<string> {
    const outcome = await this.submit(to, fields);
    if (outcome.kind !== "accepted") throw new Error(`not accepted: ${JSON.stringify(outcome)}`);
    return outcome.messageId;
  }

  /** Submits a message and requests a receipt. */
  async submit(to: string, fields: Partial<Unnumbered<SubmitSm>> = {}): Promise<Outcome> {
    return await this.ask(
      submitSm({
        source: addressOf("+12125550000"),
        destination: addressOf(to),
        shortMessage: Uint8Array.from(Buffer.from("hello")),
        registeredDelivery: 1,
        ...fields,
      }),
    );
  }

  /** The delivery at this index, in the order of arrival. */
  async delivery(index: number): Promise<DeliverSm> {
    return await this.until(() => this.delivered[index]);
  }

  /** Waits for `count` deliveries; returns the receipts in the order of arrival. */
  async receipts(count: number): Promise<readonly Receipt[]> {
    await this.delivery(count - 1);
    return this.delivered.flatMap((pdu) => readReceipt(pdu) ?? []);
  }

  async ended(): Promise<string> {
    const event = await this.until(() => this.events.find(({ kind }) => kind === "ended"));
    return (event as { reason: string }).reason;
  }

  async unbind(): Promise<void> {
    this.#do({ kind: "unbind", nowMs: 0 });
    await this.ended();
  }

  async close(): Promise<void> {
    if (this.#socket.closed) return;
    const closed = once(this.#socket, "close");
    this.#socket.destroy();
    await closed;
  }

  #do(input: SessionInput): void {
    const [state, commands] = step(this.#state, input);
    this.#state = state;
    for (const command of commands) {
      if (command.kind === "send") this.#socket.write(command.bytes);
      else if (command.kind === "close") this.#socket.end();
      else this.#hear(command.event);
    }
    for (const waiter of [...this.#waiters]) waiter();
  }

  #hear(event: SessionEvent): void {
    this.events.push(event);
    if (event.kind !== "requested" || event.pdu.command !== "deliver_sm") return;
    this.delivered.push(event.pdu);
    const { sequence } = event.pdu;
    const status = this.#judge(event.pdu);
    if (status === undefined) return;
    const answer = { command: "deliver_sm_resp", sequence, status, messageId: "", tlvs: {} } as const;
    this.#do({ kind: "answer", answers: [answer], nowMs: 0 });
  }
}
