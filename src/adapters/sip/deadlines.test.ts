import fc from "fast-check";
import { expect, test } from "vitest";
import { VirtualClock } from "../../../test/fakes/virtual-clock.ts";
import { Deadlines, type Due, UNPLANNED } from "./deadlines.ts";

class Item implements Due {
  plannedMs = UNPLANNED;
  readonly fired: number[] = [];
  wantedMs: number;

  constructor(wantedMs: number) {
    this.wantedMs = wantedMs;
  }

  dueMs(): number {
    return this.wantedMs;
  }

  fire(nowMs: number): void {
    this.fired.push(nowMs);
    this.wantedMs = UNPLANNED;
  }
}

test("everything fires once, at its deadline, also when that was moved back or forth", async () => {
  const ms = fc.integer({ min: 1, max: 1000 });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(ms, fc.option(ms)), { maxLength: 40 }), async (wishes) => {
      const clock = new VirtualClock();
      const deadlines = new Deadlines(clock);
      const items = wishes.map(([first]) => new Item(first));
      for (const item of items) deadlines.plan(item);
      for (const [at, [, moved]] of wishes.entries()) {
        const item = items[at];
        if (moved === null || !item) continue;
        item.wantedMs = moved;
        deadlines.plan(item);
      }
      await clock.advance(2000);
      expect(items.map(({ fired }) => fired)).toEqual(wishes.map(([first, moved]) => [moved ?? first]));
      expect(clock.waiting).toBe(0);
    }),
    { numRuns: 50 },
  );
});

test("what is planned while another fires comes in its turn, and nothing fires after the end", async () => {
  const clock = new VirtualClock();
  const deadlines = new Deadlines(clock);
  const late = new Item(30);
  const early = new Item(10);
  early.fire = (nowMs) => {
    early.fired.push(nowMs);
    early.wantedMs = nowMs + 10;
  };
  deadlines.plan(late);
  deadlines.plan(early);
  await clock.advance(35);
  expect([early.fired, late.fired]).toEqual([[10, 20, 30], [30]]);
  deadlines.close();
  await clock.advance(100);
  expect(early.fired).toHaveLength(3);
});
