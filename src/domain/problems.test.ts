import { expect, test } from "vitest";
import { mergeErrors } from "./problems.ts";

test("all that is told of a field is kept, and of ever so many fields a bounded number", () => {
  const many = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`a${at}`, ["One."]]));
  const merged = mergeErrors(many, { a0: ["Two."], b: ["Three."] });
  expect(Object.keys(merged)).toHaveLength(250);
  expect(merged.a0).toEqual(["One.", "Two."]);
});
