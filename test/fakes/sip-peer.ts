// A scripted SIP peer on a UDP port: it sends no response by itself.

import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import type { SipMessage } from "../../src/wire/sip/message.ts";
import { parseMessage } from "../../src/wire/sip/parse.ts";
import { writeResponse } from "../../src/wire/sip/write.ts";

export interface Received {
  readonly message: SipMessage;
  /** Address of the sender. */
  readonly address: string;
  readonly port: number;
}

let branches = 0;

export class SipPeer {
  readonly #socket: Socket;
  readonly #received: Received[] = [];
  readonly #waiting: (() => void)[] = [];

  /** A forgiving peer ignores what it cannot parse, such as a response that repeats garbled headers. */
  static async open({ isForgiving = false } = {}): Promise<SipPeer> {
    const socket = createSocket("udp4");
    await once(socket.bind(0, "127.0.0.1"), "listening");
    return new SipPeer(socket, isForgiving);
  }

  private constructor(socket: Socket, isForgiving: boolean) {
    this.#socket = socket;
    socket.on("message", (octets, { address, port }) => {
      // RFC 5626 4.4.1: a keep-alive.
      if (octets.toString("latin1") === "\r\n\r\n") return;
      const parsed = parseMessage(octets.toString("latin1"));
      if (!parsed.ok && isForgiving) return;
      if (!parsed.ok) throw new Error(parsed.refusal.reason);
      this.#received.push({ message: parsed.message, address, port });
      for (const wake of this.#waiting.splice(0)) wake();
    });
  }

  get port(): number {
    return this.#socket.address().port;
  }

  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  /** The next message of the method, or response of the status; what arrives before it is discarded. */
  async next(wanted: string | number): Promise<Received> {
    for (;;) {
      const received = this.#received.shift();
      if (!received) {
        await new Promise<void>((resolve) => this.#waiting.push(resolve));
        continue;
      }
      const { message } = received;
      if (
        typeof wanted === "number" ? message.status === wanted : message.kind === "request" && message.method === wanted
      ) {
        return received;
      }
    }
  }

  /** Messages that have arrived and were not taken. */
  get left(): readonly SipMessage[] {
    return this.#received.map(({ message }) => message);
  }

  /** The same, and removes them. */
  take(): readonly SipMessage[] {
    return this.#received.splice(0).map(({ message }) => message);
  }

  send(text: string, port: number, address = "127.0.0.2"): void {
    this.#socket.send(Buffer.from(text, "latin1"), port, address);
  }

  respond({ message, address, port }: Received, status: number, lines = "", body = "", tag = "peer"): void {
    const contentType = body === "" ? "" : "application/sdp";
    this.send(
      writeResponse(message, { address, port }, { status, toTag: tag, lines, contentType, body }),
      port,
      address,
    );
  }

  /** A request outside a dialog, or inside one with `changes`. */
  request(method: string, changes: Readonly<Record<string, string>> = {}, body = ""): string {
    const fields: Record<string, string> = {
      Via: `SIP/2.0/UDP ${this.address};branch=z9hG4bKpeer${++branches}`,
      "Max-Forwards": "70",
      From: `<sip:+14155550111@127.0.0.1>;tag=peer${branches}`,
      To: "<sip:+14155550100@127.0.0.2>",
      "Call-ID": `call${branches}@127.0.0.1`,
      CSeq: `1 ${method}`,
      Contact: `<sip:peer@${this.address}>`,
      ...(body !== "" && { "Content-Type": "application/sdp" }),
      ...changes,
    };
    const { uri = "sip:+14155550100@127.0.0.2", ...others } = fields;
    const lines = Object.entries(others).map(([name, value]) => `${name}: ${value}\r\n`);
    return `${method} ${uri} SIP/2.0\r\n${lines.join("")}Content-Length: ${body.length}\r\n\r\n${body}`;
  }

  close(): void {
    this.#socket.close();
  }
}
