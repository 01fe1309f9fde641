// Finds the caller behind proxies: X-Forwarded-For and X-Forwarded-Host are accepted from trusted proxies only. Each
// proxy adds the address that connected to it, so the caller is the last address that is not a proxy.

import type { IncomingMessage } from "node:http";
import { type Address, isInNetwork, parseAddress, parseNetwork } from "../../../base/cidr.ts";

export interface ForwardedCaller {
  readonly ip: string;
  readonly host: string;
}

/** How a dual-stack socket shows an IPv4 address. */
const MAPPED = /^::ffff:(?=\d+\.)/i;

/** The address of the other end of a connection. */
export function peerAddress(remoteAddress: string | undefined): Address | undefined {
  return parseAddress((remoteAddress ?? "").replace(MAPPED, ""));
}

export class TrustedProxies {
  readonly #networks;

  /** Addresses or networks. */
  constructor(proxies: readonly string[]) {
    this.#networks = proxies.flatMap((text) => parseNetwork(text) ?? []);
  }

  trusts(remoteAddress: string | undefined): boolean {
    if (this.#networks.length === 0) return false;
    const address = peerAddress(remoteAddress);
    return address !== undefined && this.#networks.some((network) => isInNetwork(network, address));
  }

  callerOf({ headers, socket }: IncomingMessage): ForwardedCaller {
    const ip = socket.remoteAddress ?? "";
    const host = headers.host ?? "";
    if (!this.trusts(ip)) return { ip, host };
    const callers = entriesOf(headers["x-forwarded-for"]);
    const caller = callers.findLast((address) => !this.trusts(address)) ?? callers[0];
    return { ip: caller ?? ip, host: entriesOf(headers["x-forwarded-host"]).at(-1) ?? host };
  }
}

function entriesOf(header: string | readonly string[] | undefined): readonly string[] {
  const text = typeof header === "string" ? header : (header ?? []).join(",");
  return text.split(",").flatMap((entry) => entry.trim() || []);
}
