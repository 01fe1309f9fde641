import { beforeEach, expect, test } from "vitest";
import { silent } from "../../../test/fakes/silent-log.ts";
import { VirtualClock } from "../../../test/fakes/virtual-clock.ts";
import { ok, refused } from "../../base/result.ts";
import { giveBackStrays } from "../give-back.ts";
import { SegmentFinisher } from "./finish-segments.ts";
import type { SegmentQueue, WaitingSegment } from "./ports.ts";

interface Row {
  readonly segment: WaitingSegment;
  state: "Waiting" | "Encoding" | "Done" | "Failed" | "Deleted";
  dueMs: number;
  attempts: number;
  fault: string | null;
  hasRaw: boolean;
}

let clock: VirtualClock;
let rows: Row[];
let stored: Map<string, string>;
let discarded: string[];
let encodings: number;
let mostAtOnce: number;
let finisher: SegmentFinisher;
let encodeFault: { reason: string; isPassing: boolean } | undefined;
let isAway: boolean;
let onPut: () => void;
let put: (key: string) => Promise<void>;
/** How many of the next writes of an outcome fail. */
let outage: number;
let looks: number;
const LOOKS_MAX = 10_000;

beforeEach(() => {
  clock = new VirtualClock(1_000_000);
  rows = [];
  stored = new Map();
  discarded = [];
  encodings = mostAtOnce = 0;
  encodeFault = undefined;
  isAway = false;
  outage = looks = 0;
  onPut = () => undefined;
  put = async () => undefined;
  let atOnce = 0;
  finisher = new SegmentFinisher({
    queue: fakeQueue(),
    encoder: {
      places: 2,
      async encode({ rawFile }) {
        encodings += 1;
        mostAtOnce = Math.max(mostAtOnce, ++atOnce);
        await new Promise<void>((resolve) => void clock.after(100, resolve));
        atOnce -= 1;
        if (encodeFault) return refused(encodeFault);
        return ok({ path: `/encoded/${rawFile}`, samples: 8_000, sizeBytes: 4_000, sha256: "00" });
      },
      discard: async (rawFile) => void discarded.push(rawFile),
      discardRaw: async (rawFile) => {
        // Never before its file is stored.
        expect(stored.has(`key-${rawFile}`)).toBe(true);
        discarded.push(`raw ${rawFile}`);
      },
      close: async () => {
        encodeFault = { reason: "closed", isPassing: false };
      },
    },
    files: {
      async put(key, { path }) {
        if (isAway) throw new Error("connection refused");
        await put(key);
        stored.set(key, path);
        onPut();
      },
      read: async () => undefined,
      remove: async (keys) => {
        for (const key of keys) stored.delete(key);
      },
    },
    clock,
    log: silent,
  });
});

function fakeQueue(): SegmentQueue {
  const rowOf = ({ rawFile }: WaitingSegment) => rows.find(({ segment }) => segment.rawFile === rawFile) as Row;
  return {
    async release() {
      looks += 1;
      if (looks > LOOKS_MAX) throw new Error("looks for segments without end");
    },
    owned: async () =>
      rows
        .filter(({ state }) => state === "Encoding")
        .map(({ segment: { recordingSid, index } }) => ({ id: `${recordingSid}/${index}`, version: "1" })),
    async giveBackStrays(strays) {
      for (const row of rows) if (strays.some(({ id }) => id.endsWith(`/${row.segment.index}`))) row.state = "Waiting";
    },
    async claim({ countMax, now, notOf }) {
      const heads = new Map<string, Row>();
      for (const row of rows) {
        const { accountSid } = row.segment;
        const isDue = row.state === "Waiting" && row.dueMs <= now.getTime() && !notOf.includes(accountSid);
        if (isDue && !heads.has(accountSid)) heads.set(accountSid, row);
      }
      const due = [...heads.values()].slice(0, countMax);
      for (const row of due) row.state = "Encoding";
      return due.map(({ segment, attempts }) => ({ ...segment, attempts }));
    },
    async done(segment) {
      if (outage-- > 0) throw new Error("no connection");
      const row = rowOf(segment);
      if (row.state === "Deleted") return "deleted";
      row.state = "Done";
      return "done";
    },
    async putOff(segment, { until, reason }) {
      if (outage-- > 0) throw new Error("no connection");
      const row = rowOf(segment);
      const attempts = row.attempts + (reason === null ? 0 : 1);
      Object.assign(row, { state: "Waiting", dueMs: until.getTime(), attempts, fault: reason ?? row.fault });
    },
    async giveUp(segment, reason) {
      Object.assign(rowOf(segment), { state: "Failed", fault: reason });
    },
    complete: async () => undefined,
    needlessRawFiles: async () =>
      rows.filter(({ state, hasRaw }) => state === "Done" && hasRaw).map(({ segment }) => segment.rawFile),
    async rawRemoved(rawFiles) {
      for (const row of rows) if (rawFiles.includes(row.segment.rawFile)) row.hasRaw = false;
    },
  };
}

function addSegments(count: number, account = 1): void {
  for (let index = 1; index <= count; index++) {
    const recordingSid = `RE${account}`;
    const rawFile = `${recordingSid}-${index}`;
    const segment = {
      accountSid: `AC${account}`,
      callSid: `CA${account}`,
      recordingSid,
      index,
      rawFile,
      channels: 2 as const,
      samples: 8_000,
      attempts: 0,
      key: `key-${rawFile}`,
    };
    rows.push({ segment, state: "Waiting", dueMs: 0, attempts: 0, fault: null, hasRaw: true });
  }
}

/** Looks every second, as the server does. */
async function pass(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    await finisher.look();
    await clock.advance(1_000);
  }
}

const states = () => [...new Set(rows.map(({ state }) => state))];

test("a segment is encoded, stored, done, and its raw file removed after that", async () => {
  addSegments(1);
  await pass(2);
  expect(states()).toEqual(["Done"]);
  expect([...stored]).toEqual([["key-RE1-1", "/encoded/RE1-1"]]);
  expect(discarded.at(-1)).toBe("raw RE1-1");
});

test.each([undefined, { reason: "bad", isPassing: false }])(
  "what became of a segment is written when the store is back",
  async (fault) => {
    addSegments(1);
    outage = 3;
    encodeFault = fault;
    await pass(2);
    encodeFault = undefined;
    await pass(10);
    expect(states()).toEqual(["Done"]);
  },
);

test("while the clock is wrong nothing is claimed", async () => {
  addSegments(1);
  clock.isRight = false;
  await pass(2);
  expect(states()).toEqual(["Waiting"]);
  clock.isRight = true;
  await pass(2);
  expect(states()).toEqual(["Done"]);
});

test("a claim whose answer was lost is given back, and the segment is done after all", async () => {
  addSegments(7);
  // Six are claimed; the claim of the last one is only in its record.
  await finisher.look();
  (rows.at(-1) as Row).state = "Encoding";
  expect(await giveBackStrays(finisher.claims, silent)).toBe(1);
  await pass(3);
  expect(states()).toEqual(["Done"]);
});

test("a hundred at once are taken a few at a time", async () => {
  addSegments(100);
  await finisher.look();
  expect(rows.filter(({ state }) => state === "Encoding")).toHaveLength(6);
  await pass(20);
  expect(states()).toEqual(["Done"]);
  expect(mostAtOnce).toBeLessThanOrEqual(6);
  expect(encodings).toBe(100);
});

const underWayOf = (account: number) =>
  rows.filter(({ state, segment }) => state === "Encoding" && segment.accountSid === `AC${account}`).length;

test("one account's many do not keep another's from being taken, and capacity is shared", async () => {
  addSegments(100);
  await finisher.look();
  expect(underWayOf(1)).toBe(6);
  addSegments(10, 2);
  addSegments(1, 3);
  await finisher.look();
  expect([1, 2, 3].map(underWayOf)).toEqual([6, 1, 1]);
  // Those that end make room for the account that has fewer.
  await clock.advance(100);
  expect([1, 2, 3].map(underWayOf)).toEqual([3, 3, 0]);
  await pass(10);
  expect(states()).toEqual(["Done"]);
});

test("one of each account is taken, however many accounts there are, up to a limit", async () => {
  for (let account = 1; account <= 300; account++) addSegments(2, account);
  await finisher.look();
  expect(rows.filter(({ state }) => state === "Encoding")).toHaveLength(256);
  expect(Math.max(...Array.from({ length: 300 }, (_, at) => underWayOf(at + 1)))).toBe(1);
  await pass(10);
  expect(states()).toEqual(["Done"]);
});

test("one account's slow files do not keep another's from being stored", async () => {
  const slow: (() => void)[] = [];
  put = async (key) => {
    if (key.includes("RE1-")) await new Promise<void>((resolve) => void slow.push(resolve));
  };
  addSegments(20);
  await pass(2);
  // One place is left for the others.
  expect(slow).toHaveLength(5);
  addSegments(2, 2);
  await pass(2);
  expect(rows.filter(({ state }) => state === "Done").map(({ segment }) => segment.accountSid)).toEqual(["AC2", "AC2"]);
  put = async () => undefined;
  for (const go of slow) go();
  await pass(5);
  expect(states()).toEqual(["Done"]);
});

test("files that wait for their turn when the store fails are put off, and not tried", async () => {
  let tried = 0;
  put = async () => {
    tried++;
    await new Promise<void>((resolve) => void clock.after(50, resolve));
    throw new Error("connection refused");
  };
  for (let account = 1; account <= 50; account++) addSegments(1, account);
  await finisher.look();
  await clock.advance(999);
  // As many as are stored at the same time.
  expect(tried).toBe(6);
  expect(states()).toEqual(["Waiting"]);
  put = async () => undefined;
  await pass(60);
  expect(states()).toEqual(["Done"]);
});

test("an encoding that fails is tried again with growing pauses, then given up with the reason", async () => {
  addSegments(1);
  encodeFault = { reason: "the encoder was lost", isPassing: false };
  await pass(600);
  expect(encodings).toBe(5);
  expect(rows).toMatchObject([{ state: "Failed", fault: "the encoder was lost", hasRaw: true }]);
  expect(discarded).toEqual([]);
});

test("one that fails at first is done later", async () => {
  addSegments(1);
  encodeFault = { reason: "the encoder was lost", isPassing: false };
  await pass(3);
  encodeFault = undefined;
  await pass(20);
  expect(states()).toEqual(["Done"]);
});

test("a full disk is waited for, however long", async () => {
  addSegments(3);
  encodeFault = { reason: "ENOSPC", isPassing: true };
  await pass(3_600);
  expect(rows.every(({ state, attempts }) => state === "Waiting" && attempts === 0)).toBe(true);
  encodeFault = undefined;
  await pass(65);
  expect(states()).toEqual(["Done"]);
});

test("while the files are away for a minute nothing is lost, given up or removed, and they are not run down", async () => {
  addSegments(50);
  isAway = true;
  await pass(60);
  expect(states()).toEqual(["Waiting"]);
  expect(discarded).toEqual([]);
  expect(encodings).toBeLessThan(15);
  isAway = false;
  await pass(60);
  expect(states()).toEqual(["Done"]);
  expect(stored.size).toBe(50);
});

test("a call that is deleted while its recording is stored leaves no file", async () => {
  addSegments(1);
  onPut = () => {
    for (const row of rows) row.state = "Deleted";
  };
  await pass(2);
  expect(stored.size).toBe(0);
  expect(discarded).toEqual(["RE1-1"]);
});

test("closing gives back what is under way, without a failure", async () => {
  addSegments(2);
  await finisher.look();
  const closed = finisher.close();
  await clock.advance(1_000);
  await closed;
  expect(rows).toMatchObject([
    { state: "Waiting", attempts: 0 },
    { state: "Waiting", attempts: 0 },
  ]);
  await pass(2);
  expect(states()).toEqual(["Waiting"]);
});
