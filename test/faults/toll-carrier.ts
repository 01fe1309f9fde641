// A carrier and a telephone as raw sockets: they count the INVITEs that reach them, by whatever path.

import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { createServer, isIP, type Server } from "node:net";
import { headerOf, type SipMessage } from "../../src/wire/sip/message.ts";
import { parseMessage } from "../../src/wire/sip/parse.ts";
import { writeResponse } from "../../src/wire/sip/write.ts";

export interface SipPlace {
  readonly address: string;
  readonly port: number;
}

/** The status of the response, with additional header lines. */
type Answer = (message: SipMessage) => { readonly status: number; readonly lines?: string };

export class CountingPeer {
  /** The Request-URIs of the INVITEs, each call counted once. */
  readonly invited: string[] = [];
  answer: Answer = () => ({ status: 603 });
  readonly #calls = new Set<string>();
  readonly #sockets: Socket[] = [];
  readonly #servers: Server[] = [];

  /** Listens at each address by UDP and TCP. */
  static async open(places: readonly SipPlace[]): Promise<CountingPeer> {
    const peer = new CountingPeer();
    for (const { address, port } of places) {
      const socket = createSocket(isIP(address) === 6 ? "udp6" : "udp4");
      socket.on("message", (octets, from) =>
        peer.#take(octets.toString("latin1"), from, (text) =>
          socket.send(Buffer.from(text, "latin1"), from.port, from.address),
        ),
      );
      await once(socket.bind(port, address), "listening");
      peer.#sockets.push(socket);
      const server = createServer((connection) => {
        const from = { address: connection.remoteAddress ?? "", port: connection.remotePort ?? 0 };
        connection.on("error", () => {});
        let unread = "";
        connection.on("data", (octets) => {
          unread += octets.toString("latin1");
          for (let end = endOf(unread); end > 0; end = endOf(unread)) {
            peer.#take(unread.slice(0, end), from, (text) => connection.write(text, "latin1"));
            unread = unread.slice(end);
          }
        });
      });
      await once(server.listen(port, address), "listening");
      peer.#servers.push(server);
    }
    return peer;
  }

  #take(text: string, from: SipPlace, reply: (text: string) => void): void {
    const parsed = parseMessage(text);
    if (!parsed.ok || parsed.message.kind !== "request" || parsed.message.method === "ACK") return;
    const { message } = parsed;
    const isInvite = message.method === "INVITE";
    const call = headerOf(message, "call-id") ?? "";
    if (isInvite && !this.#calls.has(call)) this.invited.push(message.uri);
    this.#calls.add(call);
    const { status, lines = "" } = isInvite ? this.answer(message) : { status: 200 };
    reply(writeResponse(message, from, { status, toTag: "peer", lines, contentType: "", body: "" }));
  }

  close(): void {
    for (const socket of this.#sockets) socket.close();
    for (const server of this.#servers) server.close();
  }
}

/** RFC 3261 18.3: where the first message of a stream ends; 0 while it is incomplete. */
function endOf(stream: string): number {
  const body = stream.indexOf("\r\n\r\n") + 4;
  const length = Number(/^content-length: *(\d+)/im.exec(stream.slice(0, body))?.[1] ?? 0);
  return body >= 4 && stream.length >= body + length ? body + length : 0;
}
