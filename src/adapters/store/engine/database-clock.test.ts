import { expect, test } from "vitest";
import { VirtualClock } from "../../../../test/fakes/virtual-clock.ts";
import { DatabaseClock } from "./database-clock.ts";

const START = Date.UTC(2026, 5, 1);
const DAY_MS = 86_400_000;

/** A machine whose date can be set, next to a PostgreSQL with a clock of its own. */
class Machine extends VirtualClock {
  shiftMs = 0;
  aheadMs = 0;
  answerMs = 0;
  override readonly now = () => new Date(this.nowMs + this.shiftMs);
  readonly clock = new DatabaseClock(this);

  /** Half of the round trip passes before PostgreSQL reads its clock. */
  compare(): Promise<void> {
    return this.clock.compare(async () => {
      this.nowMs += this.answerMs / 2;
      const nowMs = this.nowMs + this.aheadMs;
      this.nowMs += this.answerMs / 2;
      return [{ nowMs }];
    });
  }
}

test("the machine's own date counts while it may be PostgreSQL's, however slow the answer was", async () => {
  const machine = new Machine(START);
  for (const answerMs of [0, 2, 300_000]) {
    machine.answerMs = answerMs;
    await machine.compare();
    machine.nowMs += 1_000;
    expect(machine.clock.now()).toEqual(machine.now());
    expect([machine.clock.isRight, machine.clock.fault]).toEqual([true, undefined]);
  }
});

test.each([
  [30_000, true, undefined],
  [-30_000, true, undefined],
  [90_000, false, "90 s ahead of PostgreSQL's"],
  [-90_000, false, "90 s behind PostgreSQL's"],
  [60 * DAY_MS, false, "60 days ahead of PostgreSQL's"],
  [-60 * DAY_MS, false, "60 days behind PostgreSQL's"],
])("a date that is set %i ms off changes nothing, and is noticed without asking", async (shiftMs, isRight, fault) => {
  const machine = new Machine(START);
  await machine.compare();
  machine.shiftMs = shiftMs;
  machine.nowMs += 1_000;
  expect(machine.clock.now()).toEqual(new Date(START + 1_000));
  expect([machine.clock.isRight, machine.clock.fault]).toEqual([isRight, fault]);
  machine.shiftMs = 0;
  expect(machine.clock.isRight).toBe(true);
});

test("a PostgreSQL whose clock is set is followed, and not trusted either", async () => {
  const machine = new Machine(START);
  await machine.compare();
  machine.aheadMs = 60 * DAY_MS;
  expect(machine.clock.now()).toEqual(new Date(START));
  await machine.compare();
  expect(machine.clock.now()).toEqual(new Date(START + 60 * DAY_MS));
  expect(machine.clock.isRight).toBe(false);
});

test("a process that stood still while it asked is not taken for one with a wrong clock", async () => {
  const machine = new Machine(START);
  machine.answerMs = 3_600_000;
  await machine.compare();
  expect(machine.clock.isRight).toBe(true);
  machine.shiftMs = 60 * DAY_MS;
  expect(machine.clock.isRight).toBe(false);
});
