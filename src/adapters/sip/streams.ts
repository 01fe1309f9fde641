// All TCP and TLS connections of one source address: those that peers opened and those that we opened, each used for
// both directions.
//
// Guarantees: connections leave from the source address; TLS peers show a certificate for the name that was called,
// unless the trunk's settings allow otherwise; senders that are not trunks hold few connections for a short time.

import { once } from "node:events";
import { connect, createServer, isIP, type Server, type Socket } from "node:net";
import { connect as connectTls, createServer as createTlsServer, type TlsOptions } from "node:tls";
import { hostText } from "../../../rules/sip-uri.ts";
import { readPem } from "../pem.ts";
import type { Flow, Hop } from "./flow.ts";
import { StreamConnection } from "./stream-connection.ts";
import type { TrunkSettings } from "./trunk-settings.ts";

export interface StreamsOptions {
  readonly transport: "TCP" | "TLS";
  readonly address: string;
  readonly publicAddress: string | undefined;
  readonly source: number;
  readonly port: number;
  /** Our certificate; without one, TLS only connects out. */
  readonly tls: { readonly cert: string; readonly key: string } | undefined;
  /** Whether peers may connect to us. */
  readonly takesConnections: boolean;
  readonly isTrunk: (address: string) => boolean;
  readonly onMessage: (text: string, flow: Flow) => void;
  readonly onFault: (error: Error) => void;
}

const IDLE_MS = 600_000;
const UNKNOWN_IDLE_MS = 35_000;
const UNKNOWN_MAX = 200;
const CONNECTIONS_MAX = 10_000;

export class Streams {
  readonly #options: StreamsOptions;
  readonly #connections = new Map<string, StreamConnection>();
  #server: Server | undefined;
  #unknownSenders = 0;
  #port: number;

  static async listen(options: StreamsOptions): Promise<Streams> {
    const streams = new Streams(options);
    await streams.#listen();
    return streams;
  }

  private constructor(options: StreamsOptions) {
    this.#options = options;
    this.#port = options.port;
  }

  get port(): number {
    return this.#port;
  }

  /** An open connection, or a new one. */
  flowTo({ address, port, servername }: Hop, tls: TrunkSettings["tls"]): Flow {
    const key = `${address} ${port} ${this.#options.transport === "TLS" ? servername : ""}`;
    const known = this.#connections.get(key);
    if (known?.flow.isOpen()) return known.flow;
    const target = { host: address, port, localAddress: this.#options.address };
    const socket =
      this.#options.transport === "TCP" ? connect(target) : connectTls({ ...target, ...tlsOf(servername, tls) });
    const name = this.#options.transport === "TLS" ? (tls?.servername ?? servername) : undefined;
    return this.#keep(key, socket, { address, port, name }, IDLE_MS).flow;
  }

  close(): void {
    this.#server?.close();
    for (const connection of [...this.#connections.values()]) connection.close();
  }

  async #listen(): Promise<void> {
    const { transport, tls, takesConnections, address, port, onFault } = this.#options;
    if (!takesConnections || (transport === "TLS" && !tls)) return;
    const accept = (socket: Socket) => this.#accept(socket);
    const server = tls ? createTlsServer(serverTls(tls), accept) : createServer(accept);
    this.#server = server;
    server.maxConnections = CONNECTIONS_MAX;
    const listening = once(server, "listening");
    server.listen({ host: address, port });
    await listening;
    server.on("error", onFault);
    const bound = server.address();
    if (typeof bound === "object" && bound) this.#port = bound.port;
  }

  #accept(socket: Socket): void {
    const { remoteAddress, remotePort } = socket;
    if (remoteAddress === undefined || remotePort === undefined) {
      socket.destroy();
      return;
    }
    const isTrunk = this.#options.isTrunk(remoteAddress);
    if (!isTrunk && this.#unknownSenders >= UNKNOWN_MAX) {
      socket.destroy();
      return;
    }
    let isUnknown = !isTrunk;
    if (isUnknown) this.#unknownSenders++;
    const know = () => {
      if (isUnknown) this.#unknownSenders--;
      isUnknown = false;
    };
    socket.once("close", know);
    const peer = {
      address: remoteAddress,
      port: remotePort,
      onWelcome() {
        know();
        socket.setTimeout(IDLE_MS);
      },
    };
    this.#keep(`${remoteAddress} ${remotePort} `, socket, peer, isTrunk ? IDLE_MS : UNKNOWN_IDLE_MS);
  }

  #keep(key: string, socket: Socket, { address, port, name, onWelcome }: Peer, idleMs: number): StreamConnection {
    const { transport, publicAddress, source, onMessage } = this.#options;
    const localAddress = publicAddress ?? this.#options.address;
    const connection: StreamConnection = new StreamConnection(socket, {
      ends: {
        transport,
        address,
        port,
        family: isIP(address) as 4 | 6,
        sentBy: `${hostText(localAddress)}:${this.#port}`,
        localAddress,
        localPort: this.#port,
        source,
      },
      name,
      idleMs,
      onMessage,
      ...(onWelcome && { onWelcome }),
      onClose: () => {
        if (this.#connections.get(key) === connection) this.#connections.delete(key);
      },
    });
    this.#connections.set(key, connection);
    return connection;
  }
}

interface Peer {
  readonly address: string;
  readonly port: number;
  /** Whose certificate is wanted. */
  readonly name?: string | undefined;
  readonly onWelcome?: () => void;
}

function serverTls({ cert, key }: { readonly cert: string; readonly key: string }): TlsOptions {
  return { cert: readPem(cert), key: readPem(key), minVersion: "TLSv1.2" };
}

function tlsOf(name: string, tls: TrunkSettings["tls"]) {
  const servername = tls?.servername ?? name;
  return {
    minVersion: "TLSv1.2" as const,
    rejectUnauthorized: tls?.rejectUnauthorized ?? true,
    // RFC 6066 3: an address is not a server name; the certificate is then compared with the host.
    ...(isIP(servername) === 0 && { servername }),
    ...(tls?.ca !== undefined && { ca: readPem(tls.ca) }),
    ...(tls?.cert !== undefined && { cert: readPem(tls.cert) }),
    ...(tls?.key !== undefined && { key: readPem(tls.key) }),
  };
}
