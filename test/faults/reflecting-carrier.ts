// A carrier that sends our calls back to us: what we dial comes in as a new call of the same caller to the same number,
// without Diversion and with Max-Forwards reset. It counts, and stops by itself when a loop goes on for too long.

import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { headerOf, type SipMessage } from "../../src/wire/sip/message.ts";
import { parseNameAddr } from "../../src/wire/sip/name-addr.ts";
import { parseMessage } from "../../src/wire/sip/parse.ts";
import { writeResponse } from "../../src/wire/sip/write.ts";

interface Place {
  readonly address: string;
  readonly port: number;
}

/** A call that the carrier makes to us, and the INVITE of ours that it continues. */
interface Brought {
  readonly callId: string;
  readonly from: string;
  readonly at: Place;
  readonly branch: string;
  readonly uri: string;
  readonly of: { readonly message: SipMessage; readonly place: Place } | undefined;
  to: string;
  contact: string;
  isAnswered: boolean;
}

const BROUGHT_MAX = 100;
export const CALLER_SDP =
  "v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio 49170 RTP/AVP 0\r\n";

let serial = 0;

export class ReflectingCarrier {
  readonly #socket: Socket;
  readonly #servers: readonly Place[];
  /** Calls that we dial, by their Call-ID, and those that the carrier makes to us. */
  readonly #dialled = new Map<string, { readonly message: SipMessage; readonly place: Place }>();
  readonly #brought = new Map<string, Brought>();
  readonly #waiting: (() => void)[] = [];
  /** External numbers, which ring. */
  readonly ringing = new Set<string>();
  /** The number of calls made to us, and the statuses of our responses to their INVITEs. */
  count = 0;
  readonly answers: number[] = [];
  /** Number of INVITEs that ring. */
  rung = 0;
  /** Number of calls that we have hung up or refused. */
  ended = 0;

  /** Calls go to the servers round-robin. */
  static async open(port: number, servers: readonly Place[]): Promise<ReflectingCarrier> {
    const socket = createSocket("udp4");
    await once(socket.bind(port, "127.0.0.1"), "listening");
    return new ReflectingCarrier(socket, servers);
  }

  private constructor(socket: Socket, servers: readonly Place[]) {
    this.#socket = socket;
    this.#servers = servers;
    socket.on("message", (octets, { address, port }) => {
      const parsed = parseMessage(octets.toString("latin1"));
      if (!parsed.ok) return;
      if (parsed.message.kind === "request") this.#request(parsed.message, { address, port });
      else this.#response(parsed.message);
      for (const wake of this.#waiting.splice(0)) wake();
    });
  }

  close(): void {
    this.#socket.close();
  }

  async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** `from` as written in the header, with further lines. */
  call(number: string, { from, lines = "" }: { readonly from: string; readonly lines?: string }): void {
    this.#bring(number, from, lines, CALLER_SDP, undefined);
  }

  /** Refuses all ringing calls. */
  refuseRinging(): void {
    for (const { message, place } of this.#dialled.values()) this.#respond(message, place, 603);
  }

  #bring(number: string, from: string, lines: string, sdp: string, of: Brought["of"]): void {
    const at = this.#servers[this.count % this.#servers.length];
    if (!at) return;
    this.count++;
    const branch = `z9hG4bKcarrier${++serial}`;
    const uri = `sip:${number}@${at.address}:${at.port}`;
    const call = { callId: `carrier${serial}`, from: `${from};tag=c${serial}`, at, branch, uri, of, to: `<${uri}>` };
    this.#brought.set(call.callId, { ...call, contact: uri, isAnswered: false });
    this.#send("INVITE", { ...call, contact: uri, isAnswered: false }, branch, `1 INVITE\r\n${lines}`.trimEnd(), sdp);
  }

  #send(method: string, call: Brought, branch: string, cseq: string, body = ""): void {
    const { port } = this.#socket.address();
    const type = body === "" ? "" : "Content-Type: application/sdp\r\n";
    const text =
      `${method} ${method === "INVITE" ? call.uri : call.contact} SIP/2.0\r\n` +
      `Via: SIP/2.0/UDP 127.0.0.1:${port};branch=${branch}\r\nMax-Forwards: 70\r\n` +
      `From: ${call.from}\r\nTo: ${call.to}\r\nCall-ID: ${call.callId}\r\nCSeq: ${cseq}\r\n` +
      `Contact: <sip:carrier@127.0.0.1:${port}>\r\n${type}Content-Length: ${body.length}\r\n\r\n${body}`;
    this.#socket.send(Buffer.from(text, "latin1"), call.at.port, call.at.address);
  }

  #respond(message: SipMessage, { address, port }: Place, status: number, body = ""): void {
    const { port: own } = this.#socket.address();
    const lines = `Contact: <sip:carrier@127.0.0.1:${own}>\r\n`;
    const contentType = body === "" ? "" : "application/sdp";
    const draft = { status, toTag: "carrier", lines, contentType, body };
    this.#socket.send(Buffer.from(writeResponse(message, { address, port }, draft), "latin1"), port, address);
  }

  #request(message: SipMessage, place: Place): void {
    const { method, callId } = message;
    if (method === "ACK") return;
    if (method !== "INVITE") {
      this.#respond(message, place, 200);
      if (method === "BYE") this.#hungUp(callId);
      return;
    }
    if (this.#dialled.has(callId)) return;
    this.#dialled.set(callId, { message, place });
    this.#respond(message, place, 100);
    const number = /sip:([^@]*)@/.exec(message.uri)?.[1] ?? "";
    if (this.ringing.has(number)) {
      this.rung++;
      this.#respond(message, place, 180);
    } else if (this.count >= BROUGHT_MAX) this.#respond(message, place, 603);
    else {
      const from = headerOf(message, "from")?.replace(/;tag=.*/, "") ?? "";
      const privacy = headerOf(message, "privacy");
      const lines = privacy === undefined ? "" : `Privacy: ${privacy}\r\n`;
      this.#bring(number, from, lines, message.body, { message, place });
    }
  }

  #response(message: SipMessage): void {
    const call = this.#brought.get(message.callId);
    if (!call || message.method !== "INVITE" || message.status < 200) return;
    const isOk = message.status < 300;
    call.to = headerOf(message, "to") ?? call.to;
    if (isOk) call.contact = parseNameAddr(headerOf(message, "contact") ?? "")?.uri ?? call.contact;
    this.#send("ACK", isOk ? call : { ...call, contact: call.uri }, isOk ? `${call.branch}ack` : call.branch, "1 ACK");
    if (call.isAnswered) return;
    call.isAnswered = true;
    this.answers.push(message.status);
    if (!isOk) this.ended++;
    if (call.of) this.#respond(call.of.message, call.of.place, message.status, isOk ? message.body : "");
  }

  /** When we hang up a call, the one that it continues ends too. */
  #hungUp(callId: string): void {
    const call = this.#brought.get(callId);
    if (!call) return;
    this.ended++;
    if (!call.of) return;
    const { message, place } = call.of;
    const leg = { ...call, at: place, callId: message.callId, to: headerOf(message, "from") ?? "" };
    const contact = parseNameAddr(headerOf(message, "contact") ?? "")?.uri ?? message.uri;
    const from = `${headerOf(message, "to")};tag=carrier`;
    this.#send("BYE", { ...leg, from, contact }, `${call.branch}bye`, "1 BYE");
  }
}
