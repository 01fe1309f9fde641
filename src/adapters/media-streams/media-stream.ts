// One stream of a call: opens its socket through the address guard, and passes on what is said over it.
//
// Guarantees: `ended` is called once, never before the constructor has returned; nothing is sent to an address that the
// guard does not allow, and without TLS only to one that the operator has named. A program that answers no ping for a
// minute has lost the stream. What arrives is bounded: messages by their size, and beyond a rate that no speech needs
// the socket rests until the next beat. So is what waits to be sent: marks are echoed also to a program that does not
// read, and pongs can be sent without reading the pings.

import type { Duplex } from "node:stream";
import type { SecureContext } from "node:tls";
import { type ClientOptions, WebSocket } from "ws";
import { isInNetwork, type Network, parseAddress } from "../../base/cidr.ts";
import type { Clock } from "../../base/clock.ts";
import type { Result } from "../../base/result.ts";
import type { OpenStream, StreamOpening, StreamSummary } from "../../domain/voice/index.ts";
import { type AddressGuard, ALLOWED_NETWORKS_SETTING } from "../guard/address-guard.ts";
import { ConnectFault } from "../guard/connect-fault.ts";
import { openSocket } from "../guard/open-socket.ts";
import { type SessionFigures, StreamSession } from "./stream-session.ts";

export interface MediaStreamDeps {
  readonly guard: AddressGuard;
  readonly secureContext: SecureContext;
  /** Where streams need no TLS. */
  readonly privateNetworks: readonly Network[];
  /** The headers that prove to the program whose stream it is, or why there are none. */
  readonly sign: (
    stream: Pick<StreamOpening, "accountSid" | "shape"> & { readonly url: string },
  ) => Promise<Result<Readonly<Record<string, string>>, string>>;
  readonly clock: Clock;
}

const OPEN_MS_MAX = 10_000;
/** Time allowed for the other side to confirm a close. */
const CLOSE_MS = 2_000;
/** Two minutes of sound in one message, and more. */
const MESSAGE_OCTETS_MAX = 2 * 1024 * 1024;
const BEAT_MS = 1_000;
const UNANSWERED_MAX = 60;
/** Between two beats. */
const READ_OCTETS_MAX = 8 * 1024 * 1024;
const READ_MESSAGES_MAX = 5_000;
/** What may wait to be sent. A `clear` echoes a thousand marks at once, each with three octets a character at most. */
const UNSENT_OCTETS_MAX = 4 * 1024 * 1024;
/** RFC 6455 7.4.1. */
const NORMAL = 1000;
const IN_GOOD_ORDER = new Set([1000, 1001, 1005]);

const NOTHING: SessionFigures = { packetsSent: 0, packetsReceived: 0 };

export class MediaStream implements OpenStream {
  readonly #deps: MediaStreamDeps;
  readonly #opening: StreamOpening;
  readonly #streamSid: string;
  readonly #aborting = new AbortController();
  #socket: WebSocket | undefined;
  #session: StreamSession | undefined;
  #stopBeat: (() => void) | undefined;
  #readOctets = 0;
  #readMessages = 0;
  #isOver = false;

  constructor(deps: MediaStreamDeps, opening: StreamOpening, streamSid: string) {
    this.#deps = deps;
    this.#opening = opening;
    this.#streamSid = streamSid;
    this.#open().catch((fault: unknown) => this.#end(fault instanceof Error ? fault.message : String(fault)));
  }

  press(digit: string): void {
    this.#session?.press(digit);
  }

  stop(): void {
    if (this.#isOver) return;
    this.#session?.stop();
    this.#socket?.close(NORMAL);
    this.#end();
  }

  async #open(): Promise<void> {
    const { clock, sign } = this.#deps;
    const { accountSid, shape, order } = this.#opening;
    const begunMs = clock.now().getTime();
    const cancel = clock.after(OPEN_MS_MAX, () => this.#aborting.abort());
    try {
      const signed = await sign({ accountSid, shape, url: order.url });
      if (!signed.ok) throw new Error(signed.refusal);
      const connection = await this.#connect();
      await this.#shakeHands(connection, signed.value);
      this.#opening.opened({ streamSid: this.#streamSid, ms: clock.now().getTime() - begunMs });
    } finally {
      cancel();
    }
  }

  #connect(): Promise<Duplex> {
    const { guard, secureContext, privateNetworks } = this.#deps;
    const url = new URL(this.#opening.order.url);
    const secure = url.protocol === "wss:";
    const hostname = url.hostname.replace(/^\[|\]$/g, "");
    const port = url.port === "" ? (secure ? 443 : 80) : Number(url.port);
    const deps = { guard: secure ? guard : within(guard, privateNetworks), secureContext };
    return openSocket(deps, { secure, hostname, port }, this.#aborting.signal);
  }

  #shakeHands(connection: Duplex, headers: Readonly<Record<string, string>>): Promise<void> {
    const options: ClientOptions & { readonly closeTimeout: number } = {
      headers,
      perMessageDeflate: false,
      maxPayload: MESSAGE_OCTETS_MAX,
      closeTimeout: CLOSE_MS,
      followRedirects: false,
      createConnection: () => connection as never,
    };
    const socket = new WebSocket(this.#opening.order.url, options);
    return new Promise((resolve, reject) => {
      const abort = () => {
        socket.terminate();
        reject(new Error("The WebSocket was not opened in time."));
      };
      this.#aborting.signal.addEventListener("abort", abort, { once: true });
      if (this.#aborting.signal.aborted) abort();
      socket.on("error", (error) => reject(new Error(`The WebSocket was not opened: ${error.message}.`)));
      // At once, because the program's first messages may have come with its answer.
      socket.once("open", () => {
        this.#begin(socket);
        resolve();
      });
    });
  }

  #begin(socket: WebSocket): void {
    const { accountSid, callSid, order, isTwoWay, media } = this.#opening;
    this.#socket = socket;
    const session = new StreamSession({
      names: { streamSid: this.#streamSid, accountSid, callSid },
      order,
      isTwoWay,
      audio: (ear) => (isTwoWay ? media.stream(ear) : media.tap(ear)),
      // As octets both kinds are written to the socket in one piece, a text in two.
      send: (message) => {
        const binary = typeof message !== "string";
        socket.send(binary ? message : Buffer.from(message), { binary });
      },
    });
    this.#session = session;
    socket.on("message", (data, isBinary) => this.#read(socket, session, data as Buffer, isBinary));
    socket.on("pong", (data) => session.window.answered(Number(data.toString())));
    let refused: string | undefined;
    socket.on("error", ({ message }) => {
      refused = `What the program sent was refused: ${message}.`;
    });
    socket.once("close", (code, reason) => {
      const fault = IN_GOOD_ORDER.has(code) ? undefined : `The program closed the socket with ${code} ${reason}.`;
      this.#end(refused ?? (code === 1006 ? "The connection was lost." : fault));
    });
    this.#beat(socket, session);
  }

  #read(socket: WebSocket, session: StreamSession, data: Buffer, isBinary: boolean): void {
    if (this.#isOver) return;
    session.take(data, isBinary);
    if (this.#isUnread(socket)) return;
    this.#readOctets += data.length;
    this.#readMessages++;
    if (this.#readOctets > READ_OCTETS_MAX || this.#readMessages > READ_MESSAGES_MAX) socket.pause();
  }

  #beat(socket: WebSocket, session: StreamSession): void {
    this.#readOctets = 0;
    this.#readMessages = 0;
    socket.resume();
    if (this.#isUnread(socket)) return;
    if (session.window.unanswered >= UNANSWERED_MAX) {
      this.#cut(socket, `The program has read nothing for ${(UNANSWERED_MAX * BEAT_MS) / 1000} seconds.`);
      return;
    }
    socket.ping(String(session.window.ping()));
    this.#stopBeat = this.#deps.clock.after(BEAT_MS, () => this.#beat(socket, session));
  }

  /** Then the stream is over. */
  #isUnread(socket: WebSocket): boolean {
    if (socket.bufferedAmount <= UNSENT_OCTETS_MAX) return false;
    this.#cut(socket, `The program has left more than ${UNSENT_OCTETS_MAX / 1024 / 1024} MiB unread.`);
    return true;
  }

  #cut(socket: WebSocket, fault: string): void {
    socket.terminate();
    this.#end(fault);
  }

  #end(fault?: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#aborting.abort();
    this.#stopBeat?.();
    this.#session?.close();
    this.#opening.ended(this.#summary(fault));
  }

  #summary(fault: string | undefined): StreamSummary {
    const { url, name } = this.#opening.order;
    const { figures } = this.#session ?? { figures: NOTHING };
    return {
      streamSid: this.#streamSid,
      url,
      ...(name !== "" && { name }),
      ...figures,
      ...(fault !== undefined && { fault }),
    };
  }
}

/** The guard for what needs no TLS. */
function within(guard: AddressGuard, networks: readonly Network[]): AddressGuard {
  const isPrivate = (text: string) => {
    const address = parseAddress(text);
    return address !== undefined && networks.some((network) => isInNetwork(network, address));
  };
  return {
    ...guard,
    mayConnect: (address, family, port) => isPrivate(address) && guard.mayConnect(address, family, port),
    async addressesOf(hostname, port, signal) {
      const addresses = await guard.addressesOf(hostname, port, signal);
      const allowed = addresses.filter(({ address }) => isPrivate(address));
      if (allowed.length > 0) return allowed;
      const reason = `ws: is for networks of ${ALLOWED_NETWORKS_SETTING} alone, and ${hostname} is in none of them: use wss:.`;
      throw new ConnectFault("refused-address", reason);
    },
  };
}
