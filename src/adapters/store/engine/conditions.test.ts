import { expect, test } from "vitest";
import { useWebhookStore } from "../../../../test/fakes/webhook-store.ts";
import { type Condition, holding } from "./conditions.ts";

const store = useWebhookStore();

test("each condition is answered in its place, with its own values", async () => {
  const isMore = (than: number): Condition => {
    return (bind) => `(select count(*) from (values (1), (2), (3)) as three) > ${bind(than)}::int`;
  };
  const isNamed: Condition = (bind) => `${bind("b")}::text = any (${bind(["a", "b"])}::text[])`;
  expect(await holding(store.db, [isMore(2), isMore(3), isNamed])).toStrictEqual([true, false, true]);
  // Runs under the same prepared name, because the text is the same.
  expect(await holding(store.db, [isMore(5), isMore(0), isNamed])).toStrictEqual([false, true, true]);
  expect(await holding(store.db, [isNamed])).toStrictEqual([true]);
});
