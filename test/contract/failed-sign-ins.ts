// Guesses tokens until the server limits the caller.

import { request } from "node:http";
import { basic } from "../tandem.ts";

export interface Guess {
  readonly url: string;
  /** Address of this machine from which to call. */
  readonly from?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Twice the limit: whenever the window changes, one of two windows is full by then. */
const GUESSES_MAX = 2 * 300 + 1;
const AT_ONCE = 50;

/** Guesses until the server refuses with 429; returns the statuses in the order of the requests. */
export async function guessUntilLimited(guess: Guess): Promise<readonly number[]> {
  const statuses: number[] = [];
  while (statuses.length < GUESSES_MAX && !statuses.includes(429)) {
    const round = Array.from({ length: AT_ONCE }, () => statusOf(guess, "AC0123456789abcdef0123456789abcdef", "guess"));
    statuses.push(...(await Promise.all(round)));
  }
  return statuses;
}

export function statusOf({ url, from, headers }: Guess, name: string, token: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const target = new URL("/v1/Account", url);
    const options = { localAddress: from, headers: { ...basic(name, token), ...headers } };
    request(target, options, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on("error", reject)
      .end();
  });
}
