import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Upload, UploadLimit } from "./upload-limit.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

interface FakeUpload extends Upload {
  isWhole: boolean;
  isCut: boolean;
}

function uploadOf(accountSid: string, bytesPerSecond = 0): FakeUpload {
  const sinceMs = performance.now();
  return {
    accountSid,
    isWhole: false,
    isCut: false,
    isArriving() {
      return !this.isWhole;
    },
    bytesRead: () => ((performance.now() - sinceMs) / 1000) * bytesPerSecond,
    cut() {
      this.isCut = true;
    },
  };
}

test("an account may have three forms read at a time, and all together eight", async () => {
  const limit = new UploadLimit();
  const held = await Promise.all(
    ["AC1", "AC1", "AC1", "AC2", "AC2", "AC2", "AC3"].map((sid) => limit.acquire(uploadOf(sid, 1e6))),
  );
  expect(held).not.toContain(undefined);
  const order: string[] = [];
  const fourth = limit.acquire(uploadOf("AC1")).then((release) => order.push(`AC1 ${release !== undefined}`));
  const other = limit.acquire(uploadOf("AC4", 1e6)).then((release) => order.push(`AC4 ${release !== undefined}`));
  await other;
  expect(order, "who waits for its own does not keep others waiting").toStrictEqual(["AC4 true"]);
  held[0]?.();
  held[0]?.();
  await fourth;
  expect(order).toStrictEqual(["AC4 true", "AC1 true"]);
});

test("nobody waits for ever", async () => {
  const limit = new UploadLimit();
  const accounts = Array.from({ length: 8 }, (_, at) => `AC${at}`);
  for (const sid of accounts) await limit.acquire(uploadOf(sid, 1e6));
  const late = limit.acquire(uploadOf("AC9"));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await late).toBeUndefined();
});

test("three accounts that dribble are cut off when another waits, and only as much as it takes", async () => {
  const limit = new UploadLimit();
  const dribbling = ["AC1", "AC1", "AC1", "AC2", "AC2", "AC2", "AC3", "AC3"].map((sid) => uploadOf(sid, 100));
  for (const upload of dribbling) await limit.acquire(upload);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(
    dribbling.filter(({ isCut }) => isCut),
    "nobody waits",
  ).toEqual([]);
  expect(await limit.acquire(uploadOf("AC4", 1e6))).toBeDefined();
  expect(dribbling.map(({ isCut }) => isCut)).toEqual([true, false, false, false, false, false, false, false]);
});

test("an account with several slow forms gives one up for an account with none, and one with one form does not", async () => {
  const limit = new UploadLimit();
  const many = ["AC1", "AC1", "AC1"].map((sid) => uploadOf(sid, 50_000));
  const single = ["AC2", "AC3", "AC4", "AC5", "AC6"].map((sid) => uploadOf(sid, 50_000));
  for (const upload of [...many, ...single]) await limit.acquire(upload);
  await vi.advanceTimersByTimeAsync(4_000);
  for (const sid of ["AC7", "AC8"]) expect(await limit.acquire(uploadOf(sid, 1e6))).toBeDefined();
  const late = limit.acquire(uploadOf("AC9"));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await late).toBeUndefined();
  expect(many.filter(({ isCut }) => isCut)).toHaveLength(2);
  expect(single.filter(({ isCut }) => isCut)).toEqual([]);
});

test("a form has a while to arrive, and one that is whole is not cut", async () => {
  const limit = new UploadLimit();
  const whole = Array.from({ length: 7 }, (_, at) => uploadOf(`AC${at}`));
  const slow = uploadOf("AC7");
  for (const upload of [...whole, slow]) await limit.acquire(upload);
  for (const upload of whole) upload.isWhole = true;
  const waiting = limit.acquire(uploadOf("AC9", 1e6));
  await vi.advanceTimersByTimeAsync(2_400);
  expect(slow.isCut).toBe(false);
  await vi.advanceTimersByTimeAsync(1_100);
  expect(await waiting).toBeDefined();
  expect(slow.isCut).toBe(true);
  expect(whole.filter(({ isCut }) => isCut)).toEqual([]);
});

test("an account that has many forms waiting leaves capacity for others, which come first", async () => {
  const limit = new UploadLimit();
  const held = await Promise.all(
    ["AC1", "AC1", "AC2", "AC2", "AC2", "AC3", "AC3", "AC3"].map((sid) => limit.acquire(uploadOf(sid, 1e6))),
  );
  const greedy = Array.from({ length: 50 }, () => limit.acquire(uploadOf("AC1", 1e6)));
  expect(await Promise.all(greedy.slice(10)), "those beyond ten do not wait").toEqual(Array(40).fill(undefined));
  const other = limit.acquire(uploadOf("AC4", 1e6));
  held[7]?.();
  expect(await other).toBeDefined();
});
