// Signing in and out for pages that the server delivers, and who is signed in. The session is a cookie, which only
// clients with `session: true` send.

import type { EndSessionQuery, Session, SessionOrder } from "./api.generated.ts";
import { type Answer, ask, type CallOptions, type ClientOrder } from "./exchange.ts";

export interface Sessions {
  /** By an account's token, an operator's, or the ticket of a link that signs in once. */
  signIn(order: SessionOrder, options?: CallOptions): Promise<Answer<Session>>;
  /** Refused with 401 where nobody is signed in. */
  get(options?: CallOptions): Promise<Answer<Session>>;
  /** `everywhere`: all sessions of the same account or operator's token. */
  signOut(options?: EndSessionQuery & CallOptions): Promise<Answer<undefined>>;
}

export function sessionsOf(order: ClientOrder): Sessions {
  return {
    // Nothing is stored under a key for somebody who is not signed in yet.
    signIn: (body, options) => ask(order, "POST /v1/Session", { changesNothing: true, ...options, body }),
    get: (options) => ask(order, "GET /v1/Session", { ...options }),
    signOut: ({ signal, ...query } = {}) => ask(order, "DELETE /v1/Session", { signal, query }),
  };
}
