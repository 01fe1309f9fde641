// Decides where a URL that a stranger gave us may lead.
//
// Guarantees: a URL passes `checkUrl` only if it is http(s), carries no credentials and names no forbidden address; a name passes
// `addressesOf` only with those of its addresses that are allowed, and never when none is. What a name says at `checkUrl` is not
// asked, because it may say something else later: the connection is made to the very addresses that were judged (open-socket.ts).

import type { LookupAddress, LookupOptions } from "node:dns";
import type { LookupFunction } from "node:net";
import { type Address, type Network, parseAddress, parseNetwork, whyForbidden } from "../../base/cidr.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import { ConnectFault } from "./connect-fault.ts";
import { type ResolveName, resolveName } from "./resolve-name.ts";

export interface AddressGuardOptions {
  /** CIDR networks, single addresses, or the word `loopback`. */
  readonly allowedNetworks: readonly string[];
  /** All ports when left out. */
  readonly allowedPorts?: readonly number[] | undefined;
  readonly resolve?: ResolveName;
}

export interface UrlRefusal {
  readonly reason: "bad-url" | "refused-address";
  readonly detail: string;
}

export interface AddressGuard {
  checkUrl(url: string): Result<URL, UrlRefusal>;
  mayConnect(address: string, family: 4 | 6, port: number): boolean;
  /** The allowed addresses of a name or literal; throws a `ConnectFault` when there is none. */
  addressesOf(hostname: string, port: number, signal: AbortSignal): Promise<readonly LookupAddress[]>;
  /** The same for the `lookup` option of `node:net` and the like; literals, which they do not look up, and ports are for `mayConnect`. */
  readonly lookup: LookupFunction;
}

export const ALLOWED_NETWORKS_SETTING = "TANDEM_ALLOWED_NETWORKS";

const URL_LENGTH_MAX = 2048;
const LOOPBACK: readonly LookupAddress[] = [
  { address: "127.0.0.1", family: 4 },
  { address: "::1", family: 6 },
];
const NEVER = new AbortController().signal;

export function newAddressGuard(options: AddressGuardOptions): AddressGuard {
  const networks = options.allowedNetworks.flatMap(networksOf);
  const ports = options.allowedPorts && new Set(options.allowedPorts);
  const resolve = options.resolve ?? resolveName;

  const mayUsePort = (port: number) =>
    Number.isInteger(port) && port > 0 && port < 65_536 && (ports?.has(port) ?? true);
  const kindOf = (address: string): string | undefined => {
    const parsed = parseAddress(address);
    return parsed ? whyForbidden(parsed, networks) : "malformed";
  };
  const isAllowed = ({ address, family }: LookupAddress) =>
    parseAddress(address)?.family === family && kindOf(address) === undefined;

  const allowedOf = async (hostname: string, signal: AbortSignal): Promise<readonly LookupAddress[]> => {
    const literal = parseAddress(hostname);
    const all = literal
      ? [answerOf(hostname, literal)]
      : isLocalhost(hostname)
        ? LOOPBACK
        : await resolve(hostname, signal);
    if (all.length === 0) throw new ConnectFault("dns", `The name ${hostname} has no address.`);
    const allowed = all.filter(isAllowed);
    if (allowed.length > 0) return allowed;
    const kind = kindOf(all[0]?.address ?? "") ?? "malformed";
    throw new ConnectFault("refused-address", refusedAddress(hostname, kind, literal !== undefined));
  };

  return {
    checkUrl: (text) => checkUrl(text, mayUsePort, kindOf),
    mayConnect: (address, family, port) => mayUsePort(port) && isAllowed({ address, family }),
    addressesOf: async (hostname, port, signal) => {
      if (!mayUsePort(port)) throw new ConnectFault("refused-address", refusedPort(port));
      return allowedOf(hostname, signal);
    },
    lookup: (hostname, lookupOptions, callback) => {
      allowedOf(hostname, NEVER).then(
        (addresses) => answerLookup(addresses, hostname, lookupOptions, callback),
        (error: NodeJS.ErrnoException) => callback(error, ""),
      );
    },
  };
}

function checkUrl(
  text: string,
  mayUsePort: (port: number) => boolean,
  kindOf: (address: string) => string | undefined,
): Result<URL, UrlRefusal> {
  const bad = (detail: string) => refused({ reason: "bad-url", detail } as const);
  if (text.length > URL_LENGTH_MAX) return bad(`The URL is longer than ${URL_LENGTH_MAX} characters.`);
  // The URL parser drops line breaks and reads a backslash as a slash: what people see would not be what is called.
  if (/[\p{Cc}\s\\]/u.test(text)) return bad("The URL has white space, control characters or backslashes in it.");
  const url = parseUrl(text);
  if (!url) return bad("The URL cannot be read.");
  if (url.protocol !== "http:" && url.protocol !== "https:") return bad("Only http and https URLs are called.");
  if (/^[a-z]+:\/*[^/?#]*@/i.test(text)) return bad("The URL has credentials in it.");
  if (url.href.length > URL_LENGTH_MAX) return bad(`The URL is longer than ${URL_LENGTH_MAX} characters when encoded.`);
  const port = portOf(url);
  if (!mayUsePort(port)) return refused({ reason: "refused-address", detail: refusedPort(port) });
  const host = hostnameOf(url);
  if (parseAddress(host)) {
    const kind = kindOf(host);
    if (kind !== undefined) return refused({ reason: "refused-address", detail: refusedAddress(host, kind, true) });
  } else if (isLocalhost(host)) {
    if (!LOOPBACK.some(({ address }) => kindOf(address) === undefined)) {
      return refused({ reason: "refused-address", detail: refusedAddress(host, "loopback", false) });
    }
  } else if (!isHostname(host)) {
    return bad("The URL's host is not a name.");
  }
  return ok(url);
}

/** The host without the brackets that an IPv6 address has in a URL. */
export function hostnameOf({ hostname }: URL): string {
  return hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
}

export function portOf({ port, protocol }: URL): number {
  return port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);
}

function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/** RFC 1035 2.3.4 lengths; underscores are in use. */
function isHostname(host: string): boolean {
  return host.length <= 254 && /^(?:[a-z0-9_-]{1,63}\.)*[a-z0-9_-]{1,63}\.?$/.test(host);
}

/** RFC 6761 6.3: these names are loopback and no name server is asked for them. */
function isLocalhost(host: string): boolean {
  return /(?:^|\.)localhost\.?$/i.test(host);
}

function answerOf(address: string, { family }: Address): LookupAddress {
  return { address, family };
}

function answerLookup(
  addresses: readonly LookupAddress[],
  hostname: string,
  { all, family }: LookupOptions,
  callback: Parameters<LookupFunction>[2],
): void {
  const wanted = family === 4 || family === "IPv4" ? 4 : family === 6 || family === "IPv6" ? 6 : undefined;
  const fitting = wanted === undefined ? addresses : addresses.filter((answer) => answer.family === wanted);
  const [first] = fitting;
  if (!first) callback(new ConnectFault("dns", `The name ${hostname} has no IPv${wanted} address.`), "");
  else if (all) callback(null, [...fitting]);
  else callback(null, first.address, first.family);
}

function networksOf(text: string): readonly Network[] {
  if (text === "loopback") return networksOf("127.0.0.0/8").concat(networksOf("::1"));
  const network = parseNetwork(text);
  if (!network) throw new Error(`${ALLOWED_NETWORKS_SETTING}: ${text} is not a network such as 10.0.0.0/8`);
  return [network];
}

/** Tells no stranger which internal address a name has, only of which kind it is. */
function refusedAddress(host: string, kind: string, isLiteral: boolean): string {
  const fact = isLiteral
    ? `The address ${host} is not public (${kind}).`
    : `The name ${host} has no public address (${kind}).`;
  return `${fact} The operator can allow its network in ${ALLOWED_NETWORKS_SETTING}.`;
}

function refusedPort(port: number): string {
  return `Port ${port} may not be connected to.`;
}
