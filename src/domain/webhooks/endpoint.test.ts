import { expect, test } from "vitest";
import { Endpoint } from "./endpoint.ts";

const AT_FIRST = 4;
const MOST = 128;

test("callbacks that arrive at URLs of their own are claimed more at a time, and some that fail as many as at first", () => {
  const endpoint = new Endpoint("WS1");
  expect(endpoint.claimable(0)).toBe(AT_FIRST);
  for (let count = 0; count < 40; count++) endpoint.learnElsewhere(true);
  expect(endpoint.claimable(0)).toBe(MOST);
  for (let count = 0; count < 40; count++) endpoint.learnElsewhere(false);
  expect(endpoint.claimable(0)).toBe(AT_FIRST);
});

test("what arrives elsewhere says nothing about a receiver that fails", () => {
  const endpoint = new Endpoint("WS1");
  endpoint.fail(0, false);
  const before = endpoint.claimable(0);
  for (let count = 0; count < 40; count++) endpoint.learnElsewhere(true);
  expect(endpoint.claimable(0)).toBe(before);
  expect(endpoint.failuresInARow).toBe(1);
});

test("few and large claims are made: none while more than half of what may be claimed is held", () => {
  const endpoint = new Endpoint("WS1");
  const claimable = (running: number) => {
    endpoint.running = running;
    return endpoint.claimable(0);
  };
  expect([1, 2, 3, 4].map(claimable)).toEqual([3, 2, 0, 0]);
});

test("a receiver that has failed twenty times while more is due is left alone for a second, however many more fail", () => {
  const endpoint = new Endpoint("WS1");
  for (let count = 0; count < 19; count++) endpoint.fail(0, true);
  expect(endpoint.claimable(0)).toBe(2);
  // Those that were under way fail, too.
  for (let count = 0; count < 5; count++) endpoint.fail(count, true);
  expect([999, 1_000].map((nowMs) => endpoint.claimable(nowMs))).toEqual([0, 2]);
  endpoint.fail(1_000, true);
  expect(endpoint.claimable(2_999)).toBe(0);
  endpoint.fail(3_000, false);
  expect(endpoint.claimable(3_000)).toBe(2);
});
