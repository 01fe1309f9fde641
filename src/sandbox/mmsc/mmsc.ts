// A carrier's MMSC and its handsets on MM4, for the sandbox and for tests.
//
// It is a strict peer: it refuses an MM4_forward.REQ in which `strict-check.ts` finds faults, and lists them. It
// answers an accepted one with MM4_forward.RES and a delivery report for every recipient, according to the number's
// behaviour.

import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo, Socket } from "node:net";
import { createTransport, type Transporter } from "nodemailer";
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from "smtp-server";
import { type Clock, systemClock } from "../../base/clock.ts";
import { forgetOldest } from "../../base/forget-oldest.ts";
import type { Log } from "../../base/log.ts";
import { formatPhoneAddress, phoneOf, systemAddress } from "../../wire/mm4/addresses.ts";
import { encodeMm4 } from "../../wire/mm4/encode.ts";
import { type ForwardRequest, idOf, type Media, type Mm4Message } from "../../wire/mm4/messages.ts";
import { parseMm4 } from "../../wire/mm4/parse.ts";
import { type Answer, type Behaviour, behaviourOf, type Conduct, conductOf, type ReportedStatus } from "./behaviour.ts";
import { newReceivedMms, type ReceivedMms } from "./received-mms.ts";
import { type AcceptedMms, Responses } from "./responses.ts";
import { findFaults } from "./strict-check.ts";

export interface MmscOptions {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly log: Log;
  /** The peer's listener; `deliverTo` may set it later. */
  readonly deliverTo?: { readonly host: string; readonly port: number };
  /** The host in our addresses. */
  readonly name?: string;
  /** The host in the peer's addresses. */
  readonly peerName?: string;
  /** From the answer to the report; default one second. */
  readonly receiptDelayMs?: number;
  /** How long a slow answer takes. */
  readonly slowAnswerMs?: number;
  /** How long `deliver` and `nextMessage` wait. */
  readonly patienceMs?: number;
  readonly clock?: Clock;
}

export interface HandsetMms {
  readonly from: string;
  /** The peer's numbers among the recipients; a group message has others too. */
  readonly to: readonly string[];
  readonly others?: readonly string[];
  readonly text?: string;
  readonly subject?: string;
  readonly media?: readonly Media[];
  /** To send the same message again. */
  readonly messageId?: string;
}

interface Verdict {
  readonly answer: Answer;
  readonly accepted: AcceptedMms | undefined;
}

export const MMSC_NAME = "mmsc.sandbox.test";
export const PEER_NAME = "mms.tandem.test";
const MESSAGES_MAX = 1000;
const SIZE_MAX = 10_000_000;
const CONNECTIONS_MAX = 100;
const RETRIEVED: ReportedStatus = { status: "Retrieved", text: "" };
const FAILED: ReportedStatus = { status: "Unrecognised", text: "delivery failure" };

export class Mmsc {
  /** Accepted messages, the peer's responses to ours by their status, and received reports. */
  readonly counts = { forwards: 0, responsesOk: 0, responsesFailed: 0, reports: 0 };
  readonly #options: MmscOptions;
  readonly #name: string;
  readonly #peerName: string;
  readonly #clock: Clock;
  readonly #server: SMTPServer;
  readonly #sockets = new Map<string, Socket>();
  readonly #received = newReceivedMms(MESSAGES_MAX);
  readonly #behaviours = new Map<string, Behaviour>();
  readonly #refusals = new Map<string, number>();
  readonly #accepted = new Map<string, AcceptedMms>();
  readonly #responses: Responses;
  #transport: Transporter | undefined;
  #closed: Promise<unknown> | undefined;

  static async listen(options: MmscOptions): Promise<Mmsc> {
    const mmsc = new Mmsc(options);
    mmsc.#server.listen(options.port, options.host);
    await once(mmsc.#server.server, "listening");
    if (options.deliverTo) mmsc.deliverTo(options.deliverTo);
    return mmsc;
  }

  private constructor(options: MmscOptions) {
    this.#options = options;
    this.#name = options.name ?? MMSC_NAME;
    this.#peerName = options.peerName ?? PEER_NAME;
    this.#clock = options.clock ?? systemClock;
    this.#responses = new Responses({
      name: this.#name,
      clock: this.#clock,
      log: options.log,
      reportDelayMs: options.receiptDelayMs ?? 1000,
      conductOf: (number) => this.#conductOf(number),
      send: (message, from, to) => this.#send(message, from, [to]),
    });
    this.#server = new SMTPServer({
      name: this.#name,
      banner: "sandbox MMSC",
      size: SIZE_MAX,
      maxClients: CONNECTIONS_MAX,
      disableReverseLookup: true,
      // Answers to pipelined commands are several small packets; Nagle's algorithm would cost 40 ms a message.
      noDelay: true,
      logger: false,
      authOptional: true,
      disabledCommands: ["AUTH", "STARTTLS"],
      onRcptTo: ({ address }, _, callback) => callback(this.#whyNotRecipient(address)),
      onData: (stream, session, callback) => {
        void this.#receive(stream, session).then(
          (isAnswered) => isAnswered && callback(null, "2.0.0 Taken"),
          (error: Error) => callback(error),
        );
      },
    });
    this.#server.on("error", (error) => options.log.debug({ error: error.message }, "connection to the MMSC failed"));
    this.#server.server.on("connection", (socket: Socket) => {
      const key = keyOf(socket);
      this.#sockets.set(key, socket);
      socket.once("close", () => this.#sockets.delete(key));
    });
  }

  get port(): number {
    return (this.#server.server.address() as AddressInfo).port;
  }

  /** The messages that the handsets have received, the oldest first. */
  get received(): readonly ReceivedMms[] {
    return this.#received.all;
  }

  /** The next message that no earlier call has returned; waits until one arrives. */
  nextMessage(wants: (message: ReceivedMms) => boolean = () => true): Promise<ReceivedMms> {
    return this.#received.next(wants, this.#options.patienceMs ?? 30_000);
  }

  /** Sets the address of the peer's listener. */
  deliverTo({ host, port }: { readonly host: string; readonly port: number }): void {
    this.#transport?.close();
    const socketTimeout = this.#options.patienceMs ?? 30_000;
    this.#transport = createTransport({
      host,
      port,
      name: this.#name,
      pool: true,
      maxConnections: 4,
      ignoreTLS: true,
      socketTimeout,
    });
  }

  /** Sets the behaviour of a number from now on; `undefined` restores the one that the number stands for. */
  behave(number: string, behaviour: Behaviour | undefined): void {
    if (behaviour === undefined) this.#behaviours.delete(number);
    else this.#behaviours.set(number, behaviour);
  }

  /** Sends the reports of a message now, replacing scheduled ones. False if it is unknown or requested no report. */
  settle(messageId: string, delivered: boolean): boolean {
    const accepted = this.#accepted.get(messageId);
    if (!accepted?.request.isReportRequested) return false;
    this.#responses.settle(accepted, delivered ? RETRIEVED : FAILED);
    return true;
  }

  /** A handset sends an MMS. Resolves with its id when the peer has accepted it. */
  async deliver(mms: HandsetMms): Promise<string> {
    const messageId = mms.messageId ?? `${randomUUID()}@${this.#name}`;
    const ours = mms.to.map((number) => formatPhoneAddress(number, this.#peerName));
    const from = formatPhoneAddress(mms.from, this.#name);
    const request: ForwardRequest = {
      kind: "forward",
      transactionId: `"${randomUUID()}"`,
      messageId: `"${messageId}"`,
      from,
      to: [...ours, ...(mms.others ?? []).map((number) => formatPhoneAddress(number, this.#name))],
      originatorSystem: systemAddress(this.#name),
      isAckRequested: true,
      isReportRequested: true,
      date: this.#clock.now(),
      subject: mms.subject ?? "",
      text: mms.text ?? "",
      media: mms.media ?? [],
    };
    await this.#send(request, from, ours);
    return messageId;
  }

  async close(): Promise<void> {
    if (!this.#closed) {
      this.#closed = once(this.#server.server, "close");
      this.#server.server.close();
      this.#responses.close();
      for (const socket of this.#sockets.values()) socket.destroy();
      this.#transport?.close();
      this.#received.close();
    }
    await this.#closed;
  }

  #conductOf(number: string): Conduct {
    return conductOf(this.#behaviours.get(number) ?? behaviourOf(number));
  }

  #whyNotRecipient(address: string): Error | null {
    const number = phoneOf(address);
    if (number === undefined) return null;
    return this.#conductOf(number).answer.kind === "refuseRecipient" ? refusal(550, "5.1.1 No such subscriber") : null;
  }

  /** False when the peer gets no answer. */
  async #receive(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<boolean> {
    const bytes = await this.#bytesOf(stream, session);
    const parsed = parseMm4(bytes);
    if (!parsed.ok) throw refusal(554, `5.6.0 ${parsed.refusal}`);
    const message = parsed.value;
    if (message.kind !== "forward") {
      this.#count(message);
      return true;
    }
    const { mailFrom, rcptTo } = session.envelope;
    const to = rcptTo.map(({ address }) => address);
    const faults = findFaults(bytes, { from: mailFrom ? mailFrom.address : "", to });
    if (faults.length > 0) throw refusal(554, `5.6.0 ${faults.join("; ")}`);
    const { answer, accepted } = this.#judge(message, to);
    return await this.#answerTo(answer, accepted, session);
  }

  async #bytesOf(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<Buffer> {
    const socket = this.#sockets.get(keyOf(session));
    // The stream does not end by itself when the connection breaks. A connection carries any number of messages.
    const end = () => stream.destroy();
    socket?.once("close", end);
    const chunks: Buffer[] = [];
    for await (const chunk of stream) if (!stream.sizeExceeded) chunks.push(chunk);
    socket?.off("close", end);
    if (stream.sizeExceeded) throw refusal(552, "5.3.4 Too big");
    return Buffer.concat(chunks);
  }

  #count(message: Mm4Message): void {
    if (message.kind === "deliveryReport") this.counts.reports += 1;
    else if (message.kind === "response" && message.status === "Ok") this.counts.responsesOk += 1;
    else if (message.kind === "response") this.counts.responsesFailed += 1;
  }

  /** The first recipient with a special behaviour decides how the message is answered. */
  #judge(request: ForwardRequest, addresses: readonly string[]): Verdict {
    const recipients = addresses.flatMap((address) => phoneOf(address) ?? []);
    const odd = recipients.find((number) => this.#conductOf(number).answer.kind !== "accept");
    const answer: Answer = odd === undefined ? { kind: "accept" } : this.#conductOf(odd).answer;
    if (odd !== undefined && answer.kind === "refuseAtFirst") {
      const refusals = (this.#refusals.get(odd) ?? 0) + 1;
      this.#refusals.set(odd, refusals % (answer.times + 1));
      if (refusals <= answer.times) throw refusal(451, "4.3.2 Slow down");
    }
    const isTaken = answer.kind !== "keepSilent" && !(answer.kind === "cut" && !answer.isTaken);
    return { answer, accepted: isTaken ? this.#accept(request, recipients) : undefined };
  }

  #accept(request: ForwardRequest, recipients: readonly string[]): AcceptedMms {
    const messageId = idOf(request.messageId);
    const accepted: AcceptedMms = { request, recipients, timers: new Set() };
    this.#accepted.set(messageId, accepted);
    forgetOldest(this.#accepted, MESSAGES_MAX);
    this.counts.forwards += 1;
    this.#received.add({
      messageId,
      transactionId: idOf(request.transactionId),
      from: phoneOf(request.from) ?? request.from,
      recipients,
      to: request.to.flatMap((address) => phoneOf(address) ?? []),
      subject: request.subject,
      text: request.text,
      media: request.media,
      receivedAt: this.#clock.now(),
    });
    return accepted;
  }

  async #answerTo(answer: Answer, accepted: AcceptedMms | undefined, session: SMTPServerSession): Promise<boolean> {
    if (answer.kind === "keepSilent") return false;
    if (answer.kind === "acceptSlowly") await this.#responses.wait(this.#options.slowAnswerMs ?? 3000);
    if (accepted && answer.kind === "acceptAfterReport") await this.#responses.reportNow(accepted, RETRIEVED);
    if (accepted) {
      const isReported = answer.kind !== "acceptAfterReport";
      this.#responses.respond(accepted, answer.kind === "respond" ? answer.status : "Ok", isReported);
    }
    if (answer.kind !== "cut") return true;
    this.#sockets.get(keyOf(session))?.destroy();
    return false;
  }

  async #send(message: Mm4Message, from: string, to: readonly string[]): Promise<void> {
    if (!this.#transport) throw new Error("the MMSC does not know where to deliver");
    await this.#transport.sendMail({ envelope: { from, to: [...to] }, raw: Buffer.from(encodeMm4(message)) });
  }
}

function keyOf({ remoteAddress, remotePort }: Pick<Socket, "remoteAddress" | "remotePort">): string {
  return `${remoteAddress} ${remotePort}`;
}

function refusal(responseCode: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode });
}
