import { expect, test } from "vitest";
import { readRange } from "./byte-range.ts";

test.each([
  [undefined, undefined],
  ["", undefined],
  ["bytes=-", undefined],
  ["bytes=5-2", undefined],
  ["bytes=0-1,4-5", undefined],
  ["lines=0-1", undefined],
  ["bytes=0-0", { first: 0, last: 0 }],
  ["bytes=0-", { first: 0, last: 9 }],
  ["Bytes=4-99", { first: 4, last: 9 }],
  ["bytes=-3", { first: 7, last: 9 }],
  ["bytes=-99", { first: 0, last: 9 }],
  ["bytes=-0", "beyond"],
  ["bytes=10-", "beyond"],
  ["bytes=999999999999999-", "beyond"],
])("of ten octets %s is %o", (header, range) => {
  expect(readRange(header, 10)).toEqual(range);
});
