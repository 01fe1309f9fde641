import { expect, test } from "vitest";
import { silent } from "../../test/fakes/silent-log.ts";
import { type ClaimKind, giveBackStrays } from "./give-back.ts";

/** Records by id, those that were given back, and a holder whose records the test chooses. */
function newKind(ids: readonly string[], change: Partial<ClaimKind> = {}) {
  const held = new Set<string>();
  const given: string[] = [];
  const kind: ClaimKind = {
    name: "things",
    owned: async () => ids.map((id) => ({ id, version: `of ${id}` })),
    isHeld: (id) => held.has(id),
    claimsAnswered: async () => undefined,
    giveBackStrays: async (strays) => void given.push(...strays.map(({ id, version }) => `${id} ${version}`)),
    ...change,
  };
  return { kind, held, given };
}

test("what is owned and not held is given back as it was read", async () => {
  const { kind, held, given } = newKind(["1", "2", "3"]);
  held.add("2");
  expect(await giveBackStrays(kind, silent)).toBe(2);
  expect(given).toEqual(["1 of 1", "3 of 3"]);
});

test("what a claim under way brings is left alone", async () => {
  const { kind, held, given } = newKind(["1", "2"], {
    claimsAnswered: async () => void held.add("1"),
  });
  expect(await giveBackStrays(kind, silent)).toBe(1);
  expect(given).toEqual(["2 of 2"]);
});

test("while everything is held nobody waits for claims", async () => {
  const { kind, held, given } = newKind(["1"], { claimsAnswered: () => Promise.reject(new Error("waited")) });
  held.add("1");
  expect(await giveBackStrays(kind, silent)).toBe(0);
  expect(given).toEqual([]);
});
