// Reads the first `limit` items of a list, page by page; by default more than a person would look through.

import type { Answer, ListAnswer, PageOptions } from "../../sdk/src/index.ts";

const PAGE_SIZE_MAX = 1000;
const SHOWN_MAX = 10_000;

export async function gatherPages<Item>(
  list: (page: PageOptions) => Promise<Answer<ListAnswer<Item>>>,
  limit = SHOWN_MAX,
): Promise<readonly Item[]> {
  const items: Item[] = [];
  let searchId: string | undefined;
  do {
    const pageSize = Math.min(limit - items.length, PAGE_SIZE_MAX);
    const { data } = await list({ pageSize, ...(searchId === undefined ? {} : { searchId }) });
    items.push(...data.items);
    searchId = data.searchId;
  } while (searchId !== undefined && items.length < limit);
  return items;
}
