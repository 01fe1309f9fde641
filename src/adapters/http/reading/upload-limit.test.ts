import { afterEach, expect, test, vi } from "vitest";
import { UploadLimit } from "./upload-limit.ts";

afterEach(() => vi.useRealTimers());

test("an account may have three forms read at a time, and all together eight", async () => {
  vi.useFakeTimers();
  const limit = new UploadLimit();
  const held = await Promise.all(["AC1", "AC1", "AC1", "AC2", "AC2", "AC2", "AC3"].map((sid) => limit.acquire(sid)));
  expect(held).not.toContain(undefined);
  const order: string[] = [];
  const fourth = limit.acquire("AC1").then((release) => order.push(`AC1 ${release !== undefined}`));
  const other = limit.acquire("AC4").then((release) => order.push(`AC4 ${release !== undefined}`));
  await other;
  expect(order, "who waits for its own does not keep others waiting").toStrictEqual(["AC4 true"]);
  held[0]?.();
  held[0]?.();
  await fourth;
  expect(order).toStrictEqual(["AC4 true", "AC1 true"]);
  const late = limit.acquire("AC5");
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await late, "nobody waits for ever").toBeUndefined();
});
