import fc from "fast-check";
import { expect, test } from "vitest";
import { VirtualClock } from "../../../test/fakes/virtual-clock.ts";
import { Admission } from "./admission.ts";

const TRY_MS = 50;

function admissionOf(messagesMax: number) {
  const clock = new VirtualClock();
  const told = { freed: 0 };
  const admission = new Admission({ messagesMax, clock, tryMs: TRY_MS, freed: () => told.freed++ });
  return { admission, clock, told };
}

/** Hands over messages of the account while there is capacity; returns how many were admitted. */
function fill(admission: Admission, account: string): number {
  let admitted = 0;
  while (admission.capacity() > 0) {
    if (!admission.admit(account)) break;
    admitted++;
  }
  return admitted;
}

test("an account that is alone has half of the link, and nothing of it is refused", () => {
  const { admission } = admissionOf(32);
  expect(admission.capacity()).toBe(16);
  expect(fill(admission, "greedy")).toBe(16);
  expect(admission.capacity()).toBe(0);
});

test("an account that has its share gets in as soon as a message of it leaves, and no sooner", () => {
  const { admission, told } = admissionOf(32);
  fill(admission, "greedy");
  expect(admission.admit("greedy")).toBe(false);
  admission.leave("greedy");
  expect([told.freed, admission.capacity(), admission.admit("greedy")]).toEqual([1, 1, true]);
});

test("beside a greedy account another gets in within one try, and the greedy one is refused once a try", async () => {
  const { admission, clock, told } = admissionOf(32);
  fill(admission, "greedy");
  for (let tries = 1; tries <= 10; tries++) {
    await clock.advance(TRY_MS);
    expect([told.freed, admission.capacity()]).toEqual([tries, 1]);
    expect([admission.admit("greedy"), admission.capacity()]).toEqual([false, 0]);
  }
  await clock.advance(TRY_MS);
  // As long as others come, nobody waits for a try.
  for (let small = 0; small < 5; small++) expect([admission.capacity(), admission.admit("small")]).toEqual([1, true]);
  expect([admission.admit("greedy"), admission.capacity()]).toEqual([false, 0]);
});

test("there is no timer while nobody has to wait", async () => {
  const { admission, clock } = admissionOf(8);
  expect(clock.waiting).toBe(0);
  fill(admission, "greedy");
  expect(clock.waiting).toBe(1);
  await clock.advance(10 * TRY_MS);
  expect([clock.waiting, admission.capacity()]).toEqual([0, 1]);
  admission.admit("greedy");
  admission.close();
  expect(clock.waiting).toBe(0);
});

test("as many accounts as there are places hold one each, and whoever comes then waits for one to leave", async () => {
  const { admission, clock, told } = admissionOf(4);
  for (const account of ["a", "b", "c", "d"]) {
    await clock.advance(TRY_MS);
    expect([admission.capacity() > 0, admission.admit(account)]).toEqual([true, true]);
  }
  const before = told.freed;
  await clock.advance(10 * TRY_MS);
  expect([admission.capacity(), admission.admit("e"), told.freed]).toEqual([0, false, before]);
  admission.leave("a");
  await clock.advance(TRY_MS);
  expect([admission.capacity(), told.freed, admission.admit("e")]).toEqual([1, before + 1, true]);
});

test("a message that is not here cannot leave", () => {
  expect(() => admissionOf(1).admission.leave("a")).toThrow("no message of a is here");
});

test("whatever happens: the link holds no more than it may, an account no more than is free, and the idle get in", async () => {
  const account = fc.constantFrom("a", "b", "c", "d", "e");
  const act = fc.oneof(
    fc.record({ kind: fc.constant("admit" as const), account }),
    fc.record({ kind: fc.constant("leave" as const), account }),
    fc.record({ kind: fc.constant("wait" as const) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 12 }), fc.array(act, { maxLength: 80 }), async (messagesMax, acts) => {
      const { admission, clock } = admissionOf(messagesMax);
      const held = new Map<string, number>();
      const all = () => [...held.values()].reduce((sum, count) => sum + count, 0);
      for (const step of acts) {
        if (step.kind === "wait") {
          await clock.advance(TRY_MS);
          // Nobody waits for longer than a try while there is something free.
          expect(admission.capacity() > 0).toBe(all() < messagesMax);
          continue;
        }
        const count = held.get(step.account) ?? 0;
        if (step.kind === "leave") {
          if (count === 0) continue;
          admission.leave(step.account);
          held.set(step.account, count - 1);
          continue;
        }
        const free = messagesMax - all();
        expect(admission.admit(step.account)).toBe(count < free);
        if (count < free) held.set(step.account, count + 1);
        expect(admission.capacity()).toBeLessThanOrEqual(messagesMax - all());
      }
    }),
  );
});
