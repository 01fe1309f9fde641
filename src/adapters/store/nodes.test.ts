import { afterEach, expect, test } from "vitest";
import { useWebhookStore } from "../../../test/fakes/webhook-store.ts";
import type { NodeReport } from "../../domain/nodes.ts";
import { CALL_LOCKS, SENDING_LOCKS, WORKER_LOCKS } from "./engine/locks.ts";
import { THIS_PROCESS } from "./engine/this-process.ts";
import { forgetNode, nodeStore, reportNode } from "./nodes.ts";

const store = useWebhookStore();
afterEach(() => store.db.query("delete from nodes"));

const START = new Date("2026-06-01T12:00:00Z");
const after = (seconds: number) => new Date(START.getTime() + seconds * 1_000);

const reported = (sid: string, more: Partial<NodeReport> = {}): NodeReport => ({
  ...{ sid, host: "a", version: "0.2.0", roles: ["api", "worker"], url: "http://a:8080", state: "Ready", clock: "ok" },
  ...{ links: ["acme-east"], trunks: [], startedOn: START },
  ...more,
});

const report = (sid: string, seconds = 0, more?: Partial<NodeReport>) =>
  reportNode(store.db, reported(sid, more), after(seconds));
const list = (seconds = 0) => nodeStore(store.db).list(after(seconds));
/** From now on it is the report of a process on another machine. */
const moveAway = (sid: string) => store.db.query("update nodes set place = 'another machine' where sid = $1", [sid]);

test("a node is listed with what it says and what it holds", async () => {
  expect(await report("ND1")).toBe(false);
  const { place, pid, started } = THIS_PROCESS;
  const hold = (lockClass: number, id: number) =>
    store.db.query("insert into lease_holders values ($1, $2, 'a lease', $3, $4, $5)", [
      ...[lockClass, id, place, pid, started],
    ]);
  const { trunks: _, ...said } = reported("ND1");
  expect(await list()).toEqual([
    {
      ...said,
      ...{ leases: [], webhookSlots: 0, calls: 0, seenOn: START, drainAskedOn: null },
    },
  ]);
  await hold(SENDING_LOCKS, 0);
  await hold(WORKER_LOCKS, 7);
  await hold(CALL_LOCKS, 9);
  await store.db.query("insert into webhook_workers (id, started_at) values (7, now())");
  await store.db.query("update webhook_slots set worker = 7 where slot < 3");
  expect(await list()).toMatchObject([{ leases: ["Sending", "Webhooks", "Calls"], webhookSlots: 3, calls: 0 }]);
});

test("one that has not reported for fifteen seconds is silent, and forgotten after a day", async () => {
  await report("ND1");
  await moveAway("ND1");
  expect(await list(15)).toMatchObject([{ state: "Ready" }]);
  expect(await list(16)).toMatchObject([{ sid: "ND1", state: "Silent" }]);
  await report("ND2", 86_400);
  expect(await list(86_400)).toHaveLength(2);
  await report("ND2", 86_401);
  expect(await list(86_401)).toMatchObject([{ sid: "ND2" }]);
});

test("the trunks of other processes are known until these fall silent", async () => {
  const trunk = {
    ...{ name: "acme", isUp: true, reason: "", calls: 3, window: null, inFlight: 3, perSecond: 0.5, p95Ms: 40 },
    ...{ since: START, registration: { isUp: true, reason: "for 300 s" } },
  };
  await report("ND1", 0, { host: "b", trunks: [trunk, { ...trunk, name: "spare", since: null, registration: null }] });
  const nodes = nodeStore(store.db);
  expect(await nodes.trunksOfOthers(START), "its own").toEqual([]);
  await moveAway("ND1");
  expect(await nodes.trunksOfOthers(after(15))).toEqual([
    { host: "b", trunks: [trunk, { ...trunk, name: "spare", since: null, registration: null }] },
  ]);
  expect(await nodes.trunksOfOthers(after(16))).toEqual([]);
});

test("one that ended on the same machine is forgotten by the next one there", async () => {
  await report("ND1");
  await store.db.query("update nodes set started = 'earlier'");
  await report("ND2");
  expect(await list()).toMatchObject([{ sid: "ND2" }]);
});

test("an operator's wish reaches the node with its next report, and is kept", async () => {
  await report("ND1");
  const nodes = nodeStore(store.db);
  expect(await nodes.drain("ND1", after(1))).toMatchObject({ sid: "ND1", drainAskedOn: after(1) });
  expect(await nodes.drain("ND1", after(2))).toMatchObject({ drainAskedOn: after(1) });
  expect(await nodes.drain("ND2", after(2))).toBeUndefined();
  expect(await report("ND1", 5)).toBe(true);
  expect(await report("ND1", 10, { state: "Draining" })).toBe(true);
  expect(await list(10)).toMatchObject([{ state: "Draining", drainAskedOn: after(1) }]);
});

test("one that stops in order is not listed any more", async () => {
  await report("ND1");
  await forgetNode(store.db, "ND1");
  expect(await list()).toEqual([]);
});
