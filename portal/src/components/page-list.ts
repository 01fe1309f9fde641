// The pages of a list that have been loaded, and how they are brought up to date: only those in sight are read again.
// Each page begins where the one before it ends: rows that are pushed out of one are put before those of the next.

export interface Page<Row> {
  readonly items: readonly Row[];
  /** Where the next page begins; undefined after the last row. */
  readonly searchId?: string | undefined;
  /** Something has changed since it was read; it is read again when it comes into sight. */
  readonly isStale?: boolean;
}

export type Pages<Row> = readonly Page<Row>[];

/** So many pages without a row are passed over for one that has some: each looked through 20,000 records. */
const EMPTY_MAX = 20;

/** The next page with rows: a filter that few of many records fit makes pages that are empty and not the last. */
export async function readOn<Row>(
  read: (searchId: string | undefined) => Promise<Page<Row>>,
  searchId: string | undefined,
): Promise<Page<Row>> {
  let page = await read(searchId);
  for (let empty = 0; page.items.length === 0 && page.searchId !== undefined && empty < EMPTY_MAX; empty++) {
    page = await read(page.searchId);
  }
  return page;
}

/** Undefined for rows that cannot be recognised when they have changed. */
function identityOf(row: unknown): string | undefined {
  const { sid, number, tcrCampaignId } = row as Readonly<Record<string, unknown>>;
  const known = sid ?? number ?? tcrCampaignId;
  return typeof known === "string" ? known : undefined;
}

/** The rows of a page that are not in it any more now that it was read again; undefined if that cannot be known. */
function pushedOut<Row>(before: Page<Row>, now: Page<Row>): readonly Row[] | undefined {
  const read = new Set(now.items.map(identityOf));
  const lastKnown = before.items.findLastIndex((row) => read.has(identityOf(row)));
  return read.has(undefined) || lastKnown === -1 ? undefined : before.items.slice(lastKnown + 1);
}

/** Rows of a page at most: beyond, the list goes on from the page before, and loads the others as it is scrolled. */
const ROWS_MAX = 500;

/** `inSight`: the numbers of pages. Without any, the first one is. */
export async function refreshed<Row>(
  before: Pages<Row> | undefined,
  inSight: ReadonlySet<number>,
  read: (searchId: string | undefined) => Promise<Page<Row>>,
): Promise<Pages<Row>> {
  if (!before || before.length === 0) return [await read(undefined)];
  const done: Page<Row>[] = [];
  let rest: Pages<Row> = before;
  for (let [page] = rest; page && page.items.length <= ROWS_MAX; [page] = rest) {
    rest = rest.slice(1);
    if (!(inSight.size === 0 ? done.length === 0 : inSight.has(done.length))) {
      done.push({ ...page, isStale: true });
      continue;
    }
    const now = await read(done.at(-1)?.searchId);
    done.push(now);
    const pushed = pushedOut(page, now);
    if (!pushed || now.searchId === undefined) return done;
    const [next] = rest;
    if (next) rest = [{ ...next, items: [...pushed, ...next.items] }, ...rest.slice(1)];
    else if (pushed.length > 0) rest = [{ items: pushed, searchId: page.searchId }];
  }
  return done;
}

/** The numbers of the pages that hold the rows from one to the other. */
export function pagesBetween<Row>(pages: Pages<Row>, first: Row | undefined, last: Row | undefined): Set<number> {
  const pageOf = (row: Row | undefined) =>
    row === undefined ? -1 : pages.findIndex(({ items }) => items.includes(row));
  const [from, to] = [pageOf(first), pageOf(last)];
  if (from === -1 && to === -1) return new Set();
  const [low, high] = from === -1 || to === -1 ? [Math.max(from, to), Math.max(from, to)] : [from, to];
  return new Set(Array.from({ length: high - low + 1 }, (_, at) => low + at));
}

/** All rows; one that has moved to another page since that was read stands where it came first. */
export function rowsOf<Row>(pages: Pages<Row>): readonly Row[] {
  const seen = new Set<string>();
  return pages
    .flatMap(({ items }) => items)
    .filter((row) => {
      const id = identityOf(row);
      if (id === undefined || pages.length === 1) return true;
      if (seen.has(id)) return false;
      seen.add(id);
      return true;
    });
}
