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
