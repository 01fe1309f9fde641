// Pages of a list. `await` on a listing returns one page; `for await` yields the items of this page and of all later
// ones, and fetches the next page only when it is needed.

import type { ListWebhooksQuery } from "./api.generated.ts";
import { TandemNetworkError } from "./errors.ts";
import {
  type Answer,
  ask,
  type Call,
  type CallOptions,
  type ClientOrder,
  type DataOf,
  type OperationName,
} from "./exchange.ts";

/** The options of every list. */
export type PageOptions = Pick<ListWebhooksQuery, "pageSize" | "searchId" | "orderByDirection"> & CallOptions;

/** The result of every list. */
export interface ListAnswer<Item> {
  readonly items: readonly Item[];
  /** Pass it to fetch the next page; absent on the last. */
  readonly searchId?: string;
}

/** A requested list: its first page, and with `for await` all of its items. */
export interface Listing<Item> extends Promise<Answer<ListAnswer<Item>>>, AsyncIterable<Item> {
  /** The first page and all after it. */
  pages(): AsyncGenerator<Answer<ListAnswer<Item>>, void, void>;
}

type ListName = {
  [Name in OperationName]: DataOf<Name> extends ListAnswer<unknown> ? Name : never;
}[OperationName];
type ItemOf<Name extends ListName> = DataOf<Name>["items"][number];

export function listing<Name extends ListName>(
  order: ClientOrder,
  name: Name,
  request: Call<Name>,
): Listing<ItemOf<Name>> {
  const page = (asked: Call<Name>) => ask(order, name, asked) as Promise<Answer<ListAnswer<ItemOf<Name>>>>;
  const first = page(request);
  async function* pages() {
    let answer = await first;
    for (;;) {
      yield answer;
      const { searchId } = answer.data;
      if (searchId === undefined) return;
      const { query } = request as { readonly query?: object };
      answer = await page({ ...request, query: { ...query, searchId } });
      if (answer.data.searchId === searchId) {
        throw new TandemNetworkError("garbled", `${order.baseUrl} answered the same page of a list again.`);
      }
    }
  }
  async function* items() {
    for await (const { data } of pages()) yield* data.items;
  }
  return Object.assign(first, { pages, [Symbol.asyncIterator]: items });
}
