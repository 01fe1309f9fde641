import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { shownBy, writtenBy } from "./schemas.ts";

const schema = z.strictObject({
  sid: z.string(),
  recipients: z.array(z.string()),
  'a "quoted" name': z.string().nullable(),
  count: z.int(),
  isReply: z.boolean(),
  createdOn: z.date(),
  sentOn: z.date().nullable(),
});

const anyText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({
    unit: fc.constantFrom("a", '"', "\\", "\n", "\0", "\u001f", "\u007f", "\u2028", "\ud800", "\udfff", "😀"),
  }),
);
const anyDate = fc.date({ noInvalidDate: true });

test("what is written is what would be shown, whatever the texts", () => {
  const value = fc.record({
    sid: anyText,
    recipients: fc.array(anyText, { maxLength: 3 }),
    'a "quoted" name': fc.option(anyText),
    count: fc.oneof(fc.integer(), fc.double()),
    isReply: fc.boolean(),
    createdOn: anyDate,
    sentOn: fc.option(anyDate),
    notShown: anyText,
  });
  const show = shownBy(schema);
  const write = writtenBy(schema);
  fc.assert(
    fc.property(value, (given) => {
      expect(write(given)).toBe(JSON.stringify(show(given)));
    }),
    { numRuns: 200 },
  );
});
