// The cookies of one conversation (RFC 6265), kept in memory only.
//
// Guarantees: a cookie goes back to the host that has set it and to no other, also where it names a wider domain; one
// that is `Secure` goes over TLS only. The jar is bounded: the oldest cookies make room. Whatever a server sends, what
// comes out can be sent in a header.

import { type Cookie, parseCookie } from "undici";

const COOKIES_MAX = 50;
/** Of all of them together: many servers take a head of 8 KiB at most. */
const OCTETS_MAX = 4_096;
/** Headers that are longer or have more attributes are ignored: their parser calls itself for each attribute. */
const HEADER_OCTETS_MAX = 5_000;
const ATTRIBUTES_MAX = 50;
/** ASCII without control characters. */
const SENDABLE = /^[\x20-\x7e]*$/;

interface KeptCookie {
  readonly host: string;
  readonly path: string;
  readonly isSecure: boolean;
  readonly pair: string;
  readonly expiresMs: number;
}

export class CookieJar {
  /** The oldest first; one that is set again keeps its place. */
  readonly #cookies = new Map<string, KeptCookie>();

  /** Takes the values of `Set-Cookie` of an answer from this URL. */
  keep(url: string, headers: readonly string[], now: Date): void {
    for (const header of headers) this.#keepOne(new URL(url), header, now);
  }

  /** The value of `Cookie` for a request; undefined where there is none. */
  headerFor(url: string, now: Date): string | undefined {
    const { hostname, pathname, protocol } = new URL(url);
    const sent = [...this.#cookies.values()].filter(
      ({ host, path, isSecure, expiresMs }) =>
        host === hostname &&
        isBelow(pathname, path) &&
        (!isSecure || protocol === "https:") &&
        expiresMs > now.getTime(),
    );
    if (sent.length === 0) return undefined;
    // RFC 6265 5.4: longer paths come first, then earlier cookies.
    return sent
      .toSorted((one, other) => other.path.length - one.path.length)
      .map(({ pair }) => pair)
      .join("; ");
  }

  #keepOne({ hostname: host, pathname, protocol }: URL, header: string, now: Date): void {
    const isTooMuch = header.length > HEADER_OCTETS_MAX || header.split(";").length > ATTRIBUTES_MAX + 1;
    const cookie = isTooMuch ? null : parseCookie(header);
    if (!cookie || cookie.name === "" || !mayBeFor(host, cookie)) return;
    const { name, value, secure: isSecure = false } = cookie;
    const pair = `${name}=${value}`;
    if (pair.length > OCTETS_MAX || !SENDABLE.test(pair) || (isSecure && protocol !== "https:")) return;
    const path = cookie.path?.startsWith("/") ? cookie.path : directoryOf(pathname);
    const key = JSON.stringify([host, path, name]);
    const expiresMs = expiryOf(cookie, now);
    if (expiresMs <= now.getTime()) this.#cookies.delete(key);
    else this.#cookies.set(key, { host, path, isSecure, pair, expiresMs });
    this.#makeRoom();
  }

  #makeRoom(): void {
    let octets = 0;
    for (const { pair } of this.#cookies.values()) octets += pair.length + 2;
    for (const [key, { pair }] of this.#cookies) {
      if (octets <= OCTETS_MAX + 2 && this.#cookies.size <= COOKIES_MAX) return;
      this.#cookies.delete(key);
      octets -= pair.length + 2;
    }
  }
}

/** RFC 6265 5.3: a cookie that names a domain to which its host does not belong is ignored. */
function mayBeFor(host: string, { domain }: Cookie): boolean {
  return domain === undefined || domain === "" || host === domain || host.endsWith(`.${domain}`);
}

/** RFC 6265 5.3: Max-Age counts before Expires. */
function expiryOf({ maxAge, expires }: Cookie, now: Date): number {
  if (maxAge !== undefined) return now.getTime() + maxAge * 1_000;
  const expiresMs = expires === undefined ? Number.NaN : new Date(expires).getTime();
  return Number.isNaN(expiresMs) ? Number.POSITIVE_INFINITY : expiresMs;
}

/** RFC 6265 5.1.4. */
function directoryOf(pathname: string): string {
  return pathname.slice(0, Math.max(1, pathname.lastIndexOf("/")));
}

/** RFC 6265 5.1.4. */
function isBelow(pathname: string, path: string): boolean {
  if (!pathname.startsWith(path)) return false;
  return path.endsWith("/") || pathname.length === path.length || pathname[path.length] === "/";
}
