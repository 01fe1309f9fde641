import { expect, test } from "vitest";
import { VirtualClock } from "../../../../test/fakes/virtual-clock.ts";
import type { LiveBatch, LiveBoard, LiveKey, PostedBatches } from "../../../domain/live-log.ts";
import { LiveRelay } from "./live-relay.ts";
import { LiveTap, nameOf, PER_SECOND_MAX } from "./live-tap.ts";

/** The most batches of one read. */
const READ_MAX = 2;
const REQUESTS = new Set(["ApiRequest"] as const);

/** Processes on one board. What is notified is handled when `settle` is called. */
function newWorld(...names: readonly string[]) {
  const clock = new VirtualClock(Date.UTC(2026, 0, 1));
  const watches = new Map<string, { readonly keys: readonly LiveKey[]; readonly untilOn: Date }>();
  const batches: (LiveBatch & { readonly process: string; readonly postedOn: Date })[] = [];
  const notices: PostedBatches[] = [];
  const world = { isAway: false, isDeaf: false, reads: 0 };
  const board: LiveBoard = {
    watch: async (process, keys, untilOn) => void watches.set(process, { keys, untilOn }),
    watchedElsewhere: async (process, now) => {
      const others = [...watches].filter(([name, { untilOn }]) => name !== process && untilOn >= now);
      return [...new Map(others.flatMap(([, { keys }]) => keys.map((key) => [nameOf(key), key]))).values()];
    },
    async post(process, posted, postedOn) {
      if (world.isAway) throw new Error("away");
      const first = String(batches.length);
      batches.push(...posted.map((batch) => ({ ...batch, process, postedOn })));
      notices.push({ process, first, last: String(batches.length - 1) });
    },
    async read({ process, first, last }, keys) {
      world.reads++;
      if (world.isAway) throw new Error("away");
      const wanted = new Set(keys.map(nameOf));
      const found = [...batches.entries()].filter(
        ([at, batch]) => batch.process === process && at >= +first && at <= +last && wanted.has(nameOf(batch)),
      );
      const read = found.slice(0, READ_MAX);
      const next = found[READ_MAX];
      return { batches: read.map(([, batch]) => batch), left: next && { process, first: String(next[0]), last } };
    },
    async postedElsewhere(process, sinceOn) {
      const others = [...batches.entries()].filter(
        ([, batch]) => batch.process !== process && batch.postedOn >= sinceOn,
      );
      return [...new Set(others.map(([, batch]) => batch.process))].map((name) => {
        const ids = others.flatMap(([at, batch]) => (batch.process === name ? [String(at)] : []));
        return { process: name, first: ids[0] ?? "", last: ids.at(-1) ?? "" };
      });
    },
  };
  const processes = names.map((process) => {
    const tap = new LiveTap();
    const relay = new LiveRelay({ tap, board, process, clock });
    const happens = (n: number, accountSid: string | null = "AC1", more: object = {}) =>
      tap.publish({ kind: "ApiRequest", accountSid, data: { n, ...more } }, clock.now().getTime());
    return { tap, relay, happens };
  });
  const settle = async () => {
    for (const { relay } of processes) await relay.tellWatched();
    for (const { relay } of processes) await relay.follow();
    for (const { relay } of processes) await relay.send();
    const told = notices.splice(0);
    if (world.isDeaf) return;
    await Promise.all(processes.flatMap(({ relay }) => told.map((notice) => relay.read(notice))));
  };
  return { world, clock, batches, processes, settle };
}

test("what happens at one process is seen at another by whom it concerns, once", async () => {
  const { processes, settle, batches } = newWorld("one", "two", "three");
  const [one, two, three] = processes as [(typeof processes)[0], (typeof processes)[0], (typeof processes)[0]];
  const own = two.tap.listen("AC1", REQUESTS);
  const all = two.tap.listen(undefined, REQUESTS);
  const strange = three.tap.listen("AC2", REQUESTS);
  await settle();
  expect([one, two, three].map(({ tap }) => tap.isListened("ApiRequest"))).toEqual([true, true, true]);
  expect(one.tap.isListenedBy("ApiRequest", "AC3")).toBe(false);
  one.happens(1);
  one.happens(2, null);
  two.happens(3);
  await settle();
  const seen = (listener: typeof own) => listener.take().map(({ data }) => data.n);
  expect([seen(own), seen(all), seen(strange)]).toEqual([[3, 1], [3, 1, 2], []]);
  const posted = batches.length;
  for (const listener of [own, all, strange]) listener.close();
  await settle();
  one.happens(4);
  await settle();
  expect(batches).toHaveLength(posted);
  expect([one, two, three].some(({ tap, relay }) => tap.isListened("ApiRequest") || relay.isWatched)).toBe(false);
});

test("what was cut on the way is counted", async () => {
  const { processes, settle, clock, world } = newWorld("one", "two");
  const [one, two] = processes as [(typeof processes)[0], (typeof processes)[0]];
  const own = two.tap.listen("AC1", REQUESTS);
  await settle();
  for (let n = 0; n < PER_SECOND_MAX + 7; n++) one.happens(n);
  await settle();
  expect(own.take()).toHaveLength(PER_SECOND_MAX);
  await clock.advance(1_000);
  // The database is away, and one entry is too large.
  world.isAway = true;
  one.happens(-1);
  await expect(one.relay.send()).rejects.toThrow("away");
  world.isAway = false;
  one.happens(-2, "AC1", { text: "x".repeat(2_000_000) });
  await settle();
  one.happens(-3);
  await settle();
  expect(own.take()).toMatchObject([{ data: { n: -3 }, skipped: 9 }]);
});

test("what was not notified, or could not be read, is seen all the same, and once", async () => {
  const { processes, settle, clock, world } = newWorld("one", "two", "three");
  const [one, two, three] = processes as [(typeof processes)[0], (typeof processes)[0], (typeof processes)[0]];
  three.tap.listen("AC1", REQUESTS);
  await settle();
  one.happens(0);
  await settle();
  await clock.advance(1_000);
  const own = two.tap.listen("AC1", REQUESTS);
  const seen = () => own.take().map(({ data }) => data.n);
  await settle();
  world.isDeaf = true;
  one.happens(1);
  await settle();
  await two.relay.catchUp();
  expect(seen(), "none of before it was watched").toEqual([1]);
  one.happens(2);
  await settle();
  world.isDeaf = false;
  one.happens(3);
  await settle();
  expect(seen()).toEqual([2, 3]);
  one.happens(4);
  await one.relay.send();
  world.isAway = true;
  await expect(two.relay.read({ process: "one", first: "4", last: "4" })).rejects.toThrow("away");
  world.isAway = false;
  await two.relay.catchUp();
  await two.relay.catchUp();
  expect(seen()).toEqual([4]);
});

test("many batches at once are read one read after the other", async () => {
  const { processes, settle } = newWorld("one", "two");
  const [one, two] = processes as [(typeof processes)[0], (typeof processes)[0]];
  const accounts = Array.from({ length: 2 * READ_MAX + 1 }, (_, at) => `AC${at}`);
  const listeners = accounts.map((account) => two.tap.listen(account, REQUESTS));
  await settle();
  for (const [at, account] of accounts.entries()) one.happens(at, account);
  await settle();
  expect(listeners.map((listener) => listener.take().map(({ data }) => data.n))).toEqual(accounts.map((_, at) => [at]));
});

test("a process that died is not written for any longer", async () => {
  const { processes, settle, clock } = newWorld("one", "two");
  const [one, two] = processes as [(typeof processes)[0], (typeof processes)[0]];
  two.tap.listen("AC1", REQUESTS);
  await settle();
  expect(one.relay.isWatched).toBe(true);
  await clock.advance(31_000);
  await one.relay.follow();
  expect(one.relay.isWatched).toBe(false);
});
