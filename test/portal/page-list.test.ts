import fc from "fast-check";
import { expect, test } from "vitest";
import { type Pages, pagesBetween, readOn, refreshed, rowsOf } from "../../portal/src/components/page-list.ts";

interface Row {
  readonly sid: string;
  readonly status: string;
}

const SIZE = 5;
const row = (number: number, status = "Sent"): Row => ({ sid: `OM${String(number).padStart(4, "0")}`, status });

/** A list of the server, the newest first; a cursor is the sid of the last row before the page. */
class Server {
  asked = 0;
  rows: readonly Row[];

  constructor(count: number) {
    this.rows = Array.from({ length: count }, (_, at) => row(count - at));
  }

  add(count: number): void {
    const newest = this.rows.length;
    this.rows = [...Array.from({ length: count }, (_, at) => row(newest + count - at)), ...this.rows];
  }

  change(at: number, status: string): void {
    this.rows = this.rows.map((known, place) => (place === at ? { ...known, status } : known));
  }

  read = async (searchId: string | undefined) => {
    this.asked += 1;
    const rest = searchId === undefined ? this.rows : this.rows.filter(({ sid }) => sid < searchId);
    const items = rest.slice(0, SIZE);
    return { items, ...(rest.length > SIZE && { searchId: items.at(-1)?.sid }) };
  };

  async all(): Promise<Pages<Row>> {
    const pages = [await this.read(undefined)];
    for (let after = pages[0]?.searchId; after !== undefined; after = pages.at(-1)?.searchId) {
      pages.push(await this.read(after));
    }
    this.asked = 0;
    return pages;
  }
}

test("new rows come at the head by one request, and no other row is lost or shown twice", async () => {
  const server = new Server(23);
  const before = await server.all();
  server.add(3);
  const now = await refreshed(before, new Set([0]), server.read);
  expect(server.asked).toBe(1);
  expect(rowsOf(now)).toEqual(server.rows);
});

test("only pages in sight are read again; the others when they come into sight", async () => {
  const server = new Server(23);
  const before = await server.all();
  server.change(11, "Delivered");
  server.change(16, "Delivered");
  const now = await refreshed(before, new Set([2]), server.read);
  expect(server.asked).toBe(1);
  expect(now.map(({ isStale = false }) => isStale)).toEqual([true, true, false, true, true]);
  expect(rowsOf(now).flatMap(({ status }, at) => (status === "Delivered" ? [at] : []))).toEqual([11]);
  expect(rowsOf(await refreshed(now, new Set([3]), server.read))[16]?.status).toBe("Delivered");
});

test("rows that are pushed out of a page are read again with the next one", async () => {
  const server = new Server(SIZE + 1);
  const before = await server.all();
  server.add(1);
  server.change(SIZE, "Delivered");
  const now = await refreshed(before, new Set([0, 1]), server.read);
  expect(rowsOf(now)).toEqual(server.rows);
});

test("so many new rows that none is known begin the list anew", async () => {
  const server = new Server(23);
  const before = await server.all();
  server.add(SIZE + 1);
  const now = await refreshed(before, new Set([0]), server.read);
  expect(rowsOf(now)).toEqual(server.rows.slice(0, SIZE));
  expect(now[0]?.searchId).toBe(server.rows[SIZE - 1]?.sid);
});

test("rows that are deleted go, also where the list moves up for it", async () => {
  const server = new Server(23);
  const before = await server.all();
  server.rows = server.rows.filter((_, at) => at !== 1 && at !== 7);
  const now = await refreshed(before, new Set([0, 1]), server.read);
  expect(rowsOf(now)).toEqual(server.rows);
});

test("whatever happens, what is in sight is what the server has, once", async () => {
  const steps = fc.array(
    fc.oneof(
      fc.record({ kind: fc.constant("add" as const), of: fc.integer({ min: 1, max: 4 }) }),
      fc.record({ kind: fc.constant("change" as const), of: fc.nat(40) }),
    ),
    { maxLength: 8 },
  );
  await fc.assert(
    fc.asyncProperty(fc.nat(30), steps, async (count, changes) => {
      const server = new Server(count);
      let pages = await server.all();
      for (const { kind, of } of changes) {
        if (kind === "add") server.add(of);
        else server.change(of, "Delivered");
        // What is pushed behind the last page is read when the page has shown it.
        do pages = await refreshed(pages, new Set(pages.keys()), server.read);
        while (pages.some(({ isStale }) => isStale));
        expect(rowsOf(pages)).toEqual(server.rows.slice(0, rowsOf(pages).length));
        expect(new Set(rowsOf(pages)).size).toBe(rowsOf(pages).length);
      }
    }),
    { numRuns: 60 },
  );
});

test("rows are found in their pages", async () => {
  const pages = await new Server(23).all();
  const at = (place: number) => rowsOf(pages)[place];
  expect(pagesBetween(pages, at(3), at(12))).toEqual(new Set([0, 1, 2]));
  expect(pagesBetween(pages, at(22), undefined)).toEqual(new Set([4]));
  expect(pagesBetween(pages, undefined, undefined)).toEqual(new Set());
});

test("empty pages that are not the last are passed over, and the last may be empty", async () => {
  const found = { items: [row(1)], searchId: "2" };
  const server = (pages: number, last: typeof found | { readonly items: readonly Row[] }) => async (from?: string) =>
    Number(from ?? 0) < pages ? { items: [], searchId: String(Number(from ?? 0) + 1) } : last;
  expect(await readOn(server(0, found), undefined)).toBe(found);
  expect(await readOn(server(3, found), undefined)).toBe(found);
  expect(await readOn(server(3, { items: [] }), undefined)).toEqual({ items: [] });
  // A list with nothing but empty pages is not read for ever.
  expect(await readOn(server(1_000, found), "5")).toMatchObject({ items: [], searchId: expect.any(String) });
});
