// The page's cache of server data. Keys begin with the noun (`["messages", …]`), so that an event of the stream can
// make everything of that noun stale.

import { type Answer, type ListAnswer, TandemError } from "@tandem/sdk";
import { focusManager, MutationCache, type Query, QueryCache, QueryClient, queryOptions } from "@tanstack/react-query";

const TRIES_MAX = 2;
const RETRY_MS = 400;

/** A connection that broke is tried again at once. What the server refuses for a while is shown, with a countdown. */
function isWorthAnotherTry(tries: number, error: unknown): boolean {
  return !(error instanceof TandemError) && tries < TRIES_MAX;
}

const AGAIN_SECONDS = 5;

/** In how many seconds a request is worth another try; undefined if the refusal is permanent. */
export function againSeconds(error: unknown): number | undefined {
  if (!(error instanceof TandemError)) return AGAIN_SECONDS;
  return error.status === 429 || error.status >= 502 ? (error.retryAfterSeconds ?? AGAIN_SECONDS) : undefined;
}

/** Asks again for the session when an answer says that there is none, or another account's; the shell shows it. */
export function noticeEnd(error: unknown): void {
  const isEnded = error instanceof TandemError && (error.status === 401 || error.code === "other-account");
  if (isEnded) void queries.invalidateQueries({ queryKey: ["session"] });
}

export const queries = new QueryClient({
  queryCache: new QueryCache({ onError: noticeEnd }),
  mutationCache: new MutationCache({ onError: noticeEnd }),
  defaultOptions: {
    queries: { retry: isWorthAnotherTry, retryDelay: RETRY_MS, staleTime: 10_000, refetchOnWindowFocus: true },
    mutations: { retry: false },
  },
});

/**
 * Reads these queries again: at once where they are shown, else when they next are. A tab that is not visible reads
 * none until it is: the queries follow the focus.
 */
export async function readAgain(isStale: (query: Query) => boolean): Promise<void> {
  const stale = queries.getQueryCache().findAll({ predicate: isStale });
  const isFirst = ({ state }: Query) => state.data === undefined && state.fetchStatus === "fetching";
  const first = stale.filter(isFirst);
  const refetchType = focusManager.isFocused() ? "active" : "none";
  await Promise.all([
    queries.invalidateQueries({ refetchType, predicate: isStale }),
    // Awaits their requests.
    queries.invalidateQueries({ predicate: (query) => first.includes(query) }),
  ]);
  // A first request is not begun anew, and may have been answered before what made it stale.
  const early = first.filter(({ state }) => state.data !== undefined);
  if (early.length > 0) await queries.invalidateQueries({ refetchType, predicate: (query) => early.includes(query) });
}

interface LoadOptions {
  readonly signal: AbortSignal;
}

/** The data of a response: `dataQuery(["phones", "one", number], (options) => client.phones.get(number, options))`. */
export function dataQuery<Data>(queryKey: readonly unknown[], load: (options: LoadOptions) => Promise<Answer<Data>>) {
  return queryOptions({ queryKey, queryFn: async ({ signal }) => (await load({ signal })).data });
}

/** The items of the first page of a list. */
export function itemsQuery<Item>(
  queryKey: readonly unknown[],
  list: (options: LoadOptions) => Promise<Answer<ListAnswer<Item>>>,
) {
  return queryOptions({ queryKey, queryFn: async ({ signal }) => (await list({ signal })).data.items });
}
