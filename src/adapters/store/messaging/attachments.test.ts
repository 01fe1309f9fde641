import { afterEach, beforeAll, expect, test } from "vitest";
import { useWebhookStore } from "../../../../test/fakes/webhook-store.ts";
import { makeIds } from "../../../base/ids.ts";
import type { MediaRecord } from "../../../domain/messaging/index.ts";
import { holding } from "../engine/conditions.ts";
import type { Queryable } from "../engine/database.ts";
import { expectMedia, findMedia, hasUnusedMedia, insertMedia, unusedMedia } from "./attachments.ts";

const store = useWebhookStore();
const HERE = { host: "here", isShared: false };
const THERE = { host: "there", isShared: false };
const S3 = { host: "here", isShared: true };
const SHA = "ab".repeat(32);
const WAITING = "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
const HOUR_MS = 3_600_000;
let ids: ReturnType<typeof makeIds>;

beforeAll(() => {
  ids = makeIds(store.clock);
});
afterEach(async () => {
  await store.db.query("delete from media_files");
  await store.db.query("delete from stored_media");
});

const record = (file: string | null): MediaRecord => ({
  ...{ sid: ids.sid("ME"), accountSid: store.accountSid, contentType: "image/png", name: "a.png" },
  ...{ sizeBytes: 1, sha256: SHA, file, createdOn: store.clock.now() },
});
const insert = (...records: readonly MediaRecord[]) => store.db.transaction((unit) => insertMedia(unit, records));
const remove = ({ sid }: MediaRecord) => store.db.query("delete from media_files where sid = $1", [sid]);
const later = (ms = 0) => new Date(Date.now() + 60_000 + ms);
const unusedOf = async (home: typeof HERE, now = later()) =>
  (await unusedMedia(store.db, home).list(now)).map(({ file, isShared }) => (isShared ? `${file} shared` : file));

/** A file with this many records. */
async function kept(count: number, home = HERE) {
  const file = ids.sid("ME");
  await expectMedia(store.db, file, home, new Date());
  const records = Array.from({ length: count }, () => record(file));
  await insert(...records);
  return { file, records };
}

test("a file is removed with its last record, where it is", async () => {
  const { file, records } = await kept(2);
  const [one, other] = records as [MediaRecord, MediaRecord];
  expect(await findMedia(store.db, one.sid)).toMatchObject({ file, sha256: SHA });
  await remove(one);
  expect([await unusedOf(HERE), await holding(store.db, [hasUnusedMedia(HERE)])]).toEqual([[], [false]]);
  await remove(other);
  expect([await unusedOf(HERE), await unusedOf(THERE)]).toEqual([[file], []]);
  expect(await holding(store.db, [hasUnusedMedia(HERE), hasUnusedMedia(THERE)])).toEqual([true, false]);
  const unused = unusedMedia(store.db, HERE);
  await unused.forget(await unused.list(later()));
  expect(await unusedOf(HERE)).toEqual([]);
});

test("two transactions that delete records of the same files in different orders do not deadlock", async () => {
  const [one, other] = [await kept(1), await kept(1)];
  const crossed = [record(other.file), record(one.file)];
  for (const each of crossed) await insert(each);
  const ending = await store.db.transaction(async (unit) => {
    const drop = (records: readonly MediaRecord[], db: Queryable = unit) =>
      db.query("delete from media_files where sid = any ($1)", [records.map(({ sid }) => sid)]);
    await drop(one.records);
    const crossing = Promise.allSettled([drop(crossed, store.db)]);
    await expect.poll(() => store.db.query(WAITING)).toHaveLength(1);
    await drop(other.records);
    return { crossing };
  });
  expect(await ending.crossing).toMatchObject([{ status: "fulfilled" }]);
  expect((await unusedOf(HERE)).toSorted()).toEqual([one.file, other.file]);
});

test("those that could not be removed are listed after the others, however many they are", async () => {
  const stuck = [];
  for (let count = 0; count < 100; count++) stuck.push(...(await kept(1)).records);
  for (const one of stuck) await remove(one);
  const good = await kept(1);
  for (const one of good.records) await remove(one);
  const unused = unusedMedia(store.db, HERE);
  const found = await unused.list(later());
  expect(found).toHaveLength(100);
  expect(found.map(({ file }) => file)).not.toContain(good.file);
  await unused.postpone(found, new Date());
  expect((await unusedOf(HERE))[0]).toBe(good.file);
});

test("one in S3 is removed by any process that has the bucket", async () => {
  const { file, records } = await kept(1, S3);
  for (const one of records) await remove(one);
  expect([await unusedOf({ ...S3, host: "there" }), await unusedOf(HERE)]).toEqual([[file], []]);
});

test("one whose process died before its records were stored is removed after an hour, and gets none after that", async () => {
  const { file } = await kept(0);
  expect([await unusedOf(HERE), await unusedOf(HERE, later(HOUR_MS))]).toEqual([[], [file]]);
  const unused = unusedMedia(store.db, HERE);
  const found = await unused.list(later(HOUR_MS));
  // Its records are stored at the last moment.
  const late = record(file);
  await insert(late);
  await unused.forget(found);
  await remove(late);
  expect(await unusedOf(HERE)).toEqual([file]);
  await unused.forget(await unused.list(later()));
  await expect(insert(record(file))).rejects.toThrow("too long");
});

test("one that waits for its records may soon be removed, and gets none any more", async () => {
  const file = ids.sid("ME");
  await expectMedia(store.db, file, HERE, new Date(Date.now() - 0.75 * HOUR_MS));
  await expect(insert(record(file))).rejects.toThrow("too long");
  const { file: other } = await kept(1);
  await store.db.query("update stored_media set due_at = now() where file = $1", [other]);
  await insert(record(other));
});

test("one from before goes when no other record has the same content", async () => {
  const [one, other] = [record(null), record(null)];
  await insert(one, other);
  await remove(one);
  expect(await unusedOf(HERE)).toEqual([`${SHA} shared`]);
  const unused = unusedMedia(store.db, THERE);
  const found = await unused.list(later());
  await remove(other);
  // What was seen before the last record went does not count.
  await unused.forget(found);
  expect(await unusedOf(THERE)).toEqual([SHA]);
  expect(await unusedOf(S3)).toEqual([SHA]);
});
