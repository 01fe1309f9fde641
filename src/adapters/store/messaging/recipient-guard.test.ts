import fc from "fast-check";
import { expect, test } from "vitest";
import { VirtualClock } from "../../../../test/fakes/virtual-clock.ts";
import type { Limit } from "../../../domain/accounts/index.ts";
import { RecipientGuards } from "./recipient-guard.ts";

/** The counters of one database, which several processes share. */
class Counted {
  readonly used = new Map<string, number>();
  questions = 0;

  async take(subject: string, _class: string, limit: Limit, cost: number) {
    this.questions++;
    const used = this.used.get(subject) ?? 0;
    const admitted = used + cost <= limit.requests;
    if (admitted) this.used.set(subject, used + cost);
    return { admitted, remaining: 0, resetSeconds: 30 };
  }
}

const clock = new VirtualClock(Date.UTC(2026, 0, 1, 12, 0, 30));
const minute = (requests: number) => ({ requests, windowSeconds: 60 });

test("few messages to a recipient ask the database nothing", async () => {
  const counters = new Counted();
  const guard = new RecipientGuards(counters, clock).under(minute(100));
  for (let n = 0; n < 12; n++) expect((await guard.take("AC1", ["+1", "+2"])).ok).toBe(true);
  expect(counters.questions).toBe(0);
  expect((await guard.take("AC1", ["+1"])).ok).toBe(true);
  expect([...counters.used]).toEqual([["AC1 +1", 13]]);
});

test("a refusal names the recipient and how long to wait; a new window begins again", async () => {
  const guards = new RecipientGuards(new Counted(), clock);
  expect((await guards.under(minute(1)).take("AC1", ["+1"])).ok).toBe(true);
  expect(await guards.under(minute(1)).take("AC1", ["+2", "+1"])).toEqual({
    ok: false,
    refusal: { recipient: "+1", retryAfterSeconds: 30 },
  });
  const other = new RecipientGuards(new Counted(), clock).under(minute(16));
  for (let n = 0; n < 16; n++) expect((await other.take("AC1", ["+1"])).ok).toBe(true);
  expect((await other.take("AC1", ["+1"])).ok).toBe(false);
  clock.nowMs += 60_000;
  expect((await other.take("AC1", ["+1"])).ok).toBe(true);
});

test("one process lets through exactly the limit, several no more than a share of it more for each further one", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 60 }),
      fc.infiniteStream(fc.nat(3)),
      async (processes, requests, order) => {
        const counters = new Counted();
        const guards = Array.from({ length: processes }, () =>
          new RecipientGuards(counters, clock).under(minute(requests)),
        );
        let admitted = 0;
        for (let n = 0; n < requests * 3; n++) {
          const guard = guards[(order.next().value as number) % processes];
          if ((await guard?.take("AC1", ["+1"]))?.ok) admitted++;
        }
        expect(admitted).toBeLessThanOrEqual(requests + (processes - 1) * Math.floor(requests / 8));
        if (processes === 1) expect(admitted).toBe(requests);
      },
    ),
  );
});
