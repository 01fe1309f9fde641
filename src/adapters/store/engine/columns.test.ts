import { beforeAll, expect, test } from "vitest";
import { useWebhookStore } from "../../../../test/fakes/webhook-store.ts";
import { table } from "./columns.ts";
import { fetchPage } from "./pages.ts";

interface Parcel {
  readonly sid: string;
  readonly labels: readonly string[] | null;
  readonly weightGrams: number;
  readonly isFragile: boolean;
  readonly content: { readonly items: readonly string[] } | null;
  readonly seal: Buffer | null;
  readonly sentOn: Date | null;
}

const PARCELS = table<Parcel>("parcels", {
  sid: "sid",
  labels: "labels text[]",
  weightGrams: "weight_grams integer",
  isFragile: "is_fragile boolean",
  content: "content jsonb",
  seal: "seal bytea",
  sentOn: "sent_at timestamptz",
});

const FULL: Parcel = {
  sid: "P1",
  labels: ['a "quoted" one', "{braces}, comma"],
  weightGrams: 250,
  isFragile: true,
  content: { items: ["cup", "saucer"] },
  seal: Buffer.from([0, 92, 120, 255]),
  sentOn: new Date("2026-11-16T08:00:00.123Z"),
};
const EMPTY: Parcel = {
  sid: "P2",
  labels: null,
  weightGrams: 0,
  isFragile: false,
  content: null,
  seal: null,
  sentOn: null,
};

const store = useWebhookStore();
beforeAll(async () => {
  await store.db.query(
    `create table parcels (id bigint generated always as identity primary key, sid text unique, labels text[], weight_grams integer,
       is_fragile boolean, content jsonb, seal bytea, sent_at timestamptz)`,
  );
  await store.db.query(PARCELS.insert, [PARCELS.rows([FULL, EMPTY])]);
});

test("records that are inserted come back as they were", async () => {
  expect(await store.db.query(`${PARCELS.select} order by sid`)).toEqual([FULL, EMPTY]);
  expect(await store.db.query(`select ${PARCELS.columnsOf("parcel")} from parcels as parcel where sid = 'P1'`)).toEqual(
    [FULL],
  );
});

test("some fields may be picked, and are read as the others are", async () => {
  const picked = await store.db.query(
    `select ${PARCELS.only(["sentOn", "sid"]).columns} from parcels where sid = 'P1'`,
  );
  expect(picked).toEqual([{ sid: FULL.sid, sentOn: FULL.sentOn }]);
});

test("a change sets the fields it has, null among them, and leaves those that are undefined", async () => {
  await store.db.transaction(async (unit) => {
    const { sets, values } = PARCELS.set({ weightGrams: undefined, content: { items: ["jug"] }, sentOn: null }, 2);
    const changed = await unit.query(
      `update parcels set ${sets.join(", ")} where sid = $1 returning ${PARCELS.columns}`,
      ["P1", ...values],
    );
    expect(changed).toEqual([{ ...FULL, content: { items: ["jug"] }, sentOn: null }]);
    await unit.query(`${PARCELS.insert} on conflict (sid) do update set ${PARCELS.excluded}`, [PARCELS.rows([FULL])]);
    expect(await unit.query(`${PARCELS.select} where sid = 'P1'`)).toEqual([FULL]);
  });
  expect(PARCELS.set({}, 1)).toEqual({ sets: [], values: [] });
});

test("what PostgreSQL cannot store in a text is replaced, not refused", async () => {
  await store.db.query(PARCELS.insert, [PARCELS.rows([{ ...EMPTY, sid: "P3\0", labels: ["\ud800"] }])]);
  const rows = await store.db.query<Parcel>(`${PARCELS.select} where sid like 'P3%'`);
  expect(rows).toEqual([{ ...EMPTY, sid: "P3\ufffd", labels: ["\ufffd"] }]);
  await store.db.query("delete from parcels where sid like 'P3%'");
});

test("records that are listed are read as they were, whatever columns lack values", async () => {
  const LISTED = PARCELS.only(["sid", "labels", "weightGrams", "isFragile", "sentOn"]);
  const listed = async (records: Parameters<typeof LISTED.lists>[0]) =>
    store.db.query(`select ${LISTED.columns} from ${LISTED.listed()} order by sid`, [...LISTED.lists(records)]);
  const { content: _, seal: __, ...full } = FULL;
  const { content: ___, seal: ____, ...empty } = EMPTY;
  expect(await listed([full, empty])).toEqual([full, empty]);
  const bare = { sid: "P2", labels: null, weightGrams: null, isFragile: null, sentOn: null };
  expect(await listed([{ sid: "P2" }, { sid: "P3", labels: [] }])).toEqual([bare, { ...bare, sid: "P3", labels: [] }]);
  expect(await listed([{ sid: 'P"\\\0', labels: ['\\"', "\ud800"] }])).toEqual([
    { ...bare, sid: 'P"\\\ufffd', labels: ['\\"', "\ufffd"] },
  ]);
  expect(await listed([])).toEqual([]);
});

test("a list is paged by any key, narrowed by any comparison, and shows no more than its columns", async () => {
  const { db } = store;
  const list = { of: PARCELS, key: ["weight_grams integer", "id bigint"] };
  const first = await fetchPage<Parcel>(db, { size: 1, direction: "Ascending" }, list);
  expect(first.items).toEqual([EMPTY]);
  const second = await fetchPage<Parcel>(db, { size: 1, direction: "Ascending", after: first.next }, list);
  expect(second).toEqual({ items: [FULL], first: expect.any(String) });
  const back = await fetchPage<Parcel>(db, { size: 1, direction: "Descending" }, list);
  expect(back.items).toEqual([FULL]);
  const where = { "weight_grams >=": 1, sid: undefined, is_fragile: true, "sent_at is not null": true };
  expect(await fetchPage(db, { size: 9, direction: "Ascending" }, { ...list, where })).toEqual(second);
  for (const after of ["x", "1", "1-x", "1-2-3", "9999999999999999999-1"]) {
    expect(await fetchPage(db, { size: 1, direction: "Ascending", after }, list)).toEqual({ items: [] });
  }
});

test("a list is paged by time to the microsecond", async () => {
  const times = ["2026-01-01T00:00:00.000002Z", "2026-01-01T00:00:00.000001Z"];
  const rows = [...times, ...times].map((time, at) => `('N${at}', '${time}'::timestamptz)`).join(", ");
  const list = {
    of: { columns: "name", from: `(values ${rows}) as given (name, at)` },
    key: ["at timestamptz", "name"],
  };
  const seen: string[] = [];
  for (let after: string | undefined, isLast = false; !isLast; isLast = after === undefined) {
    const page = await fetchPage<{ name: string }>(store.db, { size: 1, direction: "Descending", after }, list);
    seen.push(...page.items.map(({ name }) => name));
    after = page.next;
  }
  expect(seen).toEqual(["N2", "N0", "N3", "N1"]);
});
