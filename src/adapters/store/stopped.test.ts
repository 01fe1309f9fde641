import { expect, test } from "vitest";
import { useWebhookStore } from "../../../test/fakes/webhook-store.ts";
import { holding } from "./engine/conditions.ts";
import { areOthersStopped, stoppedStore } from "./stopped.ts";

const store = useWebhookStore();

test("it is known whether other trunks are stopped than those that are thought to be", async () => {
  const trunks = stoppedStore(store.db, "stopped_trunks");
  const thinking = (...names: string[]) => areOthersStopped(() => names);
  const isWrong = () => holding(store.db, [thinking(), thinking("a"), thinking("b", "a"), thinking("a", "c")]);
  expect(await isWrong()).toStrictEqual([false, true, true, true]);
  await trunks.stop("a", store.clock.now());
  expect(await isWrong()).toStrictEqual([true, false, true, true]);
  await trunks.stop("b", store.clock.now());
  expect(await isWrong()).toStrictEqual([true, true, false, true]);
  await trunks.start("b");
  await trunks.start("a");
  expect(await isWrong()).toStrictEqual([false, true, true, true]);
});
