import { afterAll, beforeAll, expect, test } from "vitest";
import { openWebhookStore, type WebhookStore } from "../../../test/fakes/webhook-store.ts";
import { Unavailable } from "../../base/unavailable.ts";

let store: WebhookStore;

beforeAll(async () => {
  store = await openWebhookStore();
});
afterAll(() => store?.close());

test("a transaction whose session is ended in the middle of a statement fails as out of reach, and the next one works", async () => {
  const { db } = store;
  const broken = db.transaction((unit) => unit.query("select pg_terminate_backend(pg_backend_pid())"));
  await expect(broken).rejects.toBeInstanceOf(Unavailable);
  expect(await db.transaction((unit) => unit.query("select 1 as one"))).toEqual([{ one: 1 }]);
});

test("so does one whose session is ended between two statements", async () => {
  const { db } = store;
  const broken = db.transaction(async (unit) => {
    const [own] = await unit.query<{ pid: number }>("select pg_backend_pid() as pid");
    const pid = own?.pid;
    await db.query("select pg_terminate_backend($1)", [pid]);
    await expect.poll(() => db.query("select 1 from pg_stat_activity where pid = $1", [pid])).toEqual([]);
    await unit.query("select 1");
  });
  await expect(broken).rejects.toBeInstanceOf(Unavailable);
  expect(await db.transaction((unit) => unit.query("select 1 as one"))).toEqual([{ one: 1 }]);
});
