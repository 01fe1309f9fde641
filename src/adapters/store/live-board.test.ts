import { expect, test } from "vitest";
import { silent } from "../../../test/fakes/silent-log.ts";
import { useWebhookStore } from "../../../test/fakes/webhook-store.ts";
import type { LiveKey, PostedBatches } from "../../domain/live-log.ts";
import { LIVE_POSTED } from "./engine/channels.ts";
import { holding } from "./engine/conditions.ts";
import { newListener } from "./engine/listener.ts";
import { hasOldEntries, isWatchedElsewhere, liveBoard, sweepLiveEntries } from "./live-board.ts";

const store = useWebhookStore();
const OWN: LiveKey = { kind: "ApiRequest", accountSid: "AC1" };
const ALL: LiveKey = { kind: "SmppPdu", accountSid: null };

test("what is watched at one process is known at the others, until it is left or the time is over", async () => {
  const board = liveBoard(store.db);
  const now = new Date();
  const soon = new Date(now.getTime() + 30_000);
  const isWatched = async (process: string) => (await holding(store.db, [isWatchedElsewhere(process)]))[0];
  await board.watch("one", [OWN, ALL], soon, true);
  await board.watch("two", [ALL], soon, true);
  expect(await board.watchedElsewhere("two", now)).toEqual(expect.arrayContaining([OWN, ALL]));
  expect(await board.watchedElsewhere("one", now)).toEqual([ALL]);
  expect([await isWatched("one"), await isWatched("two")]).toEqual([true, true]);
  await board.watch("one", [OWN], soon, true);
  await board.watch("two", [], soon, true);
  expect(await board.watchedElsewhere("two", now)).toEqual([OWN]);
  expect(await isWatched("one")).toBe(false);
  expect(await board.watchedElsewhere("two", new Date(soon.getTime() + 1))).toEqual([]);
  expect(await isWatched("two")).toBe(false);
});

test("entries are found where the notification says, by those who watch them, for a while", async () => {
  const board = liveBoard(store.db);
  const notices: string[] = [];
  const channels = { [LIVE_POSTED]: async (notice: string) => void notices.push(notice) };
  const listener = newListener(store.connection, { channels, reload: async () => undefined }, silent);
  await listener.open();
  const entries = JSON.stringify([{ accountSid: "AC1", data: { text: "\u0000'\"" }, isUrgent: false, skipped: 1 }]);
  const batches = [
    { ...OWN, entries },
    { ...ALL, entries: "[]" },
  ];
  await board.post("one", batches, new Date());
  await expect.poll(() => notices, { timeout: 120_000 }).toHaveLength(1);
  await listener.close();
  const [process = "", first = "", last = ""] = (notices[0] ?? "").split(" ");
  const posted: PostedBatches = { process, first, last };
  expect(process).toBe("one");
  expect(await board.read(posted, [OWN])).toEqual({ batches: [batches[0]] });
  expect(await board.read(posted, [OWN, ALL])).toEqual({ batches });
  expect(await board.read({ ...posted, process: "two" }, [OWN, ALL])).toEqual({ batches: [] });
  const longAgo = new Date(0);
  expect(await board.postedElsewhere("two", longAgo)).toEqual([posted]);
  expect(await board.postedElsewhere("one", longAgo)).toEqual([]);
  expect(await board.postedElsewhere("two", new Date(Date.now() + 60_000))).toEqual([]);
  expect(await holding(store.db, [hasOldEntries])).toEqual([false]);
  await store.db.query("update live_entries set created_at = now() - interval '2 minutes'");
  expect(await holding(store.db, [hasOldEntries])).toEqual([true]);
  await sweepLiveEntries(store.db);
  expect(await board.read(posted, [OWN, ALL])).toEqual({ batches: [] });
});

test("what is more than fits into one read is left for the next", async () => {
  const board = liveBoard(store.db);
  const many = Array.from({ length: 250 }, (_, at) => ({ ...OWN, entries: JSON.stringify([at]) }));
  await board.post("many", many, new Date());
  const [posted] = await board.postedElsewhere("two", new Date(0));
  if (!posted) throw new Error("nothing was posted");
  const { batches, left } = await board.read(posted, [OWN]);
  if (!left) throw new Error("nothing is left");
  const rest = await board.read(left, [OWN]);
  expect([batches.length, rest.left]).toEqual([200, undefined]);
  expect([...batches, ...rest.batches]).toEqual(many);
});
