// Opens connections only to addresses that the guard allows.
//
// The name is resolved once, and the connection goes to exactly the addresses that were checked, which defeats DNS
// rebinding. When TCP is connected, the peer's address is checked again, before TLS or HTTP write a byte; therefore TLS
// starts on a connected socket.

import { connect as connectTcp, type LookupFunction, type Socket } from "node:net";
import { connect as connectTls, type SecureContext, type TLSSocket } from "node:tls";
import { parseAddress } from "../../base/cidr.ts";
import { certificateFault } from "../certificate-fault.ts";
import type { AddressGuard } from "./address-guard.ts";
import { ConnectFault } from "./connect-fault.ts";

export interface DialOptions {
  readonly host: string;
  readonly port: number;
  readonly lookup: LookupFunction;
}

export interface OpenSocketDeps {
  readonly guard: AddressGuard;
  /** Holds the trusted certificate authorities; created once, because that is slow. */
  readonly secureContext: SecureContext;
  /** Starts a TCP connection; tests replace the default, `node:net`. */
  readonly dial?: ((options: DialOptions) => Socket) | undefined;
  /** Called when the name is resolved. */
  readonly onResolved?: (() => void) | undefined;
}

export interface Target {
  readonly secure: boolean;
  /** A name, or an address without brackets. */
  readonly hostname: string;
  readonly port: number;
}

export async function openSocket(
  deps: OpenSocketDeps,
  target: Target,
  signal: AbortSignal,
): Promise<Socket | TLSSocket> {
  const { hostname, port } = target;
  const addresses = await deps.guard.addressesOf(hostname, port, signal);
  throwIfAborted(signal, "dns");
  deps.onResolved?.();
  const lookup: LookupFunction = (_, { all }, callback) => {
    const [first] = addresses;
    if (all || !first) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  };
  const socket = (deps.dial ?? dialTcp)({ host: hostname, port, lookup });
  // Without a listener, a late error of the socket would end the process.
  socket.on("error", () => {});
  await eventOf(socket, "connect", signal, "connect");
  if (socket.remoteAddress === undefined) {
    socket.destroy();
    // The peer's address cannot be checked any more, so the connection is not used. The peer reset it, not the guard.
    throw new ConnectFault("reset", "The connection was reset as soon as it was made.");
  }
  const peer = parseAddress(socket.remoteAddress);
  if (!peer || !deps.guard.mayConnect(socket.remoteAddress, peer.family, port)) {
    socket.destroy();
    throw new ConnectFault("refused-address", `The connection to ${hostname} ended at an address that is not allowed.`);
  }
  if (!target.secure) return socket;
  return startTls(socket, deps, hostname, signal);
}

function dialTcp({ host, port, lookup }: DialOptions): Socket {
  return connectTcp({ host, port, lookup, autoSelectFamily: true, noDelay: true });
}

async function startTls(
  socket: Socket,
  deps: OpenSocketDeps,
  hostname: string,
  signal: AbortSignal,
): Promise<TLSSocket> {
  const name = hostname.replace(/\.$/, "");
  const secured = connectTls({
    socket,
    host: name,
    // RFC 6066 3: a literal address is not a server name.
    ...(parseAddress(name) ? {} : { servername: name }),
    ALPNProtocols: ["http/1.1"],
    secureContext: deps.secureContext,
    rejectUnauthorized: true,
  });
  secured.on("error", () => {});
  await eventOf(secured, "secureConnect", signal, "tls");
  return secured;
}

function eventOf(
  socket: Socket,
  event: "connect" | "secureConnect",
  signal: AbortSignal,
  step: "connect" | "tls",
): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (fault?: ConnectFault) => {
      socket.off(event, onEvent).off("error", onError).off("close", onClose);
      signal.removeEventListener("abort", onAbort);
      if (!fault) return resolve();
      socket.destroy();
      reject(fault);
    };
    const onEvent = () => settle();
    // Linux reports a connection that is reset right after it was accepted as a failure to connect.
    const onError = (error: NodeJS.ErrnoException) =>
      settle(
        new ConnectFault(step === "connect" && error.code === "ECONNRESET" ? "reset" : step, textOf(error), error),
      );
    const onClose = () => settle(new ConnectFault(step, "The connection was closed while it was being made."));
    const onAbort = () => settle(faultOf(signal, step));
    socket.once(event, onEvent).once("error", onError).once("close", onClose);
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
}

function throwIfAborted(signal: AbortSignal, step: "dns"): void {
  if (signal.aborted) throw faultOf(signal, step);
}

const TIMEOUTS = {
  dns: "The name servers did not answer in time.",
  connect: "The connection did not come up in time.",
  tls: "The TLS handshake did not end in time.",
} as const;

function faultOf(signal: AbortSignal, step: keyof typeof TIMEOUTS): ConnectFault {
  return signal.reason instanceof ConnectFault ? signal.reason : new ConnectFault(step, TIMEOUTS[step]);
}

/** When several addresses failed, Node throws an AggregateError with an empty message. */
function textOf(error: Error): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  return certificateFault(error) ?? (first instanceof Error ? first.message : error.message);
}
