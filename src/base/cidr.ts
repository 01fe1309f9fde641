// IP addresses, networks, and the rule that decides which addresses an untrusted URL may make us connect to.
//
// `whyForbidden` decides by the address alone: it forbids everything that is not a public unicast address, and every
// IPv6 address that embeds a forbidden IPv4 one (mapped, NAT64, 6to4, Teredo, ISATAP). Networks that the operator
// allows are always permitted.

import { type Address, parseAddress } from "../../rules/ip-address.ts";

export { type Address, parseAddress };

export interface Network extends Address {
  readonly prefix: number;
}

/** `10.0.0.0/8`, or a single address. Bits beyond the prefix are ignored. */
export function parseNetwork(text: string): Network | undefined {
  const [head = "", bits, ...rest] = text.split("/");
  const address = head.includes("%") ? undefined : parseAddress(head);
  if (!address || rest.length > 0) return undefined;
  const width = widthOf(address);
  if (bits === undefined) return { ...address, prefix: width };
  if (!/^\d{1,3}$/.test(bits) || Number(bits) > width) return undefined;
  return { ...address, prefix: Number(bits) };
}

export function isInNetwork(network: Network, { family, value }: Address): boolean {
  if (network.family !== family) return false;
  const shift = BigInt(widthOf(network) - network.prefix);
  return value >> shift === network.value >> shift;
}

/** Why the address is forbidden (`loopback`, `private`, …), or undefined when it is public or allowed. */
export function whyForbidden(address: Address, allowed: readonly Network[] = []): string | undefined {
  if (allowed.some((network) => isInNetwork(network, address))) return undefined;
  const carried = addressesWithin(address);
  if (carried) {
    for (const inner of carried) {
      const kind = whyForbidden(inner, allowed);
      if (kind !== undefined) return kind;
    }
    return undefined;
  }
  for (const [network, kind] of SPECIAL) if (isInNetwork(network, address)) return kind;
  return address.family === 6 && !isInNetwork(GLOBAL_UNICAST, address) ? "reserved" : undefined;
}

/** The address, and the IPv4 addresses to which its packets may be delivered (mapped, NAT64, 6to4, Teredo, ISATAP). */
export function withEmbedded(address: Address): readonly Address[] {
  return [address, ...(addressesWithin(address) ?? [])];
}

export function isLoopback(address: Address): boolean {
  return LOOPBACK.some((network) => isInNetwork(network, address));
}

/**
 * The key under which one subscriber's addresses are counted: an IPv4 address, also where a dual-stack socket shows it
 * mapped into IPv6, and the /64 of any other IPv6 address.
 */
export function subscriberOf({ family, value }: Address): string {
  if (family === 6 && !isInNetwork(MAPPED, { family, value })) return `${(value >> 64n).toString(16)}/64`;
  return (value & 0xffffffffn).toString(16);
}

function widthOf({ family }: { readonly family: 4 | 6 }): number {
  return family === 4 ? 32 : 128;
}

function network(text: string): Network {
  const parsed = parseNetwork(text);
  if (!parsed) throw new Error(`${text} is not a network`);
  return parsed;
}

const v4At = (value: bigint, shift: bigint): Address => ({ family: 4, value: (value >> shift) & 0xffffffffn });

type Unwrap = (value: bigint) => readonly Address[];
const last: Unwrap = (value) => [v4At(value, 0n)];

const MAPPED = network("::ffff:0:0/96");
const LOOPBACK = [network("127.0.0.0/8"), network("::1")];

/** IPv6 forms whose packets are delivered to the IPv4 address they embed. */
const CARRIERS: readonly (readonly [Network, Unwrap])[] = [
  [MAPPED, last], // RFC 4291 2.5.5.2: mapped
  [network("::ffff:0:0:0/96"), last], // RFC 2765 2.1: translated
  [network("64:ff9b::/96"), last], // RFC 6052 2.1: NAT64
  [network("2002::/16"), (value) => [v4At(value, 80n)]], // RFC 3056 2: 6to4
  // RFC 4380 4: the Teredo server, and the client with every bit inverted.
  [network("2001::/32"), (value) => [v4At(value, 64n), v4At(value ^ 0xffffffffn, 0n)]],
];

function addressesWithin({ family, value }: Address): readonly Address[] | undefined {
  if (family === 4) return undefined;
  for (const [form, unwrap] of CARRIERS) if (isInNetwork(form, { family, value })) return unwrap(value);
  // RFC 5214 6.1: ISATAP is recognised by its interface identifier; the prefix before it may be any global one.
  const isIsatap = ((value >> 32n) & 0xfdffffffn) === 0x5efen && isInNetwork(GLOBAL_UNICAST, { family, value });
  return isIsatap ? last(value) : undefined;
}

const GLOBAL_UNICAST = network("2000::/3");

/** The entries of IANA's special-purpose address registries (RFC 6890 and its successors) that are not global. */
const SPECIAL: readonly (readonly [Network, string])[] = (
  [
    ["0.0.0.0/8", "unspecified"],
    ["10.0.0.0/8", "private"],
    ["100.64.0.0/10", "carrier-grade NAT"],
    ["127.0.0.0/8", "loopback"],
    // Azure's host agent: a public address that serves internal data.
    ["168.63.129.16/32", "cloud platform"],
    ["169.254.0.0/16", "link-local"],
    ["172.16.0.0/12", "private"],
    ["192.0.0.0/24", "protocol assignment"],
    ["192.0.2.0/24", "documentation"],
    ["192.88.99.0/24", "6to4 relay"],
    ["192.168.0.0/16", "private"],
    ["198.18.0.0/15", "benchmark"],
    ["198.51.100.0/24", "documentation"],
    ["203.0.113.0/24", "documentation"],
    ["224.0.0.0/4", "multicast"],
    ["255.255.255.255/32", "broadcast"],
    ["240.0.0.0/4", "reserved"],
    ["::/128", "unspecified"],
    ["::1/128", "loopback"],
    ["::/96", "IPv4-compatible"],
    ["64:ff9b:1::/48", "local NAT64"],
    ["100::/64", "discard"],
    ["2001::/23", "protocol assignment"],
    ["2001:db8::/32", "documentation"],
    ["3fff::/20", "documentation"],
    ["5f00::/16", "segment routing"],
    ["fc00::/7", "unique local"],
    ["fe80::/10", "link-local"],
    ["fec0::/10", "site-local"],
    ["ff00::/8", "multicast"],
  ] as const
).map(([text, kind]) => [network(text), kind]);
