import { beforeAll, beforeEach, expect, test } from "vitest";
import { useWebhookStore } from "../../../../test/fakes/webhook-store.ts";
import { holding } from "./conditions.ts";
import { claimDue, hasDue } from "./due-rows.ts";

const ERRANDS = { table: "errands", key: "name", dueAt: "due_at", returning: "name" };
const at = (minute: number) => new Date(Date.UTC(2026, 10, 16, 8, minute));

const store = useWebhookStore();
beforeAll(async () => {
  await store.db.query("create table errands (name text primary key, town text, due_at timestamptz not null)");
});
beforeEach(async () => {
  await store.db.query("delete from errands");
  await store.db.query(
    "insert into errands values ('post', 'here', $1), ('bank', 'there', $2), ('baker', 'here', $3)",
    [at(2), at(1), at(30)],
  );
});

const names = async (rows: Promise<readonly { readonly name: string }[]>) => (await rows).map(({ name }) => name);

test("what is due is claimed once, the longest due first, and is due again when the claim ends", async () => {
  const { db } = store;
  const claim = (now: Date, countMax: number) => names(claimDue(db, ERRANDS, { now, until: at(10), countMax }));
  expect(await claim(at(0), 9)).toEqual([]);
  expect(await claim(at(5), 1)).toEqual(["bank"]);
  expect(await claim(at(5), 9)).toEqual(["post"]);
  expect(await claim(at(9), 9)).toEqual([]);
  expect(await claim(at(10), 9)).toHaveLength(2);
});

test("whether something is due is known without claiming it", async () => {
  const isDue = (minute: number) => holding(store.db, [hasDue(ERRANDS, () => at(minute))]);
  expect([await isDue(0), await isDue(1), await isDue(29)]).toStrictEqual([[false], [true], [true]]);
  await claimDue(store.db, ERRANDS, { now: at(29), until: at(40), countMax: 9 });
  expect([await isDue(29), await isDue(30)]).toStrictEqual([[false], [true]]);
  await store.db.query("delete from errands");
  expect((await isDue(59)).includes(true)).toBe(false);
});

test("a claim may be narrowed", async () => {
  const narrow = { ...ERRANDS, where: "town = $4 and due.name <> $5", values: ["here", "baker"] };
  expect(await names(claimDue(store.db, narrow, { now: at(59), until: at(60), countMax: 9 }))).toEqual(["post"]);
});

test("nobody waits for what another is claiming, and nobody gets it too", async () => {
  const { db } = store;
  const order = { now: at(5), until: at(10), countMax: 1 };
  await db.transaction(async (unit) => {
    expect(await names(claimDue(unit, ERRANDS, order))).toEqual(["bank"]);
    expect(await names(claimDue(db, ERRANDS, order))).toEqual(["post"]);
  });
  expect(await names(claimDue(db, ERRANDS, order))).toEqual([]);
});
