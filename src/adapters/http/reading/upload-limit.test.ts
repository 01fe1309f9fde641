import { afterEach, expect, test, vi } from "vitest";
import { UploadLimit } from "./upload-limit.ts";

afterEach(() => vi.useRealTimers());

test("an account has room for three forms, and all together for eight", async () => {
  vi.useFakeTimers();
  const room = new UploadLimit();
  const inside = await Promise.all(["AC1", "AC1", "AC1", "AC2", "AC2", "AC2", "AC3"].map((sid) => room.enter(sid)));
  expect(inside).not.toContain(undefined);
  const order: string[] = [];
  const fourth = room.enter("AC1").then((leave) => order.push(`AC1 ${leave !== undefined}`));
  const other = room.enter("AC4").then((leave) => order.push(`AC4 ${leave !== undefined}`));
  await other;
  expect(order, "who waits for its own does not keep others waiting").toStrictEqual(["AC4 true"]);
  inside[0]?.();
  inside[0]?.();
  await fourth;
  expect(order).toStrictEqual(["AC4 true", "AC1 true"]);
  const late = room.enter("AC5");
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await late, "nobody waits for ever").toBeUndefined();
});
