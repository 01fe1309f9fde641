import { expect, test } from "vitest";
import { FairCache } from "./fair-cache.ts";

test("the cache takes what does not fit from the account that holds the most", () => {
  const cache = new FairCache<number>({ sizeMax: 18_000, sizeOf: (size) => size + 1_000 });
  const add = (accountSid: string, key: string, size: number) => cache.add(accountSid, key, size);
  add("small", "notice", 1_000);
  for (let at = 0; at < 100; at++) add("greedy", `text ${at}`, 1_000);
  expect(cache.find("notice")).toBe(1_000);
  expect(["text 91", "text 92", "text 99"].map((key) => cache.find(key))).toEqual([undefined, 1_000, 1_000]);
  // Another account's value that is made again is then that account's.
  add("greedy", "notice", 1_000);
  add("greedy", "more", 17_000);
  expect([cache.find("notice"), cache.find("more")]).toEqual([undefined, 17_000]);
});

test("what was used last stays, and what is removed makes room", () => {
  const cache = new FairCache<string>({ sizeMax: 2, sizeOf: () => 1 });
  cache.add("a", "one", "1");
  cache.add("a", "two", "2");
  cache.find("one");
  cache.add("a", "three", "3");
  expect(["one", "two", "three"].map((key) => cache.find(key))).toEqual(["1", undefined, "3"]);
  cache.remove("one");
  cache.add("a", "four", "4");
  expect(["three", "four"].map((key) => cache.find(key))).toEqual(["3", "4"]);
});
