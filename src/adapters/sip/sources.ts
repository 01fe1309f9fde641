// Our source addresses with their sockets: SIP arrives and leaves only there.
//
// Guarantees: a source that cannot be bound, whose socket fails, or whose address is taken from this machine, does not
// stop the others; it is tried again until it works. Requests leave from the first source that works and has the peer's
// family.

import { createSocket } from "node:dgram";
import { isIP } from "node:net";
import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import type { Flow, Hop } from "./flow.ts";
import { Streams } from "./streams.ts";
import type { TrunkSettings } from "./trunk-settings.ts";
import { UdpSocket } from "./udp-socket.ts";

export interface SipSource {
  /** A local address; everything leaves from one of these. */
  readonly address: string;
  /** What peers see and reach behind a NAT. */
  readonly publicAddress?: string | undefined;
}

export interface SourcesOptions {
  readonly sources: readonly SipSource[];
  /** For UDP and TCP; 0: any free one, the same for both. */
  readonly port: number;
  /** Undefined: peers cannot call us over TLS. */
  readonly tls: { readonly port: number; readonly cert: string; readonly key: string } | undefined;
  /** When false, there are only the connections that we open. */
  readonly takesConnections: boolean;
  readonly clock: Clock;
  readonly log: Log;
  readonly isTrunk: (address: string) => boolean;
  readonly onMessage: (text: string, flow: Flow) => void;
  readonly mayLose: (() => boolean) | undefined;
  /** Whether this machine has the address. Default: asks the system. */
  readonly hasAddress?: ((address: string) => Promise<boolean>) | undefined;
  /** A source was lost, or works again. */
  readonly onChange?: ((source: number, isUp: boolean) => void) | undefined;
}

interface BoundSource {
  readonly udp: UdpSocket;
  readonly tcp: Streams;
  readonly tls: Streams;
}

/** How often addresses are looked for, and sources that are missing are bound again. */
const LOOK_MS = 2000;
/** How often another free port is tried when TCP cannot bind the one that UDP got. */
const PORT_TRIES = 20;

export class Sources {
  readonly #options: SourcesOptions;
  readonly #bound: (BoundSource | undefined)[];
  #isClosed = false;

  /** Throws when none of them can be bound. */
  static async bind(options: SourcesOptions): Promise<Sources> {
    const sources = new Sources(options);
    const faults: unknown[] = [];
    for (const source of options.sources.keys()) {
      await sources.#bindOne(source).catch((error: unknown) => faults.push(error));
    }
    if (faults.length === options.sources.length) throw faults[0];
    sources.#lookLater();
    return sources;
  }

  private constructor(options: SourcesOptions) {
    this.#options = options;
    this.#bound = options.sources.map(() => undefined);
  }

  /** The ports for UDP and TCP, one for each source; 0 when it is not bound. */
  get ports(): readonly number[] {
    return this.#bound.map((source) => source?.udp.port ?? 0);
  }

  get tlsPorts(): readonly number[] {
    return this.#bound.map((source) => source?.tls.port ?? 0);
  }

  /** Working sources for peers of the family, in order. */
  fitting(family: 4 | 6): readonly number[] {
    return [...this.#bound.keys()].filter((at) => {
      const udp = this.#bound[at]?.udp;
      return udp?.family === family && udp.isOpen;
    });
  }

  /** Where peers reach our sockets for UDP; undefined where a source is not bound. */
  get places(): readonly (string | undefined)[] {
    return this.#bound.map((source) => source?.udp.place);
  }

  /** From the wanted source, or else from the first that works. */
  flowTo(hop: Hop, wanted: number, tls: TrunkSettings["tls"]): Flow | undefined {
    const fitting = this.fitting(hop.family);
    const source = this.#bound[fitting.includes(wanted) ? wanted : (fitting[0] ?? -1)];
    if (!source) return undefined;
    try {
      if (hop.transport === "UDP") return source.udp.flowTo(hop.address, hop.port);
      return (hop.transport === "TCP" ? source.tcp : source.tls).flowTo(hop, tls);
    } catch (error) {
      this.#options.log.error({ err: error, host: hop.servername }, "a SIP connection could not be opened");
      return undefined;
    }
  }

  close(): void {
    this.#isClosed = true;
    for (const source of this.#bound) closeSource(source);
  }

  async #bindOne(source: number): Promise<void> {
    const settings = this.#options.sources[source];
    if (!settings) return;
    const bound = await this.#open(source, settings, PORT_TRIES);
    if (this.#isClosed) closeSource(bound);
    else this.#bound[source] = bound;
  }

  async #open(source: number, { address, publicAddress }: SipSource, tries: number): Promise<BoundSource> {
    const { port, tls, takesConnections, isTrunk, onMessage, mayLose } = this.#options;
    const family = isIP(address) as 4 | 6;
    const onFault = (error: Error) => this.#failed(source, address, error);
    const base = { address, publicAddress, source, onMessage, onFault };
    const udp = await UdpSocket.bind({ ...base, family, port, mayLose });
    try {
      const streams = { ...base, takesConnections, isTrunk };
      const tcp = await Streams.listen({ ...streams, transport: "TCP", port: udp.port, tls: undefined });
      const tlsPort = tls?.port ?? udp.port + 1;
      const secure = await Streams.listen({ ...streams, transport: "TLS", port: tlsPort, tls });
      return { udp, tcp, tls: secure };
    } catch (error) {
      udp.close();
      if (port !== 0 || tries === 0) throw error;
      return this.#open(source, { address, publicAddress }, tries - 1);
    }
  }

  #failed(source: number, address: string, error: Error): void {
    this.#options.log.error({ err: error, address }, "a SIP socket failed");
    this.#lose(source);
  }

  #lose(source: number): void {
    closeSource(this.#bound[source]);
    this.#bound[source] = undefined;
    this.#options.onChange?.(source, false);
  }

  #lookLater(): void {
    this.#options.clock.after(LOOK_MS, async () => {
      for (const source of this.#options.sources.keys()) if (!this.#isClosed) await this.#look(source);
      if (!this.#isClosed) this.#lookLater();
    });
  }

  async #look(source: number): Promise<void> {
    const { sources, hasAddress = isOurAddress, log, onChange } = this.#options;
    const { address } = sources[source] as SipSource;
    const isHere = await hasAddress(address);
    if (this.#isClosed) return;
    if (this.#bound[source] && !isHere) {
      log.error({ address }, "a source address is gone");
      this.#lose(source);
    } else if (!this.#bound[source] && isHere) {
      await this.#bindOne(source).catch(() => undefined);
      if (!this.#bound[source]) return;
      log.info({ address }, "a source address works again");
      onChange?.(source, true);
    }
  }
}

/** An address that was taken from an interface cannot be bound, but sockets that were bound to it report nothing. */
function isOurAddress(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket(isIP(address) === 6 ? "udp6" : "udp4");
    const done = (isOurs: boolean) => {
      socket.close();
      resolve(isOurs);
    };
    socket.once("error", (error: NodeJS.ErrnoException) => done(error.code !== "EADDRNOTAVAIL"));
    socket.bind({ address, port: 0, exclusive: true }, () => done(true));
  });
}

function closeSource(source: BoundSource | undefined): void {
  source?.udp.close();
  source?.tcp.close();
  source?.tls.close();
}
