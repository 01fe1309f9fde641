import fc from "fast-check";
import { expect, test } from "vitest";
import { useWebhookStore } from "../../../../test/fakes/webhook-store.ts";
import { plainArray, textArray } from "./array-text.ts";

const store = useWebhookStore();

const readBack = async (text: string, type: string) =>
  (await store.db.query<{ value: unknown }>(`select value from unnest($1::${type}[]) as value`, [text])).map(
    (row) => row.value,
  );

test("PostgreSQL reads back any text as it was, but for NUL and halves of characters", async () => {
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom("", "NULL", "null", " ", "{}", ",", '"', "\\", '\\"', "\0", "a\0\\"),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(text), { maxLength: 20 }), async (texts) => {
      const stored = texts.map((each) => each?.toWellFormed().replaceAll("\0", "\ufffd") ?? null);
      expect(await readBack(textArray(texts), "text")).toEqual(stored);
    }),
  );
});

test("plain values are read back as they were", async () => {
  expect(await readBack(plainArray([]), "int")).toEqual([]);
  expect(await readBack(plainArray([1, null, -3]), "int")).toEqual([1, null, -3]);
  expect(await readBack(plainArray(["WS1", null]), "text")).toEqual(["WS1", null]);
  const at = "2026-01-01T00:00:00.123Z";
  expect(await readBack(plainArray([at, null]), "timestamptz")).toEqual([new Date(at), null]);
});
