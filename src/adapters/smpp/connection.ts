// One connection to an SMSC and its session, from connecting to the end. Carries out what the session machine wants, with one timer.
//
// Guarantees: `ended` is told once, last, and after an outcome for every request; answers given in one turn of the event loop leave in one
// write; what the peer does not read is bounded, since nothing more is read from it meanwhile.

import { readFileSync } from "node:fs";
import { isIP, type Socket, connect as tcpConnect } from "node:net";
import { connect as tlsConnect } from "node:tls";
import { Framer } from "../../wire/smpp/framer.ts";
import type { BindRequest, Unnumbered } from "../../wire/smpp/pdu.ts";
import { step } from "../../wire/smpp/session.ts";
import {
  newEsmeSession,
  nextTickMs,
  type OwnerRequest,
  type SessionEvent,
  type SessionInput,
  type SessionResponse,
  type SessionSettings,
  type SessionState,
  windowRoom,
} from "../../wire/smpp/session-state.ts";
import type { LinkSettings } from "./link-settings.ts";

export type Target = Pick<LinkSettings, "host" | "port" | "tls">;

export interface ConnectionOrder {
  readonly target: Target;
  readonly bind: Unnumbered<BindRequest>;
  readonly session: SessionSettings;
  readonly connectMsMax: number;
  /** Milliseconds that never jump. */
  readonly elapsedMs: () => number;
  readonly report: (event: SessionEvent, connection: Connection) => void;
}

// Octets the peer has not read yet, after which it is not listened to until it has.
const UNREAD_MAX = 256 * 1024;
/** How long the last words may take to leave. */
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

  /** Requests that may be made now. */
  get room(): number {
    return windowRoom(this.#state);
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
    // Not the socket's own timeout, which an SMSC that dribbles its handshake would put off for ever.
    this.#timer = setTimeout(() => this.#give("connecting took too long"), this.#order.connectMsMax);
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

  #give(reason: string): void {
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
    const [state, commands] = step(this.#state, input);
    this.#state = state;
    for (const command of commands) {
      if (command.kind === "send") this.#write(command.bytes);
      else if (command.kind === "close") this.#hangUp();
      else this.#report(command.event);
    }
    this.#arm(input.nowMs);
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
    // Nothing it says is heard any more, and a peer that does not read its last words is not waited for.
    socket.removeAllListeners("data");
    socket.resume();
    if (socket.connecting) socket.destroy();
    else socket.destroySoon();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => socket.destroy(), LINGER_MS);
  }

  /** The timer may go off early, when what it was set for has been put off; never late. */
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

/** Read for every connection, so that a renewed certificate is taken up. */
function readPem(textOrPath: string): string {
  return textOrPath.includes("-----BEGIN") ? textOrPath : readFileSync(textOrPath, "utf8");
}

/** The code where there is one: a message may hold addresses of several attempts and be long. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "code" in error && typeof error.code === "string" ? error.code : error.message;
}
