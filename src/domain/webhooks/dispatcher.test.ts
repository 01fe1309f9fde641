import { expect, test, vi } from "vitest";
import { Dispatcher, type DispatcherDeps } from "./dispatcher.ts";
import type { ClaimedDelivery, DeliveryQueue, PostOutcome } from "./ports.ts";

const START = new Date("2026-01-01T00:00:00.000Z");
const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

function delivery(sid: string, more: Partial<ClaimedDelivery> = {}): ClaimedDelivery {
  const accountSid = "AC1";
  return {
    sid,
    createdOn: START,
    queuedOn: START,
    attempt: 1,
    url: null,
    isWanted: true,
    event: { accountSid, type: "OptOutChanged", resourceSid: sid, sequence: 1, fields: {}, createdOn: START },
    subscription: {
      sid: "WS1",
      url: "https://receiver.example/",
      backupUrl: null,
      payloadShape: "A",
      secrets: ["whsec_AAAA"],
      bearer: null,
      failingSince: null,
    },
    ...more,
  };
}

const answered = (status: number): PostOutcome => ({
  status,
  failure: null,
  ms: 1,
  answer: new Uint8Array(),
  isCut: false,
  contentType: null,
  retryAfterMs: undefined,
});

/** A queue in memory, out of which every claim takes what its room allows. */
function setUp(change: { queue?: Partial<DeliveryQueue>; post?: () => Promise<PostOutcome> } = {}) {
  const due: ClaimedDelivery[] = [];
  const rooms: number[] = [];
  const queue = {
    dueLanes: async () => (due.length > 0 ? ["WS1"] : []),
    async claim(lanes: readonly { readonly room: number }[]) {
      const room = lanes[0]?.room ?? 0;
      rooms.push(room);
      return { claimed: due.splice(0, room), more: due.length > 0 ? ["WS1"] : [] };
    },
    settle: vi.fn(async () => []),
    noteSuccess: vi.fn(async () => undefined),
    noteFailure: vi.fn(async () => undefined),
    switchOff: vi.fn(async () => undefined),
    ...change.queue,
  };
  const report = vi.fn<DispatcherDeps["report"]>();
  const dispatcher = new Dispatcher({
    queue,
    poster: { post: change.post ?? (async () => answered(200)) },
    signer: { sign: () => ({}) },
    clock: { now: () => new Date(START.getTime() + 250) },
    chance: () => 0.5,
    log: silent,
    report,
  });
  const dispatch = async (...given: readonly ClaimedDelivery[]) => {
    due.push(...given);
    await dispatcher.look();
    await dispatcher.idle();
  };
  return { dispatcher, dispatch, queue, report, rooms };
}

test("one that is closed while it looks for deliveries ends all the same", async () => {
  let found: (lanes: readonly string[]) => void = () => undefined;
  let post: (outcome: PostOutcome) => void = () => undefined;
  const looks: Promise<readonly string[]>[] = [
    Promise.resolve(["WS1"]),
    new Promise((resolve) => {
      found = resolve;
    }),
  ];
  const due = [delivery("WH1")];
  const { dispatcher, queue } = setUp({
    queue: {
      dueLanes: () => looks.shift() ?? Promise.resolve([]),
      claim: async () => ({ claimed: due.splice(0), more: [] }),
    },
    post: () =>
      new Promise((resolve) => {
        post = resolve;
      }),
  });
  await dispatcher.look();
  const looking = dispatcher.look();
  const closed = dispatcher.close();
  found(["WS1", "WS2"]);
  await looking;
  post(answered(200));
  await closed;
  expect(queue.settle).toHaveBeenCalledTimes(1);
});

test("a report says whether the attempt before had failed", async () => {
  const statuses = [200, 500, 500, 200, 200];
  const { dispatch, report } = setUp({ post: async () => answered(statuses.shift() as number) });
  for (let at = 1; at <= 5; at++) await dispatch(delivery(`WH${at}`));
  expect(report.mock.calls.map(([{ endpoint, tried }]) => [endpoint, tried.outcome])).toEqual([
    ["healthy", "delivered"],
    ["healthy", "retry"],
    ["failing", "retry"],
    ["failing", "delivered"],
    ["healthy", "delivered"],
  ]);
});

test("a report tells the time from the event to its first attempt, and of no later one", async () => {
  const { dispatch, report } = setUp();
  await dispatch(delivery("WH1"), delivery("WH2", { attempt: 2 }));
  expect(report.mock.calls.map(([{ firstAttemptLagMs }]) => firstAttemptLagMs)).toEqual([250, undefined]);
});

test("a receiver that keeps failing is tried gently, until it answers or is not wanted any more", async () => {
  const { dispatch, rooms } = setUp({ post: async () => answered(500) });
  await dispatch(...Array.from({ length: 3 }, (_, at) => delivery(`WH${at}`)));
  rooms.length = 0;
  await dispatch(delivery("WH4"));
  expect(rooms[0]).toBe(8);
  await dispatch(delivery("WH5", { isWanted: false }));
  rooms.length = 0;
  await dispatch(delivery("WH6"));
  expect(rooms[0]).toBe(128);
});

test.each([
  { fate: "gone", status: 410 },
  { fate: "failing", status: 500 },
  { fate: "well", status: 200 },
])(
  "what a replay meets at another URL that is $fate is not held against the subscription, nor in its favour",
  async ({ status }) => {
    const { dispatch, queue } = setUp({ post: async () => answered(status) });
    const failingSince = new Date(START.getTime() - 6 * 86_400_000);
    const { subscription } = delivery("WH1");
    await dispatch(
      delivery("WH1", { url: "https://elsewhere.example/", subscription: { ...subscription, failingSince } }),
    );
    expect(queue.settle).toHaveBeenCalledTimes(1);
    expect(queue.switchOff).not.toHaveBeenCalled();
    expect(queue.noteSuccess).not.toHaveBeenCalled();
    expect(queue.noteFailure).not.toHaveBeenCalled();
  },
);
