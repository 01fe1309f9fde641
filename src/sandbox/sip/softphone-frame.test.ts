import fc from "fast-check";
import { expect, test } from "vitest";
import { readSoftphoneFrame, writeSound } from "./softphone-frame.ts";

const orderOf = (value: unknown) => readSoftphoneFrame(Buffer.from(JSON.stringify(value)), false);

test("a frame of sound is what was written", () => {
  fc.assert(
    fc.property(fc.int16Array({ minLength: 160, maxLength: 160 }), (samples) => {
      const read = readSoftphoneFrame(writeSound(samples), true);
      expect(read).toStrictEqual({ ok: true, value: { kind: "sound", samples } });
    }),
  );
});

test("any octets give a frame or a reason", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 700 }), fc.boolean(), (octets, isBinary) => {
      const read = readSoftphoneFrame(octets, isBinary);
      expect(read.ok || read.refusal.length > 0).toBe(true);
      if (isBinary) expect(read.ok).toBe(octets.length === 320);
    }),
  );
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(typeof orderOf(value).ok).toBe("boolean");
    }),
  );
});

test.each([{ do: "answer" }, { do: "reject" }, { do: "hangUp" }, { do: "call", to: "+1" }, { do: "press", key: "#" }])(
  "%j is an order",
  (order) => expect(orderOf(order)).toStrictEqual({ ok: true, value: { kind: "order", order } }),
);

test.each([
  null,
  [],
  "answer",
  {},
  { do: "sing" },
  { do: "answer", to: "+1" },
  { do: "answer", loudly: true },
  { do: "call" },
  { do: "call", to: 1 },
  { do: "call", to: "1".repeat(65) },
  { do: "press", key: "12" },
  { do: "press", key: "" },
  { do: "press", key: "x" },
  { do: "press", key: "1", to: "+1" },
])("%j is none", (order) => expect(orderOf(order).ok).toBe(false));

test("an order is bounded", () => {
  expect(readSoftphoneFrame(Buffer.from(`{"do":"answer"${" ".repeat(300)}}`), false).ok).toBe(false);
});
