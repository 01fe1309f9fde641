import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { silent } from "../../../../test/fakes/silent-log.ts";
import { connectionTo, dropDatabase, newDatabase } from "../../../../test/shared-database.ts";
import type { Clock } from "../../../base/clock.ts";
import { LIMITS_WANTED } from "../engine/channels.ts";
import { Database } from "../engine/database.ts";
import { type Listener, newListener } from "../engine/listener.ts";
import { RateCounters } from "./rate-limits.ts";

const WINDOW_MS = 10_000;
const THOUSAND = { requests: 1_000, windowSeconds: WINDOW_MS / 1000 };

/** Stands still until it is set. Pauses end immediately; unless it is patient, it then advances by their length. */
class TurnedClock implements Clock {
  readonly isRight = true;
  nowMs = Date.UTC(2026, 0, 1, 12);
  isPatient = true;
  readonly now = () => new Date(this.nowMs);
  readonly elapsedMs = () => this.nowMs;
  readonly soon = (run: () => void) => void setImmediate(run);

  after(ms: number, run: () => void): () => void {
    if (!this.isPatient) this.nowMs += ms;
    const waiting = setImmediate(run);
    return () => clearImmediate(waiting);
  }

  nextWindow(): void {
    this.nowMs = (Math.floor(this.nowMs / WINDOW_MS) + 1) * WINDOW_MS;
  }
}

/** One of several processes on the same database. */
class Process {
  readonly counters: RateCounters;
  readonly #listener: Listener;

  constructor() {
    this.counters = new RateCounters(database, clock, () => true);
    const channels = { [LIMITS_WANTED]: (key: string) => this.counters.giveBack(key) };
    this.#listener = newListener(connectionTo(url), { channels, reload: async () => undefined }, silent);
    processes.add(this);
  }

  async open(): Promise<this> {
    await this.#listener.open();
    return this;
  }

  /** Its leases stay in the database. */
  async die(): Promise<void> {
    processes.delete(this);
    await this.#listener.close();
  }

  async take(subject: string, cost: number, limit = THOUSAND) {
    const { admitted, remaining } = await this.counters.take(subject, "lookup", limit, cost);
    return [admitted, remaining];
  }

  /** Takes 101 in a tenth of a second, and leases an eighth of what is left: at this rate it needs more in 250 ms. */
  async lease(subject: string): Promise<void> {
    expect(await this.take(subject, 100)).toStrictEqual([true, 900]);
    clock.nowMs += 100;
    expect(await this.take(subject, 1)).toStrictEqual([true, 899]);
    expect(await usedOf(subject)).toBe(101 + LEASED);
  }
}
const LEASED = 112;

let url: string;
let database: Database;
const clock = new TurnedClock();
const processes = new Set<Process>();

beforeAll(async () => {
  url = await newDatabase();
  database = new Database(connectionTo(url), silent);
});
beforeEach(() => {
  clock.isPatient = true;
  clock.nextWindow();
});
afterAll(async () => {
  for (const process of processes) await process.die();
  await database.close();
  await dropDatabase(url);
});

let subjects = 0;
const newSubject = () => `subject ${++subjects}`;

/** The count in the database, in which leases count as used. */
async function usedOf(subject: string): Promise<number> {
  const [row] = await database.query<{ used: string }>("select used from rate_windows where subject = $1", [subject]);
  return Number(row?.used);
}

test("a process that needs much answers from what it has leased, and every answer is exact", async () => {
  const [one, subject] = [await new Process().open(), newSubject()];
  await one.lease(subject);
  for (let remaining = 898; remaining >= 850; remaining--) {
    expect(await one.take(subject, 1)).toStrictEqual([true, remaining]);
  }
  expect(await usedOf(subject)).toBe(101 + LEASED);
  // More than the lease has left.
  expect(await one.take(subject, 849)).toStrictEqual([true, 1]);
  expect(await one.take(subject, 2)).toStrictEqual([false, 1]);
  expect(await one.take(subject, 1)).toStrictEqual([true, 0]);
  expect(await usedOf(subject)).toBe(1_000);
});

test("a lease that runs low is renewed, and requests do not wait for that", async () => {
  const [one, subject] = [await new Process().open(), newSubject()];
  await one.lease(subject);
  clock.nowMs += 50;
  for (let spent = 1; spent <= LEASED; spent++) expect(await one.take(subject, 1)).toStrictEqual([true, 899 - spent]);
  await expect.poll(() => usedOf(subject)).toBeGreaterThan(101 + LEASED);
});

test("nobody leases who would not hear others, who asks rarely, or of a small limit", async () => {
  const deaf = new RateCounters(database, clock);
  const [one, busy, rare, small] = [await new Process().open(), newSubject(), newSubject(), newSubject()];
  for (const cost of [30, 30]) {
    await deaf.take(busy, "lookup", THOUSAND, cost);
    await one.take(rare, cost / 30);
    await one.take(small, cost, { requests: 63, windowSeconds: 10 });
    clock.nowMs += 500;
  }
  expect([await usedOf(busy), await usedOf(rare), await usedOf(small)]).toStrictEqual([60, 2, 60]);
});

test("what one process has leased and not spent, another gets when it needs it", async () => {
  const [one, two, subject] = [await new Process().open(), await new Process().open(), newSubject()];
  await one.lease(subject);
  expect(await one.take(subject, 12)).toStrictEqual([true, 887]);
  expect(await two.take(subject, 700)).toStrictEqual([true, 1_000 - 101 - LEASED - 700]);
  expect(await two.take(subject, 187)).toStrictEqual([true, 0]);
  expect(await one.take(subject, 1)).toStrictEqual([false, 0]);
  expect(await usedOf(subject)).toBe(1_000);
});

test("of takings that travel together those wait that others have leased", async () => {
  const [one, two, subject] = [await new Process().open(), await new Process().open(), newSubject()];
  await one.lease(subject);
  const taken = await Promise.all([700, 80, 80, 80].map((cost) => two.take(subject, cost)));
  expect(taken.map(([admitted]) => admitted)).toStrictEqual([true, true, true, false]);
  expect(await usedOf(subject)).toBe(961);
});

test("what a dead process had leased is used until the window ends, and nobody waits for it twice", async () => {
  const [one, two, subject] = [await new Process().open(), await new Process().open(), newSubject()];
  await one.lease(subject);
  await one.die();
  clock.isPatient = false;
  const before = clock.nowMs;
  expect(await two.take(subject, 800)).toStrictEqual([false, 1_000 - 101 - LEASED]);
  expect(clock.nowMs - before).toBeGreaterThanOrEqual(500);
  const after = clock.nowMs;
  expect(await two.take(subject, 800)).toStrictEqual([false, 1_000 - 101 - LEASED]);
  expect(clock.nowMs).toBe(after);
  clock.nextWindow();
  expect(await two.take(subject, 1_000)).toStrictEqual([true, 0]);
});

test("a process that was written off may spend what it has leased, and no more", async () => {
  const [one, two, subject] = [await new Process().open(), await new Process().open(), newSubject()];
  await one.lease(subject);
  await database.query("update rate_windows set leases = '{}' where subject = $1", [subject]);
  expect(await two.take(subject, 1_000 - 101 - LEASED)).toStrictEqual([true, 0]);
  for (let spent = 0; spent < LEASED; spent++) expect((await one.take(subject, 1))[0]).toBe(true);
  expect((await one.take(subject, 1))[0]).toBe(false);
});

test("who closes gives back", async () => {
  const [one, subject] = [await new Process().open(), newSubject()];
  await one.lease(subject);
  await one.counters.close();
  expect(await usedOf(subject)).toBe(101);
});

test("a lease is of its window and its limit", async () => {
  const [one, subject] = [await new Process().open(), newSubject()];
  await one.lease(subject);
  const lower = { requests: 150, windowSeconds: 10 };
  expect(await one.take(subject, 1, lower)).toStrictEqual([true, 48]);
  expect(await one.take(subject, 49, lower)).toStrictEqual([false, 48]);
  clock.nextWindow();
  expect(await one.take(subject, 1_000)).toStrictEqual([true, 0]);
  expect((await one.take(subject, 1))[0]).toBe(false);
});

type Step = { readonly process: number } & (
  | { readonly kind: "take"; readonly costs: readonly number[] }
  | { readonly kind: "pass"; readonly ms: number }
  | { readonly kind: "die" }
);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant("take" as const),
      process: fc.nat(2),
      costs: fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 8 }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("pass" as const),
      process: fc.constant(0),
      ms: fc.integer({ min: 5, max: 60 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("die" as const), process: fc.nat(2) }) },
);

test("processes that lease and die never admit more than the limit, and none starves", {
  timeout: 120_000,
}, async () => {
  const three = [await new Process().open(), await new Process().open(), await new Process().open()];
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), fc.integer({ min: 64, max: 900 }), async (steps, requests) => {
      const [limit, subject] = [{ requests, windowSeconds: WINDOW_MS / 1000 }, newSubject()];
      clock.nextWindow();
      const windowStart = clock.nowMs;
      let [used, deaths] = [0, 0];
      clock.isPatient = true;
      const takeAll = (process: number, costs: readonly number[]) =>
        Promise.all(
          costs.map(async (cost) => {
            const [admitted] = await (three[process] as Process).take(subject, cost, limit);
            if (admitted) used += cost;
            return admitted;
          }),
        );
      for (const each of steps) {
        if (each.kind === "take") await takeAll(each.process, each.costs);
        else if (each.kind === "pass") clock.nowMs += each.ms;
        else {
          await three[each.process]?.die();
          three[each.process] = await new Process().open();
          deaths++;
          clock.isPatient = false;
        }
        expect(used).toBeLessThanOrEqual(requests);
      }
      for (let cost = 512; cost > 0; cost >>= 1) while ((await takeAll(0, [cost]))[0]);
      expect(used).toBeLessThanOrEqual(requests);
      // While a request waited for the dead process, the lease of a living one may have been written off as well.
      if (deaths === 0) expect(used).toBe(requests);
      else if (clock.nowMs < windowStart + WINDOW_MS)
        expect(used).toBeGreaterThanOrEqual(Math.floor(requests * (7 / 8) ** (deaths + 3)));
      clock.nextWindow();
      expect((await takeAll(2, [requests]))[0]).toBe(true);
    }),
    { numRuns: 40 },
  );
});
