import { expect, test } from "vitest";
import { mergeErrors } from "./problems.ts";

test("all messages of a field are kept, for a bounded number of fields", () => {
  const many = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`a${at}`, ["One."]]));
  const merged = mergeErrors(many, { a0: ["Two."], b: ["Three."] });
  expect(Object.keys(merged)).toHaveLength(250);
  expect(merged.a0).toEqual(["One.", "Two."]);
});
