import fc from "fast-check";
import { expect, test } from "vitest";
import { isoTime } from "./iso-time.ts";

test("a time is written as it is, whatever was written before", () => {
  const times = fc.array(
    fc.oneof(
      fc.date({ noInvalidDate: true }),
      fc.nat(200).map((ms) => new Date(ms)),
    ),
  );
  fc.assert(
    fc.property(times, (dates) => {
      expect(dates.map(isoTime)).toEqual(dates.map((date) => date.toISOString()));
    }),
  );
});
