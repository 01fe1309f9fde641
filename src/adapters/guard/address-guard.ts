// Decides which addresses an untrusted URL may make us connect to (protection against SSRF).
//
// Guarantees: a URL passes `checkUrl` only if it is http(s), has no credentials and names no forbidden address.
// `addressesOf` returns only the allowed addresses of a name, and throws when there is none. `checkUrl` does not
// resolve names, because they may resolve differently later: open-socket.ts connects to exactly the addresses that were
// checked.

import type { LookupAddress } from "node:dns";
import { isLocalhost } from "../../../rules/ip-address.ts";
import { type Network, parseAddress, parseNetwork, whyForbidden } from "../../base/cidr.ts";
import { forgetOldest } from "../../base/forget-oldest.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import { ConnectFault } from "./connect-fault.ts";
import { type ResolveName, resolveName } from "./resolve-name.ts";

export interface AddressGuardOptions {
  /** CIDR networks, single addresses, or `loopback`. */
  readonly allowedNetworks: readonly string[];
  /** Default: all ports. */
  readonly allowedPorts?: readonly number[] | undefined;
  readonly resolve?: ResolveName;
}

export interface UrlRefusal {
  readonly reason: "bad-url" | "refused-address";
  readonly detail: string;
}

/** Scheme, host and port of URLs that may be called. */
export interface UrlOrigin {
  readonly name: string;
  readonly isSecure: boolean;
  /** With the port, unless it is the scheme's own. */
  readonly host: string;
  /** A name, or an address without brackets. */
  readonly hostname: string;
  readonly port: number;
}

/** A URL that may be called, as a request needs it. */
export interface UrlTarget {
  readonly origin: UrlOrigin;
  /** With the query. */
  readonly path: string;
}

export interface AddressGuard {
  checkUrl(url: string): Result<URL, UrlRefusal>;
  /** The same verdict, faster for an origin that was checked before. */
  targetOf(url: string): Result<UrlTarget, UrlRefusal>;
  mayConnect(address: string, family: 4 | 6, port: number): boolean;
  /** The allowed addresses of a name or literal; throws a `ConnectFault` when there is none. */
  addressesOf(hostname: string, port: number, signal: AbortSignal): Promise<readonly LookupAddress[]>;
}

export const ALLOWED_NETWORKS_SETTING = "TANDEM_ALLOWED_NETWORKS";

const URL_LENGTH_MAX = 2048;
const ORIGINS_MAX = 1_000;
/** What the URL parser leaves as it is: nothing to encode, no segment that begins with a dot, no empty query. */
const PLAIN_PATH = /^(?:\/(?!\.|%2e)|\?(?!$)|[\w\-~!$&()*+,;=:@.%])+$/i;
const LOOPBACK: readonly LookupAddress[] = [
  { address: "127.0.0.1", family: 4 },
  { address: "::1", family: 6 },
];

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

  const addressesOf: AddressGuard["addressesOf"] = async (hostname, port, signal) => {
    if (!mayUsePort(port)) throw new ConnectFault("refused-address", refusedPort(port));
    const literal = parseAddress(hostname);
    const all = literal
      ? [{ address: hostname, family: literal.family }]
      : isLocalhost(hostname)
        ? LOOPBACK
        : await resolve(hostname, signal);
    if (all.length === 0) throw new ConnectFault("dns", `The name ${hostname} has no address.`);
    const allowed = all.filter(isAllowed);
    if (allowed.length > 0) return allowed;
    const kind = kindOf(all[0]?.address ?? "") ?? "malformed";
    throw new ConnectFault("refused-address", refusedAddress(hostname, kind, literal !== undefined));
  };

  /** Origins that have passed: the verdict does not depend on the rest of a URL. */
  const origins = new Map<string, UrlOrigin>();
  const targetOf: AddressGuard["targetOf"] = (text) => {
    const slash = text.indexOf("/", "https://".length);
    const known = slash > 0 && text.length <= URL_LENGTH_MAX ? origins.get(text.slice(0, slash)) : undefined;
    const path = text.slice(slash);
    if (known && PLAIN_PATH.test(path)) return ok({ origin: known, path });
    const checked = checkUrl(text, mayUsePort, kindOf);
    if (!checked.ok) return checked;
    const url = checked.value;
    const origin = originOf(url);
    origins.set(origin.name, origin);
    forgetOldest(origins, ORIGINS_MAX);
    return ok({ origin, path: `${url.pathname}${url.search}` });
  };

  return {
    checkUrl: (text) => checkUrl(text, mayUsePort, kindOf),
    targetOf,
    mayConnect: (address, family, port) => mayUsePort(port) && isAllowed({ address, family }),
    addressesOf,
  };
}

function checkUrl(
  text: string,
  mayUsePort: (port: number) => boolean,
  kindOf: (address: string) => string | undefined,
): Result<URL, UrlRefusal> {
  const bad = (detail: string) => refused({ reason: "bad-url", detail } as const);
  if (text.length > URL_LENGTH_MAX) return bad(`The URL is longer than ${URL_LENGTH_MAX} characters.`);
  // The URL parser drops line breaks and reads a backslash as a slash, so the called URL would not be the shown one.
  if (/[\p{Cc}\s\\]/u.test(text)) return bad("The URL has white space, control characters or backslashes in it.");
  if (!URL.canParse(text)) return bad("The URL cannot be read.");
  const url = new URL(text);
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

function originOf(url: URL): UrlOrigin {
  const isSecure = url.protocol === "https:";
  return { name: url.origin, isSecure, host: url.host, hostname: hostnameOf(url), port: portOf(url) };
}

/** The host without the brackets that an IPv6 address has in a URL. */
function hostnameOf({ hostname }: URL): string {
  return hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
}

function portOf({ port, protocol }: URL): number {
  return port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);
}

/** Lengths of RFC 1035 2.3.4. Underscores are accepted because they occur in practice. */
function isHostname(host: string): boolean {
  return host.length <= 254 && /^(?:[a-z0-9_-]{1,63}\.)*[a-z0-9_-]{1,63}\.?$/.test(host);
}

function networksOf(text: string): readonly Network[] {
  if (text === "loopback") return networksOf("127.0.0.0/8").concat(networksOf("::1"));
  const network = parseNetwork(text);
  if (!network) throw new Error(`${ALLOWED_NETWORKS_SETTING}: ${text} is not a network such as 10.0.0.0/8`);
  return [network];
}

/** Reveals only the kind of an internal address, not the address. */
function refusedAddress(host: string, kind: string, isLiteral: boolean): string {
  const fact = isLiteral
    ? `The address ${host} is not public (${kind}).`
    : `The name ${host} has no public address (${kind}).`;
  return `${fact} The operator can allow its network in ${ALLOWED_NETWORKS_SETTING}.`;
}

function refusedPort(port: number): string {
  return `Port ${port} may not be connected to.`;
}
