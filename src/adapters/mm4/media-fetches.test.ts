import fc from "fast-check";
import { expect, test } from "vitest";
import { VirtualClock } from "../../../test/fakes/virtual-clock.ts";
import { pause } from "../../base/clock.ts";
import { ok, refused } from "../../base/result.ts";
import type { Media, MediaFetcher } from "../../domain/messaging/index.ts";
import { MediaFetches } from "./media-fetches.ts";

const FETCH_MS = 15_000;

/** A fetcher that takes its time; what it refuses it refuses at once. URLs are `account/anything`. */
function fetchesOf({ places = 32, octetsMax = 1_000, fetchMs = FETCH_MS } = {}) {
  const clock = new VirtualClock();
  const begun: { readonly account: string; readonly url: string; readonly atMs: number }[] = [];
  const under = new Map<string, number>();
  const most = { all: 0, account: 0 };
  const fetcher: MediaFetcher = {
    async fetch(url, signal) {
      const account = url.split("/", 1)[0] as string;
      begun.push({ account, url, atMs: clock.nowMs });
      under.set(account, (under.get(account) ?? 0) + 1);
      most.account = Math.max(most.account, under.get(account) ?? 0);
      most.all = Math.max(
        most.all,
        [...under.values()].reduce((sum, count) => sum + count, 0),
      );
      const aborted = new Promise<void>((resolve) => signal?.addEventListener("abort", () => resolve()));
      if (!url.endsWith("/bad")) await Promise.race([pause(clock, fetchMs), aborted]);
      under.set(account, (under.get(account) ?? 0) - 1);
      if (url.endsWith("/bad") || signal?.aborted) return refused({ detail: "It is no picture." });
      return ok(pictureAt(url));
    },
  };
  const fetches = new MediaFetches(fetcher, { places, octetsMax });
  const fetchAll = (accountSid: string, mediaUrls: readonly string[], giveUp = new AbortController()) =>
    fetches.fetchAll({ accountSid, mediaUrls }, giveUp);
  return { clock, begun, most, under, fetchAll };
}

const pictureAt = (url: string): Media => ({ contentType: "image/png", name: url, bytes: new Uint8Array(100) });
const urlsOf = (account: string, count: number) => Array.from({ length: count }, (_, at) => `${account}/${at}`);

test("the media of a message are fetched side by side, and come in their order", async () => {
  const { clock, fetchAll } = fetchesOf();
  const urls = urlsOf("a", 8);
  expect(await clock.until(fetchAll("a", urls))).toEqual(ok(urls.map(pictureAt)));
  expect(clock.nowMs).toBe(FETCH_MS);
  expect(await fetchAll("a", [])).toEqual(ok([]));
});

test("90 messages of an account use a quarter of the places, and another's is fetched at once", async () => {
  const { clock, begun, most, fetchAll } = fetchesOf();
  for (const url of urlsOf("greedy", 90)) void fetchAll("greedy", [url]);
  await clock.advance(1_000);
  expect(begun).toHaveLength(8);
  await clock.until(fetchAll("small", ["small/0"]));
  expect(begun.filter(({ account }) => account === "small")).toEqual([
    { account: "small", url: "small/0", atMs: 1_000 },
  ]);
  await clock.advance(20 * FETCH_MS);
  expect([begun.length, most]).toEqual([91, { all: 9, account: 8 }]);
});

test.each([
  [1, 1],
  [4, 1],
  [5, 2],
  [32, 8],
  [100, 25],
])("of %i places an account has %i", async (places, share) => {
  const { clock, most, fetchAll } = fetchesOf({ places });
  for (const url of urlsOf("a", 200)) void fetchAll("a", [url]);
  await clock.advance(0);
  expect(most.account).toBe(share);
});

test("a small account waits for at most one fetch of every other account, however many wait and whenever it comes", async () => {
  const arrival = fc.record({
    account: fc.constantFrom("a", "b", "c", "d", "e", "f"),
    messages: fc.integer({ min: 1, max: 20 }),
    media: fc.integer({ min: 1, max: 10 }),
    afterMs: fc.integer({ min: 0, max: 3 * FETCH_MS }),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 12 }),
      fc.array(arrival, { maxLength: 12 }),
      fc.integer({ min: 0, max: 4 * FETCH_MS }),
      async (places, arrivals, smallAfterMs) => {
        const { clock, begun, most, fetchAll } = fetchesOf({ places, octetsMax: 10_000 });
        for (const { account, messages, media, afterMs } of arrivals) {
          clock.after(afterMs, () => {
            for (let sent = 0; sent < messages; sent++) void fetchAll(account, urlsOf(account, media));
          });
        }
        await clock.advance(smallAfterMs);
        const before = begun.length;
        const others = new Set(arrivals.map(({ account }) => account)).size;
        const beganMs = clock.nowMs;
        await clock.until(fetchAll("small", ["small/0"]));
        const at = begun.findIndex(({ account }) => account === "small");
        const meanwhile = begun.slice(before, at).map(({ account }) => account);
        // No other account is served twice before it, and it waits for no more rounds of fetches than that needs.
        expect(new Set(meanwhile).size).toBe(meanwhile.length);
        const rounds = 1 + Math.floor(others / places);
        expect((begun[at]?.atMs ?? 0) - beganMs).toBeLessThanOrEqual(rounds * FETCH_MS);
        expect(most.all).toBeLessThanOrEqual(places);
      },
    ),
    { numRuns: 60 },
  );
});

test("one bad picture refuses the message and ends its other fetches, also those that wait", async () => {
  const { clock, begun, under, fetchAll } = fetchesOf({ places: 8 });
  const fetched = fetchAll("a", ["a/0", "a/bad", "a/1", "a/2"]);
  expect(await fetched).toEqual(refused("a/bad: It is no picture."));
  expect([begun.map(({ url }) => url), under.get("a"), clock.nowMs]).toEqual([["a/0", "a/bad"], 0, 0]);
});

test("media that come to more than the carrier takes are refused, and nothing more is fetched", async () => {
  const { clock, begun, fetchAll } = fetchesOf({ places: 4, octetsMax: 250 });
  const urls = urlsOf("a", 6);
  expect(await clock.until(fetchAll("a", urls))).toEqual(
    refused("a/2: The carrier takes 250 bytes at most, and this is more."),
  );
  expect(begun).toHaveLength(3);
  expect(await clock.until(fetchAll("a", urls.slice(0, 2)))).toEqual(ok(urls.slice(0, 2).map(pictureAt)));
});

test("who gives up waits no longer, and its places are free", async () => {
  const { clock, begun, fetchAll } = fetchesOf({ places: 4 });
  const giveUp = new AbortController();
  const given = fetchAll("a", urlsOf("a", 5), giveUp);
  await clock.advance(1);
  giveUp.abort();
  expect(await given).toMatchObject({ ok: false });
  await clock.until(fetchAll("a", ["a/last"]));
  expect(begun.map(({ url }) => url)).toEqual(["a/0", "a/last"]);
});

test("what is given up at once is not fetched", async () => {
  const { clock, begun, fetchAll } = fetchesOf();
  const giveUp = new AbortController();
  const given = fetchAll("a", ["a/0"], giveUp);
  giveUp.abort();
  expect([await given, await fetchAll("a", ["a/1"], giveUp)]).toMatchObject([{ ok: false }, { ok: false }]);
  await clock.until(fetchAll("a", ["a/2"]));
  expect(begun.map(({ url }) => url)).toEqual(["a/2"]);
});

test("a fetcher that fails frees its place, and the fault is told", async () => {
  const fetcher: MediaFetcher = { fetch: (url) => Promise.reject(new Error(`no ${url}`)) };
  const fetches = new MediaFetches(fetcher, { places: 1, octetsMax: 1 });
  const giveUp = new AbortController();
  await expect(fetches.fetchAll({ accountSid: "a", mediaUrls: ["a/0", "a/1"] }, giveUp)).rejects.toThrow("no a/0");
  await expect(fetches.fetchAll({ accountSid: "a", mediaUrls: ["a/2"] }, new AbortController())).rejects.toThrow();
});
