// The SMTP server for the mail of the peer's MMS centre.
//
// Guarantees: serves only the allowed networks and takes only mail to our own host, so nothing is relayed; size,
// recipients, connections from one address and the octets held at the same time are bounded; a mail is answered 250
// only after `take` has resolved. A peer keeps mail that was not answered 250, so a connection may be cut at any
// moment: `peer-sockets.ts` decides when, and `close` cuts peers that do not hang up.

import type { AddressInfo } from "node:net";
import { SMTPServer, type SMTPServerDataStream, type SMTPServerOptions, type SMTPServerSession } from "smtp-server";
import { isInNetwork, parseAddress, parseNetwork } from "../../base/cidr.ts";
import type { Log } from "../../base/log.ts";
import { Unavailable } from "../../base/unavailable.ts";
import { hostOf } from "../../wire/mm4/addresses.ts";
import { readPem } from "../pem.ts";
import type { Mm4Settings } from "./mm4-settings.ts";
import { endpointOf, PeerSockets, type SocketTimes } from "./peer-sockets.ts";

export interface ReceivedMail {
  /** The addresses of RCPT, all of them at our host. */
  readonly recipients: readonly string[];
  readonly bytes: Uint8Array;
}

export interface ListenerDeps {
  readonly log: Log;
  /** Throws a `MailRefusal` for mail that will never be accepted; any other error makes the peer try again. */
  readonly take: (mail: ReceivedMail) => Promise<void>;
  readonly times: ListenerTimes;
}

export interface ListenerTimes extends SocketTimes {
  /** How long `take` may last; shorter than peers wait for an answer. */
  readonly takeMsMax: number;
}

/** An error that is sent to the peer with this SMTP status. */
export class MailRefusal extends Error {
  override readonly name = "MailRefusal";
  readonly responseCode: number;

  constructor(responseCode: number, text: string) {
    super(text);
    this.responseCode = responseCode;
  }
}

const CONNECTIONS_MAX = 100;
const RECIPIENTS_MAX = 100;
const HELD_OCTETS_MAX = 64_000_000;
const SILENCE_MS_MAX = 60_000;
/** RFC 5321 4.2.3 and RFC 3463. */
const REFUSALS = {
  notAllowed: [554, "5.7.1 Your address is not allowed to connect"],
  tooMany: [421, "4.7.0 Too many connections from your address"],
  relay: [550, "5.7.1 Mail for others is not relayed"],
  tooManyRecipients: [452, "4.5.3 Too many recipients"],
  tooBig: [552, "5.3.4 The message is too big"],
  noRoom: [452, "4.3.1 Insufficient capacity, try again later"],
  later: [451, "4.3.0 Not accepted now, try again later"],
  closing: [421, "4.3.2 Closing"],
} as const satisfies Record<string, readonly [number, string]>;

const NOBODY: ReadonlySet<string> = new Set();

function refusalFor(why: keyof typeof REFUSALS): MailRefusal {
  const [status, text] = REFUSALS[why];
  return new MailRefusal(status, text);
}

export class Mm4Listener {
  readonly #settings: Mm4Settings;
  readonly #deps: ListenerDeps;
  readonly #networks;
  readonly #server: SMTPServer;
  /** Number of connections by the peer's address. */
  readonly #connections = new Map<string, number>();
  /** Session id → the address it was counted for. */
  readonly #counted = new Map<string, string>();
  /** Session id → called when its connection ends in the middle of a mail. */
  readonly #onClose = new Map<string, () => void>();
  readonly #taking = new Set<Promise<void>>();
  readonly #sockets: PeerSockets;
  /** The peers whose mail is being stored. */
  readonly #storing = new Set<string>();
  #heldOctets = 0;
  #closing: Promise<void> | undefined;

  static async listen(settings: Mm4Settings, deps: ListenerDeps): Promise<Mm4Listener> {
    const listener = new Mm4Listener(settings, deps);
    const { host, port } = settings.listen;
    await new Promise<void>((resolve, reject) => {
      listener.#server.once("error", reject);
      listener.#server.listen(port, host, () => {
        listener.#server.off("error", reject);
        resolve();
      });
    });
    return listener;
  }

  private constructor(settings: Mm4Settings, deps: ListenerDeps) {
    this.#settings = settings;
    this.#deps = deps;
    this.#networks = settings.listen.allowedNetworks.flatMap((text) => parseNetwork(text) ?? []);
    this.#sockets = new PeerSockets(deps.times);
    this.#server = new SMTPServer(this.#options());
    this.#server.server.on("connection", (socket) => this.#sockets.add(socket));
    this.#server.on("error", (error) =>
      deps.log.debug({ link: settings.name, error: error.message }, "connection of the MMS peer failed"),
    );
  }

  get port(): number {
    return (this.#server.server.address() as AddressInfo).port;
  }

  /**
   * Takes no more mail, waits for mail being taken, closes the connections. A peer has `hangUpMsMax` to finish the mail
   * it is sending, and as long again to hang up; a mail that has arrived is stored, however long its peer took.
   */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const { hangUpMsMax } = this.#deps.times;
    const closed = new Promise<void>((resolve) => this.#server.server.close(() => resolve()));
    const cutSenders = setTimeout(() => this.#sockets.cutAllBut(this.#storing), hangUpMsMax);
    // A peer that sent MAIL before may still send DATA.
    while (this.#taking.size > 0) await Promise.allSettled(this.#taking);
    clearTimeout(cutSenders);
    for (const connection of this.#server.connections) connection.close();
    const cutRest = setTimeout(() => this.#sockets.cutAllBut(NOBODY), hangUpMsMax);
    await closed;
    clearTimeout(cutRest);
  }

  #options(): SMTPServerOptions {
    const { sizeMax, tls } = this.#settings.listen;
    return {
      name: this.#settings.ourHost,
      banner: "MM4",
      size: sizeMax,
      maxClients: CONNECTIONS_MAX,
      socketTimeout: SILENCE_MS_MAX,
      disableReverseLookup: true,
      // With Nagle's algorithm the small answers to pipelined commands would wait for one another, 40 ms a message.
      noDelay: true,
      logger: false,
      authOptional: true,
      disabledCommands: tls ? ["AUTH"] : ["AUTH", "STARTTLS"],
      ...(tls && { cert: readPem(tls.cert), key: readPem(tls.key) }),
      onConnect: (session, callback) => callback(this.#whyNotConnect(session)),
      onSecure: (socket, _, callback) => {
        this.#sockets.watch(socket);
        callback();
      },
      onMailFrom: (_, __, callback) => callback(this.#closing ? refusalFor("closing") : null),
      onRcptTo: ({ address }, session, callback) => callback(this.#whyNotRecipient(address, session)),
      onData: (stream, session, callback) => {
        const taking = this.#receive(stream, session)
          .then(
            () => callback(null, "2.0.0 Accepted"),
            (error: unknown) => callback(this.#answerTo(error)),
          )
          .catch((error: unknown) =>
            this.#deps.log.error({ link: this.#settings.name, error }, "MMS peer not answered"),
          )
          .finally(() => this.#taking.delete(taking));
        this.#taking.add(taking);
      },
      onClose: (session) => this.#ended(session),
    };
  }

  #whyNotConnect({ id, remoteAddress }: SMTPServerSession): Error | null {
    if (this.#closing) return refusalFor("closing");
    const address = parseAddress(remoteAddress.replace(/^::ffff:(?=\d+\.)/i, ""));
    if (!address || !this.#networks.some((network) => isInNetwork(network, address))) {
      this.#deps.log.warn(
        { link: this.#settings.name, remoteAddress },
        "MM4 connection from an unknown network refused",
      );
      return refusalFor("notAllowed");
    }
    const count = this.#connections.get(remoteAddress) ?? 0;
    if (count >= this.#settings.listen.connectionsMax) return refusalFor("tooMany");
    this.#connections.set(remoteAddress, count + 1);
    this.#counted.set(id, remoteAddress);
    return null;
  }

  #ended({ id }: SMTPServerSession): void {
    this.#sockets.forgetEnded();
    this.#onClose.get(id)?.();
    const address = this.#counted.get(id);
    if (address === undefined) return;
    this.#counted.delete(id);
    const count = (this.#connections.get(address) ?? 1) - 1;
    if (count > 0) this.#connections.set(address, count);
    else this.#connections.delete(address);
  }

  #whyNotRecipient(address: string, { envelope }: SMTPServerSession): Error | null {
    if (hostOf(address) !== this.#settings.ourHost.toLowerCase()) return refusalFor("relay");
    return envelope.rcptTo.length >= RECIPIENTS_MAX ? refusalFor("tooManyRecipients") : null;
  }

  async #receive(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<void> {
    const recipients = session.envelope.rcptTo.map(({ address }) => address);
    const peer = endpointOf(session);
    let held = 0;
    try {
      const bytes = await this.#gather(stream, session.id, (octets) => {
        held += octets;
        this.#heldOctets += octets;
      });
      this.#sockets.extend(peer);
      this.#storing.add(peer);
      await within(this.#deps.times.takeMsMax, this.#deps.take({ recipients, bytes }));
    } finally {
      this.#storing.delete(peer);
      this.#heldOctets -= held;
    }
  }

  /** Reads all of the mail; a refused one too, because the peer reads an answer only after the end of its mail. */
  #gather(stream: SMTPServerDataStream, id: string, hold: (octets: number) => void): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      const chunks: Uint8Array[] = [];
      let refusal: MailRefusal | undefined;
      const settle = (outcome: () => void) => {
        this.#onClose.delete(id);
        outcome();
      };
      this.#onClose.set(id, () => settle(() => reject(new Unavailable("the connection was lost"))));
      stream.on("data", (chunk: Buffer) => {
        if (stream.sizeExceeded) refusal ??= refusalFor("tooBig");
        else if (this.#heldOctets + chunk.length > HELD_OCTETS_MAX) refusal ??= refusalFor("noRoom");
        if (refusal) {
          for (const dropped of chunks.splice(0)) hold(-dropped.length);
          return;
        }
        hold(chunk.length);
        chunks.push(chunk);
      });
      stream.once("error", (error) => settle(() => reject(error)));
      stream.once("end", () =>
        settle(() => {
          if (stream.sizeExceeded) refusal ??= refusalFor("tooBig");
          if (refusal) reject(refusal);
          else resolve(Buffer.concat(chunks));
        }),
      );
    });
  }

  #answerTo(error: unknown): Error {
    if (error instanceof MailRefusal) {
      this.#deps.log.warn({ link: this.#settings.name, reason: error.message }, "mail of the MMS peer refused");
      return error;
    }
    if (!(error instanceof Unavailable)) {
      this.#deps.log.error({ link: this.#settings.name, error }, "mail of the MMS peer could not be processed");
    }
    return refusalFor("later");
  }
}

async function within(msMax: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not taken within ${msMax} ms`)), msMax);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
