// Where a trunk can be reached: a call there enters the telephone network, so it is checked as a dialled number.
//
// Guarantees: a place belongs to the trunk by the name of its host or domain, by an address that its host has or had,
// and by the networks of its sources, whatever the port and however the address is written. Only on loopback, where
// telephone systems run beside each other, the port must match too.

import { isLocalhost } from "../../../rules/ip-address.ts";
import { parseHostPort } from "../../../rules/sip-uri.ts";
import {
  type Address,
  isInNetwork,
  isLoopback,
  type Network,
  parseAddress,
  parseNetwork,
  withEmbedded,
} from "../../base/cidr.ts";
import { forgetOldest } from "../../base/forget-oldest.ts";
import type { Hop } from "./flow.ts";
import { LOOPBACK } from "./localhost.ts";
import type { TrunkSettings } from "./trunk-settings.ts";

interface Place {
  /** A name, or an address, IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
}

const LEARNED_MAX = 1000;

export class TrunkPlaces {
  readonly #names: ReadonlySet<string>;
  readonly #networks: readonly Network[];
  readonly #fixed: ReadonlySet<string>;
  /** Keys of the addresses that its host has resolved to. */
  readonly #learned = new Set<string>();

  constructor({ host, port, transport, domain = host, sources = [] }: TrunkSettings) {
    const hosts = [host, domain && (parseHostPort(domain)?.host ?? domain)].flatMap((one) => (one ? nameOf(one) : []));
    const own = hosts.map((name) => ({ host: name, port: port ?? (transport === "tls" ? 5061 : 5060) }));
    this.#names = new Set(hosts.filter((name) => !isAddress(name)));
    this.#networks = sources.flatMap((source) => parseNetwork(source) ?? []);
    const named = sources.flatMap((source) => (parseNetwork(source) ? [] : (parseHostPort(source) ?? [])));
    this.#fixed = new Set(
      [...own, ...named].flatMap((place) => addressesOf(place.host).map((address) => keyOf(address, place.port ?? 0))),
    );
  }

  has({ host, port }: Place): boolean {
    if (this.#names.has(nameOf(host))) return true;
    return addressesOf(host).some((address) => {
      const key = keyOf(address, port);
      if (this.#fixed.has(key) || this.#learned.has(key)) return true;
      return !isLoopback(address) && this.#networks.some((network) => isInNetwork(network, address));
    });
  }

  /** Checks the name that was looked up, the server that SRV named, and the address. */
  holds({ servername, server, address, port }: Hop): boolean {
    return [servername, server, address].some((host) => this.has({ host, port }));
  }

  /** DNS changes over time: an address that the trunk once had stays its own. */
  learn(hops: readonly Hop[]): void {
    for (const { address, port } of hops) {
      for (const one of addressesOf(address)) this.#learned.add(keyOf(one, port));
    }
    forgetOldest(this.#learned, LEARNED_MAX);
  }
}

function isAddress(name: string): boolean {
  return addressesOf(name).length > 0;
}

/** The addresses of a literal or of a loopback name; other names have none here. */
function addressesOf(host: string): readonly Address[] {
  const literals = isLocalhost(host) ? LOOPBACK.map(({ address }) => address) : [host];
  return literals.flatMap((literal) => {
    const address = parseAddress(literal);
    return address ? withEmbedded(address) : [];
  });
}

function keyOf({ family, value }: Address, port: number): string {
  return isLoopback({ family, value }) ? `${value}:${port}` : `${family} ${value}`;
}

function nameOf(host: string): string {
  return host.toLowerCase().replace(/\.$/, "");
}
