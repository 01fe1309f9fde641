import fc from "fast-check";
import { expect, test } from "vitest";
import { TokenBucket } from "./token-bucket.ts";

test("however it is asked, it gives no more than its rate and a twentieth of a second", () => {
  const waits = fc.array(fc.double({ min: 0, max: 500, noNaN: true }), { maxLength: 200 });
  fc.assert(
    fc.property(fc.double({ min: 0.1, max: 10_000, noNaN: true }), waits, (perSecond, ms) => {
      const bucket = new TokenBucket(perSecond, 0);
      let nowMs = 0;
      let taken = 0;
      for (const wait of ms) {
        nowMs += wait;
        const count = bucket.available(nowMs);
        bucket.take(count);
        taken += count;
      }
      expect(taken).toBeLessThanOrEqual(Math.max(1, perSecond / 20) + (nowMs / 1000) * perSecond + 1e-6);
    }),
  );
});

test.each([0.1, 1, 7, 300, 50_000])("who comes when it says is given something at %d a second", (perSecond) => {
  const bucket = new TokenBucket(perSecond, 0);
  bucket.take(bucket.available(0));
  let nowMs = 0;
  let taken = 0;
  for (let time = 0; time < 1000; time++) {
    nowMs = Math.ceil(bucket.readyMs(nowMs));
    const count = bucket.available(nowMs);
    expect(count).toBeGreaterThan(0);
    bucket.take(count);
    taken += count;
  }
  expect(taken / (nowMs / 1000) / perSecond).toBeCloseTo(1, 1);
});
