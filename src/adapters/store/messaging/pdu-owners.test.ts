import { expect, test } from "vitest";
import { VirtualClock } from "../../../../test/fakes/virtual-clock.ts";
import type { Queryable } from "../engine/database.ts";
import { StoredPduOwners } from "./pdu-owners.ts";

const OWNER = { accountSid: "AC1", sid: "OM1" };
const receiptOf = (carrierId: string) => ({ kind: "receipt" as const, carrierId });

function newOwners(query: () => Promise<readonly object[]> = async () => []) {
  const clock = new VirtualClock();
  return { clock, owners: new StoredPduOwners({ query } as unknown as Queryable, clock) };
}

test("a receipt belongs to the message whose answer had its id, though the database is away", async () => {
  const { owners } = newOwners(() => Promise.reject(new Error("away")));
  owners.answered("one", "7", OWNER);
  expect(await owners.of("one", receiptOf("7"))).toEqual(OWNER);
  await expect(owners.of("other", receiptOf("7"))).rejects.toThrow("away");
});

test("a receipt of an id that no one knows waits for the answer with it, and not for ever", async () => {
  const { clock, owners } = newOwners();
  const [early, unknown] = [owners.of("one", receiptOf("7")), owners.of("one", receiptOf("8"))];
  await clock.advance(1_000);
  owners.answered("one", "7", OWNER);
  expect(await early).toEqual(OWNER);
  expect(clock.waiting).toBe(1);
  await clock.advance(4_000);
  expect(await unknown).toBeUndefined();
});

test("few receipts wait for answers, and none once the sender has ended", async () => {
  const { clock, owners } = newOwners();
  const waiting = Array.from({ length: 20 }, (_, at) => owners.of("one", receiptOf(String(at))));
  await clock.advance(0);
  expect(await owners.of("one", receiptOf("20"))).toBeUndefined();
  owners.clear();
  expect(new Set(await Promise.all(waiting))).toEqual(new Set([undefined]));
  expect(clock.waiting).toBe(0);
});

test("no more is asked for while many owners are looked up", async () => {
  let answer = (_rows: readonly object[]): void => undefined;
  const rows = new Promise<readonly object[]>((resolve) => {
    answer = resolve;
  });
  const { owners } = newOwners(() => rows);
  const asked = Array.from({ length: 20 }, () => owners.of("one", { kind: "inbound", to: "+14155550100" }));
  expect(owners.isBusy).toBe(true);
  answer([OWNER]);
  await Promise.all(asked);
  expect(owners.isBusy).toBe(false);
});
