// One connection to an SMSC and its session. Carries out the commands of the session machine, with one timer.
//
// Guarantees: `ended` is reported once, last, and after an outcome for every request; answers given in one turn of the
// event loop leave in one write; unread output is bounded, because a peer that does not read is not read from.

import { isIP, type Socket, connect as tcpConnect } from "node:net";
import { connect as tlsConnect } from "node:tls";
import { Framer } from "../../wire/smpp/framer.ts";
import type { BindRequest, Unnumbered } from "../../wire/smpp/pdu.ts";
import { step } from "../../wire/smpp/session.ts";
import {
  newEsmeSession,
  nextTickMs,
  type OwnerRequest,
  type SessionCommand,
  type SessionEvent,
  type SessionInput,
  type SessionResponse,
  type SessionSettings,
  type SessionState,
  windowCapacity,
} from "../../wire/smpp/session-state.ts";
import { readPem } from "../pem.ts";
import type { LinkSettings } from "./link-settings.ts";
import { headsIn, type PduHead } from "./pdu-tap.ts";

type Target = Pick<LinkSettings, "host" | "port" | "tls">;

export interface ConnectionOrder {
  readonly target: Target;
  readonly bind: Unnumbered<BindRequest>;
  readonly session: SessionSettings;
  readonly connectMsMax: number;
  /** A monotonic clock in milliseconds. */
  readonly elapsedMs: () => number;
  readonly report: (event: SessionEvent, connection: Connection) => void;
  readonly tap?: ConnectionTap | undefined;
}

/** Sees submits and their answers, each before its event is reported. */
export interface ConnectionTap {
  isOn(): boolean;
  show(direction: "Sent" | "Received", pdu: PduHead, ref: string): void;
}

// When the peer has left this many octets unread, nothing is read from it until it has read them.
const UNREAD_MAX = 256 * 1024;
/** How long the last PDUs may take to leave before the socket is destroyed. */
const LINGER_MS = 2000;

export class Connection {
  readonly #order: ConnectionOrder;
  readonly #framer = new Framer();
  #socket: Socket | undefined;
  #state: SessionState;
  #fault: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #timerDueMs = Number.POSITIVE_INFINITY;
  #answers: SessionResponse[] = [];

  constructor(order: ConnectionOrder) {
    this.#order = order;
    this.#state = newEsmeSession(order.bind, order.session);
  }

  /** How many requests may be made now. */
  get capacity(): number {
    return windowCapacity(this.#state);
  }

  get outstanding(): number {
    return this.#state.outstanding.length;
  }

  open(): void {
    let socket: Socket;
    try {
      socket = openSocket(this.#order.target);
    } catch (error) {
      this.#fault = reasonOf(error);
      this.#step({ kind: "closed", nowMs: this.#order.elapsedMs() });
      return;
    }
    this.#socket = socket;
    socket.setNoDelay(true);
    // The socket's own timeout would start anew with every octet of a slow TLS handshake.
    this.#timer = setTimeout(() => this.#abort("connecting took too long"), this.#order.connectMsMax);
    socket.once(this.#order.target.tls ? "secureConnect" : "connect", () => {
      clearTimeout(this.#timer);
      this.#step({ kind: "connected", nowMs: this.#order.elapsedMs() });
    });
    socket.on("data", (chunk) => this.#received(chunk));
    socket.on("drain", () => socket.resume());
    socket.on("error", (error) => {
      this.#fault ??= reasonOf(error);
    });
    socket.on("close", () => {
      clearTimeout(this.#timer);
      this.#step({ kind: "closed", nowMs: this.#order.elapsedMs() });
    });
  }

  /** One write for all of them. */
  request(requests: readonly OwnerRequest[]): void {
    this.#step({ kind: "request", requests, nowMs: this.#order.elapsedMs() });
  }

  answer(response: SessionResponse): void {
    if (this.#answers.push(response) > 1) return;
    setImmediate(() => {
      const answers = this.#answers;
      this.#answers = [];
      this.#step({ kind: "answer", answers, nowMs: this.#order.elapsedMs() });
    });
  }

  /** Ends the session as soon as nothing is open, within the session's own bounds. */
  unbind(): void {
    this.#step({ kind: "unbind", nowMs: this.#order.elapsedMs() });
  }

  #abort(reason: string): void {
    this.#fault ??= reason;
    this.#socket?.destroy();
  }

  #received(chunk: Uint8Array): void {
    const { pdus, fault } = this.#framer.push(chunk);
    const nowMs = this.#order.elapsedMs();
    if (pdus.length > 0) this.#step({ kind: "received", pdus, nowMs });
    if (fault !== undefined) this.#step({ kind: "garbled", reason: fault, nowMs });
  }

  #step(input: SessionInput): void {
    const before = this.#state;
    const [state, commands] = step(before, input);
    this.#state = state;
    if (this.#order.tap?.isOn()) this.#show(this.#order.tap, before, input, commands);
    for (const command of commands) {
      if (command.kind === "send") this.#write(command.bytes);
      else if (command.kind === "close") this.#hangUp();
      else this.#report(command.event);
    }
    this.#arm(input.nowMs);
  }

  #show(tap: ConnectionTap, before: SessionState, input: SessionInput, commands: readonly SessionCommand[]): void {
    const refOf = ({ outstanding, overdue }: SessionState, wanted: number) =>
      (outstanding.find(({ sequence }) => sequence === wanted) ?? overdue.find(({ sequence }) => sequence === wanted))
        ?.ref;
    const show = (direction: "Sent" | "Received", octets: Uint8Array, known: SessionState) => {
      const ours = direction === "Sent" ? "submit_sm" : "submit_sm_resp";
      for (const head of headsIn(octets, ({ command }) => command === ours)) {
        const ref = refOf(known, head.sequence);
        if (ref !== undefined) tap.show(direction, head, ref);
      }
    };
    for (const command of commands) if (command.kind === "send") show("Sent", command.bytes, this.#state);
    if (input.kind === "received") for (const pdu of input.pdus) show("Received", pdu, before);
  }

  #report(event: SessionEvent): void {
    const isFault = event.kind === "ended" && this.#fault !== undefined;
    this.#order.report(isFault ? { kind: "ended", reason: this.#fault as string } : event, this);
  }

  #write(bytes: Uint8Array): void {
    const socket = this.#socket;
    if (!socket?.writable) return;
    socket.write(bytes);
    if (socket.writableLength > UNREAD_MAX) socket.pause();
  }

  #hangUp(): void {
    const socket = this.#socket;
    if (!socket) return;
    // Ignores further input, and does not wait longer than LINGER_MS for a peer that does not read.
    socket.removeAllListeners("data");
    socket.resume();
    if (socket.connecting) socket.destroy();
    else socket.destroySoon();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => socket.destroy(), LINGER_MS);
  }

  /** The timer may fire early, when its deadline has moved since; never late. */
  #arm(nowMs: number): void {
    const dueMs = nextTickMs(this.#state);
    if (dueMs === undefined || dueMs >= this.#timerDueMs) return;
    clearTimeout(this.#timer);
    this.#timerDueMs = dueMs;
    this.#timer = setTimeout(() => this.#tick(), Math.max(0, Math.ceil(dueMs - nowMs)));
  }

  #tick(): void {
    this.#timerDueMs = Number.POSITIVE_INFINITY;
    const nowMs = this.#order.elapsedMs();
    const dueMs = nextTickMs(this.#state);
    if (dueMs !== undefined && dueMs <= nowMs) this.#step({ kind: "tick", nowMs });
    else this.#arm(nowMs);
  }
}

function openSocket({ host, port, tls }: Target): Socket {
  if (!tls) return tcpConnect({ host, port });
  const servername = tls.servername ?? (isIP(host) ? undefined : host);
  return tlsConnect({
    host,
    port,
    rejectUnauthorized: tls.rejectUnauthorized,
    ...(servername !== undefined && { servername }),
    ...(tls.ca !== undefined && { ca: readPem(tls.ca) }),
    ...(tls.cert !== undefined && { cert: readPem(tls.cert) }),
    ...(tls.key !== undefined && { key: readPem(tls.key) }),
  });
}

/** The error's code if it has one: its message may be long and list the addresses of several attempts. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "code" in error && typeof error.code === "string" ? error.code : error.message;
}
