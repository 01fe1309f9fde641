import fc from "fast-check";
import { expect, test } from "vitest";
import { Admission } from "./admission.ts";

function admissionOf(messagesMax: number) {
  const told = { freed: 0 };
  return { admission: new Admission({ messagesMax, freed: () => told.freed++ }), told };
}

/** Hands over messages of the account while there is room; returns how many were admitted. */
function fill(admission: Admission, account: string): number {
  let admitted = 0;
  while (admission.admit(account)) admitted++;
  return admitted;
}

test("an account has as many places as are left free", () => {
  const { admission } = admissionOf(32);
  expect([admission.roomFor("greedy"), fill(admission, "greedy"), admission.free]).toEqual([16, 16, 16]);
  expect([admission.roomFor("small"), fill(admission, "small")]).toEqual([8, 8]);
  expect([admission.roomFor("greedy"), admission.roomFor("other")]).toEqual([0, 4]);
});

test("an account that has its share gets in when messages leave, which is told", () => {
  const { admission, told } = admissionOf(32);
  fill(admission, "greedy");
  admission.leave("greedy");
  expect([told.freed, fill(admission, "greedy")]).toEqual([1, 1]);
});

test("as many accounts as there are places hold one each, and whoever comes then waits for one to leave", () => {
  const { admission } = admissionOf(4);
  expect(["a", "b", "c", "d", "e"].map((account) => admission.admit(account))).toEqual([true, true, true, true, false]);
  admission.leave("a");
  expect([admission.roomFor("b"), admission.admit("e")]).toEqual([0, true]);
});

test("a message that is not here cannot leave", () => {
  expect(() => admissionOf(1).admission.leave("a")).toThrow("no message of a is here");
});

test("whatever happens: an account holds no more than is free after it, and one that holds none gets in", () => {
  const act = fc.record({ isAdmit: fc.boolean(), account: fc.constantFrom("a", "b", "c", "d", "e") });
  fc.assert(
    fc.property(fc.array(act, { maxLength: 100 }), fc.integer({ min: 1, max: 12 }), (acts, messagesMax) => {
      const { admission } = admissionOf(messagesMax);
      const held = new Map<string, number>();
      for (const { isAdmit, account } of acts) {
        const before = held.get(account) ?? 0;
        if (isAdmit) {
          const isAdmitted = admission.admit(account);
          if (before === 0) expect(isAdmitted).toBe(total(held) < messagesMax);
          if (isAdmitted) held.set(account, before + 1);
          if (isAdmitted) expect(before).toBeLessThanOrEqual(admission.free);
        } else if (before > 0) {
          admission.leave(account);
          held.set(account, before - 1);
        }
        expect(admission.free).toBe(messagesMax - total(held));
      }
    }),
  );
});

const total = (held: ReadonlyMap<string, number>) => [...held.values()].reduce((sum, count) => sum + count, 0);
