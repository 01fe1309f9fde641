import fc from "fast-check";
import { expect, test } from "vitest";
import type { Account } from "./account.ts";
import type { AccountStore, TokenRights, TokenSlot } from "./ports.ts";
import { addToken, promoteToken, removeToken, signingToken } from "./tokens.ts";

const RIGHTS: TokenRights = { signs: true, toolWrites: false };

/** The tokens of one account, as the store keeps them. */
function newAccount() {
  let slots: readonly TokenSlot[] = [];
  let made = 0;
  const texts = new Map<number, string | null>();
  const accounts = {
    findLocked: async () => ({ sid: "AC1" }) as Account,
    tokens: async () => slots,
    async addToken(_, { n, createdOn, signingText, toolWrites }) {
      texts.set(n, signingText);
      slots = [
        ...slots,
        { n, createdOn, signs: signingText !== null, toolWrites, lastUsedOn: null, isPromoted: false },
      ];
    },
    async promoteToken(_, n) {
      slots = slots.map((slot) => ({ ...slot, isPromoted: slot.n === n }));
    },
    async removeToken(_, n) {
      slots = slots.filter((slot) => slot.n !== n);
      return true;
    },
  } as Pick<AccountStore, "findLocked" | "tokens" | "addToken" | "promoteToken" | "removeToken"> as AccountStore;
  return {
    texts,
    signing: () => signingToken(slots.filter(({ signs }) => signs))?.n,
    add: (rights: TokenRights) =>
      addToken(
        {
          accounts,
          tokens: { make: () => ({ text: `token ${++made}`, digest: new Uint8Array() }) },
          now: new Date(made),
        },
        "AC1",
        rights,
      ),
    promote: (n: number) => promoteToken({ accounts }, "AC1", n),
    remove: (n: number) => removeToken({ accounts }, "AC1", n),
  };
}

test("only a signing token is stored itself", async () => {
  const account = newAccount();
  expect(await account.add({ signs: false, toolWrites: true })).toMatchObject({
    ok: true,
    value: { n: 1, token: "token 1", signs: false, toolWrites: true },
  });
  await account.add(RIGHTS);
  expect([...account.texts]).toStrictEqual([
    [1, null],
    [2, "token 2"],
  ]);
});

test("a token that does not sign, or is none, is not promoted, and the refusal says what to do", async () => {
  const account = newAccount();
  await account.add({ signs: false, toolWrites: false });
  expect(await account.promote(1)).toMatchObject({
    ok: false,
    refusal: { code: "conflict", detail: expect.stringContaining('{ "signs": true }') },
  });
  expect(await account.promote(2)).toMatchObject({ ok: false, refusal: { code: "not-found" } });
  expect(account.signing()).toBeUndefined();
});

type Step =
  | { readonly kind: "add"; readonly signs: boolean }
  | { readonly kind: "promote" | "remove"; readonly n: 1 | 2 };

test("one that signs goes on to sign until it is deleted or another is promoted, whatever is done", async () => {
  const place = fc.constantFrom(1 as const, 2 as const);
  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.record({ kind: fc.constant("add" as const), signs: fc.boolean() }),
    fc.record({ kind: fc.constantFrom("promote" as const, "remove" as const), n: place }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const account = newAccount();
      const signing = new Set<number>();
      let current: number | undefined;
      for (const given of steps) {
        if (given.kind === "add") {
          const added = await account.add({ signs: given.signs, toolWrites: false });
          if (added.ok && given.signs) signing.add(added.value.n);
        } else if (given.kind === "promote") {
          const promoted = await account.promote(given.n);
          expect(promoted.ok).toBe(signing.has(given.n));
          if (promoted.ok) current = given.n;
        } else if ((await account.remove(given.n)).ok) {
          signing.delete(given.n);
          if (current === given.n) current = undefined;
        }
        current ??= [...signing][0];
        expect(account.signing()).toBe(current);
      }
    }),
    { numRuns: 500 },
  );
});
