// Finds where a request for a URI goes (RFC 3263): NAPTR for the transport, SRV for hosts and ports, A and AAAA for
// addresses. Results are cached for a short time, because a trunk is looked up for every call.

import { isIP } from "node:net";
import { type SipUri, transportOf } from "../../../rules/sip-uri.ts";
import type { Clock } from "../../base/clock.ts";
import { forgetOldest } from "../../base/forget-oldest.ts";
import type { Hop, Transport } from "./flow.ts";
import { isLocalhost, LOOPBACK } from "./localhost.ts";
import type { SipNames } from "./names.ts";

export interface LocatorDeps {
  readonly clock: Clock;
  readonly random: () => number;
  readonly names: SipNames;
  /** The families of our source addresses, the preferred one first. */
  readonly families: readonly (4 | 6)[];
}

const KEPT_MS = 30_000;
const KEPT_MAX = 1000;
const LOOKUP_MS = 3000;
const HOPS_MAX = 20;

type HopUri = Pick<SipUri, "scheme" | "host" | "port" | "parameters">;

interface Server {
  readonly transport: Transport;
  readonly host: string;
  readonly port: number;
}

const SERVICES: readonly { readonly naptr: string; readonly transport: Transport; readonly srv: string }[] = [
  { naptr: "SIP+D2U", transport: "UDP", srv: "_sip._udp" },
  { naptr: "SIP+D2T", transport: "TCP", srv: "_sip._tcp" },
  { naptr: "SIPS+D2T", transport: "TLS", srv: "_sips._tcp" },
];

export class Locator {
  readonly #deps: LocatorDeps;
  readonly #kept = new Map<string, { readonly hops: readonly Hop[]; readonly untilMs: number }>();

  constructor(deps: LocatorDeps) {
    this.#deps = deps;
  }

  /** The hops in the order to try them; empty when there is none. Synchronous when nothing has to be looked up. */
  locate(uri: HopUri): readonly Hop[] | Promise<readonly Hop[]> {
    const { host, port } = uri;
    const wanted = wantedTransport(uri);
    const family = isIP(host);
    if (family !== 0) {
      const transport = wanted ?? "UDP";
      const hop = { transport, address: host, family: family as 4 | 6, port: port ?? usualPort(transport) };
      return this.#deps.families.includes(hop.family) ? [{ ...hop, servername: host, server: host }] : [];
    }
    const key = `${wanted ?? ""} ${host}:${port ?? ""}`;
    const kept = this.#kept.get(key);
    if (kept && kept.untilMs > this.#deps.clock.elapsedMs()) return kept.hops;
    return this.#lookUp(key, host, port, wanted);
  }

  async #lookUp(
    key: string,
    host: string,
    port: number | undefined,
    wanted: Transport | undefined,
  ): Promise<readonly Hop[]> {
    const signal = AbortSignal.timeout(LOOKUP_MS);
    const servers = await this.#servers(host, port, wanted, signal);
    const hops: Hop[] = [];
    for (const server of servers) {
      for (const { address, family } of await this.#addresses(server.host, signal)) {
        if (hops.length < HOPS_MAX) {
          const { transport, port: at, host: name } = server;
          hops.push({ transport, address, family, port: at, servername: host, server: name });
        }
      }
    }
    if (hops.length > 0) {
      this.#kept.delete(key);
      this.#kept.set(key, { hops, untilMs: this.#deps.clock.elapsedMs() + KEPT_MS });
      forgetOldest(this.#kept, KEPT_MAX);
    }
    return hops;
  }

  async #servers(
    host: string,
    port: number | undefined,
    wanted: Transport | undefined,
    signal: AbortSignal,
  ): Promise<readonly Server[]> {
    const direct = { transport: wanted ?? "UDP", host, port: port ?? usualPort(wanted ?? "UDP") } as const;
    if (port !== undefined || isLocalhost(host)) return [direct];
    for (const { transport, name } of await this.#services(host, wanted, signal)) {
      const records = await this.#deps.names.srv(name, signal);
      const usable = records.filter(({ name: target }) => target !== "" && target !== ".");
      if (usable.length > 0) {
        return this.#inOrder(usable).map((record) => ({ transport, host: record.name, port: record.port }));
      }
    }
    return [direct];
  }

  /** RFC 3263 4.1: the services of NAPTR, or else one SRV name for each transport. */
  async #services(
    host: string,
    wanted: Transport | undefined,
    signal: AbortSignal,
  ): Promise<readonly { readonly transport: Transport; readonly name: string }[]> {
    const own = SERVICES.map(({ transport, srv }) => ({ transport, name: `${srv}.${host}` }));
    if (wanted) return own.filter(({ transport }) => transport === wanted);
    const records = await this.#deps.names.naptr(host, signal);
    const named = records
      .filter(({ flags }) => flags.toLowerCase() === "s")
      .sort((one, other) => one.order - other.order || one.preference - other.preference)
      .flatMap(({ service, replacement }) => {
        const known = SERVICES.find(({ naptr }) => naptr === service.toUpperCase());
        return known ? [{ transport: known.transport, name: replacement }] : [];
      });
    return named.length > 0 ? named : own;
  }

  /** RFC 2782: by priority, and within a priority at random by weight. */
  #inOrder<Record extends { readonly priority: number; readonly weight: number }>(
    records: readonly Record[],
  ): readonly Record[] {
    return records
      .map((record) => ({ record, place: this.#deps.random() ** (1 / (record.weight + 0.01)) }))
      .sort((one, other) => one.record.priority - other.record.priority || other.place - one.place)
      .map(({ record }) => record);
  }

  async #addresses(
    host: string,
    signal: AbortSignal,
  ): Promise<readonly { readonly address: string; readonly family: 4 | 6 }[]> {
    const literal = isIP(host);
    const found =
      literal !== 0
        ? [{ address: host, family: literal }]
        : isLocalhost(host)
          ? LOOPBACK
          : await this.#deps.names.addresses(host, signal);
    const { families } = this.#deps;
    return families.flatMap((family) =>
      found.filter((one) => one.family === family).map(({ address }) => ({ address, family })),
    );
  }
}

function wantedTransport(uri: HopUri): Transport | undefined {
  const named = transportOf(uri as SipUri);
  if (uri.scheme === "sips" || named === "tls") return "TLS";
  return named === "tcp" ? "TCP" : named === "udp" ? "UDP" : undefined;
}

function usualPort(transport: Transport): number {
  return transport === "TLS" ? 5061 : 5060;
}
