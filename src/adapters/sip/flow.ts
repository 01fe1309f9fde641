// A path to a peer: one of our sockets and the peer's address. Everything is sent over a flow, so that answers leave
// where requests came in, and requests leave from our source addresses only.

export type Transport = "UDP" | "TCP" | "TLS";

/** Where a peer is, and how it is reached. */
export interface PeerPlace {
  readonly transport: Transport;
  /** IPv6 without brackets. */
  readonly address: string;
  readonly port: number;
  readonly family: 4 | 6;
}

/** Both ends of a flow. */
export interface FlowEnds extends PeerPlace {
  /** What we write into Via and Contact: the public address if there is one, `[…]` around IPv6. */
  readonly sentBy: string;
  /** The address that peers reach us at, for media. */
  readonly localAddress: string;
  readonly localPort: number;
  /** Which of our source addresses it leaves from. */
  readonly source: number;
}

export type OnFault = (fault: string | undefined) => void;

export interface Flow extends FlowEnds {
  readonly isReliable: boolean;
  /** False after the connection is gone. */
  isOpen(): boolean;
  /** Why the connection ended, or that it is not made yet, as a sentence. */
  fault?(): string | undefined;
  /** Why the peer is silent, as a sentence, where its host says so; only for UDP. */
  probe?(): Promise<string | undefined>;
  /** Of a connection: called once when it is gone. */
  onClosed?(run: () => void): void;
  /** Of a connection that a peer opened: it is a trunk's, whatever its address, and may be idle for longer. */
  welcome?(): void;
  /** The same socket to another port of the peer; only for UDP. */
  toPort?(port: number): Flow;
  /** `onFault` is called at most once, later, when the octets cannot be sent, with the reason as a sentence. */
  send(octets: Uint8Array, onFault?: OnFault): void;
}

export function peerText({ address, port }: Pick<PeerPlace, "address" | "port">): string {
  return address.includes(":") ? `[${address}]:${port}` : `${address}:${port}`;
}

/** A destination of a request, after names are resolved. */
export interface Hop extends PeerPlace {
  /** The name that was looked up, which the certificate of a TLS peer must bear. */
  readonly servername: string;
  /** The target that SRV named, or else the name that was looked up. */
  readonly server: string;
}
