// The API, through the SDK, with the session of this page: the cookie signs in, and the page holds no token.

import { createClient, createOperatorClient } from "@tandem/sdk";

const order = { baseUrl: location.origin, session: true } as const;

/** For account sessions. */
export const client = createClient(order);

/** For operator sessions. */
export const operator = createOperatorClient(order);
