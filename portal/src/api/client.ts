// The API, through the SDK, with the session of this page: the cookie signs in, and the page holds no token.
//
// Guarantees: a request carries the account that the page shows, so that a tab does nothing for another account that
// has signed in in this browser since.

import { createClient, createOperatorClient, type Session } from "@tandem/sdk";

let shown: Session | undefined;

/** The session that the page shows; undefined while it shows the sign-in. */
export const shownSession = (): Session | undefined => shown;

/** From now on requests name the owner of this session. */
export function showSession(session: Session | undefined): void {
  shown = session;
}

/** Whether it belongs to the owner that the page shows. */
export const isOfShown = (session: Session): boolean => shown !== undefined && ownerOf(session) === ownerOf(shown);

const ownerOf = ({ accountSid, name }: Session): string => accountSid ?? `operator:${encodeURIComponent(name)}`;
const shownOwner = () => shown && ownerOf(shown);

// No retries: the page says within a second or two what is wrong, counts down, and asks again itself.
const order = { baseUrl: location.origin, session: true, retries: 0 } as const;

/** For the session itself: it may be of another owner than the page shows. */
export const visitor = createClient(order);

/** For account sessions. */
export const client = createClient({ ...order, shownOwner });

/** For operator sessions. */
export const operator = createOperatorClient({ ...order, shownOwner });

/** The headers of requests that the page makes itself. */
export function pageHeaders(): Readonly<Record<string, string>> {
  const owner = shownOwner();
  return {
    Accept: "application/json",
    "X-Tandem-Session": "1",
    ...(owner !== undefined && { "X-Tandem-Account": owner }),
  };
}
