// The cookie of a session, and how to recognize a request that belongs to one.
//
// Guarantees: no script can read the cookie, and no page of another site sends it (HttpOnly, SameSite=Strict). A
// request that changes something also needs a header that no form can send, so not even a page of the same site on
// another port can make one. A page that shows one account does nothing for another one that has signed in since: its
// requests name the account. Two such cookies count as none, because another host of the same domain could have added
// one.

import type { IncomingHttpHeaders } from "node:http";
import type { SessionOwner } from "../../../domain/accounts/index.ts";

export const SESSION_COOKIE = "tandem_session";
const SESSION_HEADER = "x-tandem-session";
const OWNER_HEADER = "x-tandem-account";

const VALUE = /^[\w-]{43}$/;

/** Undefined without a cookie; null for a cookie that the server cannot have issued. */
export function sessionTextOf({ cookie }: IncomingHttpHeaders): string | null | undefined {
  if (!cookie?.includes(SESSION_COOKIE)) return undefined;
  const values = cookie.split(";").flatMap((pair) => {
    const [name, value = ""] = pair.trim().split("=", 2);
    return name === SESSION_COOKIE ? [value] : [];
  });
  const [value] = values;
  if (value === undefined) return undefined;
  return values.length === 1 && VALUE.test(value) ? value : null;
}

/** Whether the request comes from a page that has its own sign-in: the browser's dialog must not open. */
export function isOfPage(headers: IncomingHttpHeaders): boolean {
  return (
    hasSessionHeader(headers) || headers["sec-fetch-site"] === "same-origin" || sessionTextOf(headers) !== undefined
  );
}

export function hasSessionHeader(headers: IncomingHttpHeaders): boolean {
  return headers[SESSION_HEADER] !== undefined;
}

/** Whom the page shows as signed in (`ownerName`); undefined if it does not say. */
export function shownOwnerOf(headers: IncomingHttpHeaders): string | undefined {
  const given = headers[OWNER_HEADER];
  return Array.isArray(given) ? given.join() : given;
}

/** An account's sid, or `operator:` and the name of the operator's token, as a URI component. */
export function ownerName(owner: SessionOwner): string {
  return owner.kind === "account" ? owner.account.sid : `operator:${encodeURIComponent(owner.name)}`;
}

/** `isSecure`: the browser sends it over TLS only. */
export function sessionCookie(text: string, isSecure: boolean): string {
  return `${SESSION_COOKIE}=${text}; HttpOnly; SameSite=Strict; Path=/${isSecure ? "; Secure" : ""}`;
}

/** Makes the browser delete it. */
export function endedCookie(isSecure: boolean): string {
  return `${sessionCookie("", isSecure)}; Max-Age=0`;
}
