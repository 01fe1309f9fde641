import { expect, test } from "vitest";
import { ORDER_WAIT_MS, ResourceOrder } from "./resource-order.ts";

const of = (sequence: number, resourceSid = "OM1", subscriptionSid = "WS1") => ({
  subscriptionSid,
  resourceSid,
  sequence,
});
const NOW = 1_000_000;

test("a delivery waits for the one before it while that one has not been tried, however long", () => {
  const order = new ResourceOrder();
  order.claim(of(1), undefined);
  order.claim(of(2), undefined);
  expect(order.heldUntil(of(1), NOW)).toBeUndefined();
  expect(order.heldUntil(of(2), NOW)).toBe(Number.POSITIVE_INFINITY);
  expect(order.heldUntil(of(2), NOW + 10 * ORDER_WAIT_MS)).toBe(Number.POSITIVE_INFINITY);
  order.end(of(1));
  expect(order.heldUntil(of(2), NOW)).toBeUndefined();
});

test("it waits a minute for one that failed, from the first attempt on, also while that one is tried again", () => {
  const order = new ResourceOrder();
  order.claim(of(1), undefined);
  order.retry(of(1), NOW, NOW);
  expect(order.heldUntil(of(2), NOW)).toBe(NOW + ORDER_WAIT_MS);
  order.claim(of(1), NOW);
  order.retry(of(1), NOW + 5_000, NOW + 5_000);
  expect(order.heldUntil(of(2), NOW + ORDER_WAIT_MS - 1)).toBe(NOW + ORDER_WAIT_MS);
  expect(order.heldUntil(of(2), NOW + ORDER_WAIT_MS)).toBeUndefined();
});

test("a replay of the one before it is waited for from the beginning", () => {
  const order = new ResourceOrder();
  order.retry(of(1), NOW, NOW);
  order.claim(of(1), undefined);
  expect(order.heldUntil(of(2), NOW + ORDER_WAIT_MS)).toBe(Number.POSITIVE_INFINITY);
});

test("each waits for the last of those before it, in whatever order they are claimed", () => {
  const order = new ResourceOrder();
  order.claim(of(3), undefined);
  order.retry(of(1), NOW, NOW);
  expect(order.heldUntil(of(3), NOW)).toBe(NOW + ORDER_WAIT_MS);
  order.claim(of(2), undefined);
  expect(order.heldUntil(of(3), NOW)).toBe(Number.POSITIVE_INFINITY);
  expect(order.heldUntil(of(2), NOW)).toBe(NOW + ORDER_WAIT_MS);
  order.end(of(2));
  expect(order.heldUntil(of(3), NOW)).toBe(NOW + ORDER_WAIT_MS);
});

test("each waits for the last of many", () => {
  const order = new ResourceOrder();
  for (const sequence of [1, 2, 3, 4]) order.claim(of(sequence), undefined);
  order.retry(of(4), NOW, NOW);
  expect(order.heldUntil(of(5), NOW)).toBe(NOW + ORDER_WAIT_MS);
});

test("of too many that were tried the oldest is no longer waited for", () => {
  const order = new ResourceOrder();
  for (let at = 0; at <= 200_000; at++) order.retry(of(1, `OM${at}`), NOW, NOW);
  expect(order.heldUntil(of(2, "OM0"), NOW)).toBeUndefined();
  expect(order.heldUntil(of(2, "OM1"), NOW)).toBe(NOW + ORDER_WAIT_MS);
});

test("other resources, and the same one for another subscription, are not waited for", () => {
  const order = new ResourceOrder();
  order.claim(of(1), undefined);
  expect(order.heldUntil(of(2, "OM2"), NOW)).toBeUndefined();
  expect(order.heldUntil(of(2, "OM1", "WS2"), NOW)).toBeUndefined();
});

test("what another process delivers from now on is forgotten, and nothing else", () => {
  const order = new ResourceOrder();
  order.claim(of(1), undefined);
  order.claim(of(1, "OM1", "WS2"), undefined);
  order.forget((sid) => sid === "WS1");
  expect(order.heldUntil(of(2), NOW)).toBeUndefined();
  expect(order.heldUntil(of(2, "OM1", "WS2"), NOW)).toBe(Number.POSITIVE_INFINITY);
});

test("one whose minute is over is forgotten, unless it is claimed again and its round began anew", () => {
  const order = new ResourceOrder();
  order.retry(of(1), NOW, NOW);
  order.retry(of(1, "OM2"), NOW, NOW);
  order.claim(of(1, "OM2"), undefined);
  order.retry(of(1, "OM3"), NOW + ORDER_WAIT_MS, NOW + ORDER_WAIT_MS);
  // Looked at as of earlier, to see what is still known.
  expect(order.heldUntil(of(2), NOW)).toBeUndefined();
  expect(order.heldUntil(of(2, "OM2"), NOW)).toBe(Number.POSITIVE_INFINITY);
  expect(order.heldUntil(of(2, "OM3"), NOW)).toBe(NOW + 2 * ORDER_WAIT_MS);
  order.retry(of(1, "OM4"), NOW - ORDER_WAIT_MS, NOW);
  expect(order.heldUntil(of(2, "OM4"), NOW - ORDER_WAIT_MS)).toBeUndefined();
});
