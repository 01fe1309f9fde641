import { expect, test, vi } from "vitest";
import { silent } from "../../../test/fakes/silent-log.ts";
import { VirtualClock } from "../../../test/fakes/virtual-clock.ts";
import { pause } from "../../base/clock.ts";
import { ok } from "../../base/result.ts";
import { Dispatcher, type DispatcherDeps } from "./dispatcher.ts";
import type { ClaimedDelivery, DeliveryQueue, DueEndpoints, EndpointLimit, PostOrder, PostOutcome } from "./ports.ts";

const START = new Date("2026-01-01T00:00:00.000Z");

function delivery(sid: string, more: Partial<ClaimedDelivery> = {}): ClaimedDelivery {
  const accountSid = "AC1";
  return {
    sid,
    createdOn: START,
    entry: 1,
    attempt: 1,
    url: null,
    payloadShape: null,
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

/** An in-memory queue, from which every claim takes what its limit allows. */
function setUp(change: { queue?: Partial<DeliveryQueue>; post?: (order: PostOrder) => Promise<PostOutcome> } = {}) {
  const due: ClaimedDelivery[] = [];
  const limits: number[] = [];
  const takeFrom = ({ subscriptionSid, countMax }: EndpointLimit) => {
    limits.push(countMax);
    const taken = due.filter(({ subscription }) => subscription.sid === subscriptionSid).slice(0, countMax);
    for (const each of taken) due.splice(due.indexOf(each), 1);
    return taken;
  };
  const queue = {
    dueEndpoints: async () => ({ sids: due.length > 0 ? ["WS1"] : [], hasMore: false }),
    async claim(endpoints: readonly EndpointLimit[]) {
      const claimed = endpoints.flatMap(takeFrom);
      const more = new Set(due.map(({ subscription }) => subscription.sid));
      const left = endpoints.map(({ subscriptionSid }) => subscriptionSid).filter((sid) => more.has(sid));
      return { claimed, left, blocked: [] };
    },
    settle: vi.fn(async () => []),
    isWaiting: () => false,
    owned: async () => [],
    giveBackStrays: async () => undefined,
    noteSuccess: vi.fn(async () => undefined),
    noteFailure: vi.fn(async () => undefined),
    switchOff: vi.fn(async () => undefined),
    ...change.queue,
  };
  const report = vi.fn<DispatcherDeps["report"]>();
  const clock = new VirtualClock(START.getTime() + 250);
  const dispatcher = new Dispatcher({
    queue,
    health: queue,
    poster: { post: change.post ?? (async () => answered(200)) },
    signer: { sign: async () => ok({}) },
    writeForm: () => ({}),
    reply: async () => undefined,
    clock,
    chance: () => 0.5,
    log: silent,
    report,
    weightOf: () => 1,
    attemptsMax: 4_000,
  });
  const dispatch = async (...given: readonly ClaimedDelivery[]) => {
    due.push(...given);
    await dispatcher.look();
    await clock.until(dispatcher.idle());
  };
  return { dispatcher, dispatch, due, queue, report, limits, clock };
}

/** Receivers that answer when the test does. */
function startReceivers() {
  const asked: { readonly url: string; answer(status: number): void }[] = [];
  const post = ({ url }: { readonly url: string }) =>
    new Promise<PostOutcome>((resolve) => {
      asked.push({ url, answer: (status) => resolve(answered(status)) });
    });
  return { asked, post };
}

/** Deliveries of an account to as many subscriptions, each with this many. */
function deliveriesOf(accountSid: string, subscriptions: number, each: number): readonly ClaimedDelivery[] {
  return Array.from({ length: subscriptions }, (_, at) => `WS${accountSid}n${at}`).flatMap((sid) =>
    Array.from({ length: each }, (_, number) => {
      const plain = delivery(`WH${sid}n${number}`);
      return {
        ...plain,
        event: { ...plain.event, accountSid },
        subscription: { ...plain.subscription, sid, url: `https://${accountSid}.example/${sid}` },
      };
    }),
  );
}
const endpointsOf = (deliveries: readonly ClaimedDelivery[]) => [
  ...new Set(deliveries.map(({ subscription }) => subscription.sid)),
];

test("while the clock is wrong nothing is claimed", async () => {
  const { dispatcher, due, limits, clock } = setUp();
  due.push(delivery("WH1"));
  clock.isRight = false;
  await dispatcher.look();
  expect(limits).toEqual([]);
  clock.isRight = true;
  await dispatcher.look();
  await clock.until(dispatcher.idle());
  expect(due).toEqual([]);
});

test("what is wanted while a claim is under way is claimed by the next, one claim at a time", async () => {
  const answers: (() => void)[] = [];
  const claims: (readonly string[])[] = [];
  const { dispatcher, clock } = setUp({
    queue: {
      claim(endpoints) {
        claims.push(endpoints.map(({ subscriptionSid }) => subscriptionSid));
        return new Promise((resolve) => answers.push(() => resolve({ claimed: [], left: [], blocked: [] })));
      },
    },
  });
  dispatcher.wake(["WS1"]);
  dispatcher.wake(["WS2"]);
  dispatcher.wake(["WS3"]);
  expect(claims).toEqual([["WS1"]]);
  answers[0]?.();
  await clock.advance(0);
  expect(claims).toEqual([["WS1"], ["WS2", "WS3"]]);
  answers[1]?.();
  await clock.until(dispatcher.idle());
});

test("an endpoint in which nothing is left is not claimed from again", async () => {
  const { dispatch, limits } = setUp();
  await dispatch(delivery("WH1"), delivery("WH2"));
  expect(limits).toEqual([4]);
});

test("an endpoint that is full is claimed from when an attempt has ended", async () => {
  const { asked, post } = startReceivers();
  const { dispatcher, due, limits, clock } = setUp({ post });
  for (let at = 0; at < 4; at++) due.push(delivery(`WH${at}`));
  await dispatcher.look();
  await clock.advance(0);
  due.push(delivery("WH4"));
  await dispatcher.look();
  expect(limits).toEqual([4]);
  for (const { answer } of asked.splice(0)) answer(200);
  await clock.advance(20);
  expect([due, asked.length]).toEqual([[], 1]);
  asked[0]?.answer(200);
  await clock.until(dispatcher.idle());
});

test("what a claim found blocked and let go again is claimed at once, without another look", async () => {
  const claims = [
    { claimed: [], left: ["WS1"], blocked: ["WS1"] },
    { claimed: [delivery("WH1")], left: [], blocked: [] },
  ];
  const { dispatch, queue } = setUp({
    queue: {
      dueEndpoints: async () => ({ sids: ["WS1"], hasMore: false }),
      claim: async () => claims.shift() ?? { claimed: [], left: [], blocked: [] },
    },
  });
  await dispatch();
  expect(claims).toEqual([]);
  expect(queue.settle).toHaveBeenCalledOnce();
});

test("more due endpoints than a look finds are looked for while it claims, and no more than it can claim soon", async () => {
  const rounds = Array.from({ length: 3 }, (_, round) => Array.from({ length: 1_000 }, (_, at) => `WS${round}-${at}`));
  const claimed: string[] = [];
  const seen: number[] = [];
  let looks = 0;
  const { dispatcher, clock } = setUp({
    queue: {
      async dueEndpoints() {
        seen.push(claimed.length);
        const sids = rounds[looks++] ?? [];
        return { sids, hasMore: looks < rounds.length };
      },
      async claim(endpoints) {
        claimed.push(...endpoints.map(({ subscriptionSid }) => subscriptionSid));
        return { claimed: [], left: [], blocked: [] };
      },
    },
  });
  await dispatcher.look();
  await clock.until(dispatcher.idle());
  expect(claimed).toEqual(rounds.flat());
  for (const [round, count] of seen.entries()) expect(round * 1_000 - count).toBeLessThan(256);
});

test("one that is closed while it looks for deliveries ends all the same", async () => {
  let found: (due: DueEndpoints) => void = () => undefined;
  let post: (outcome: PostOutcome) => void = () => undefined;
  const looks: Promise<DueEndpoints>[] = [
    Promise.resolve({ sids: ["WS1"], hasMore: false }),
    new Promise((resolve) => {
      found = resolve;
    }),
  ];
  const due = [delivery("WH1")];
  const { dispatcher, queue, clock } = setUp({
    queue: {
      dueEndpoints: () => looks.shift() ?? Promise.resolve({ sids: [], hasMore: false }),
      claim: async () => ({ claimed: due.splice(0), left: [], blocked: [] }),
    },
    post: () =>
      new Promise((resolve) => {
        post = resolve;
      }),
  });
  await dispatcher.look();
  const looking = dispatcher.look();
  const closed = dispatcher.close();
  found({ sids: ["WS1", "WS2"], hasMore: false });
  await looking;
  post(answered(200));
  await clock.until(closed);
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
  const { dispatch, limits } = setUp({ post: async () => answered(500) });
  await dispatch(...Array.from({ length: 3 }, (_, at) => delivery(`WH${at}`)));
  limits.length = 0;
  await dispatch(delivery("WH4"));
  expect(limits[0]).toBe(2);
  await dispatch(delivery("WH5", { isWanted: false }));
  limits.length = 0;
  await dispatch(delivery("WH6"));
  expect(limits[0]).toBe(4);
});

test("a receiver that is down is probed now and then, however much waits, and gets all of it when it is back", async () => {
  let status = 503;
  let posts = 0;
  const { dispatcher, due, clock } = setUp({
    post: async () => {
      posts += 1;
      return answered(status);
    },
  });
  const forSeconds = async (seconds: number) => {
    for (let second = 0; second < seconds; second++) {
      await dispatcher.look();
      await clock.advance(1_000);
    }
  };
  for (let at = 0; at < 5_000; at++) due.push(delivery(`WH${at}`));
  await forSeconds(3_600);
  expect(posts).toBeGreaterThan(3_600 / 30);
  expect(posts).toBeLessThan(400);
  status = 200;
  await forSeconds(32);
  expect(due).toEqual([]);
});

test("of a receiver that is down, a delivery that is due alone is tried at its own time", async () => {
  const { dispatch, report } = setUp({ post: async () => answered(503) });
  for (let at = 0; at < 100; at++) await dispatch(delivery(`WH${at}`));
  expect(report).toHaveBeenCalledTimes(100);
});

test("a receiver that no one knows gets few at once, and more with every answer", async () => {
  const { asked, post } = startReceivers();
  const { dispatcher, due, clock } = setUp({ post });
  for (let at = 0; at < 300; at++) due.push(delivery(`WH${at}`));
  await dispatcher.look();
  const rounds: number[] = [];
  while (rounds.length < 6) {
    await clock.advance(20);
    rounds.push(asked.length);
    for (const { answer } of asked.splice(0)) answer(200);
  }
  expect(rounds).toEqual([4, 8, 16, 32, 32, 32]);
});

test("callbacks, each to a URL of its own, go out more at a time with every answer", async () => {
  const { dispatch, limits } = setUp();
  await dispatch(...Array.from({ length: 500 }, (_, at) => delivery(`WH${at}`, { url: `https://own.example/${at}` })));
  expect(limits[0]).toBe(4);
  expect(Math.max(...limits)).toBeGreaterThan(32);
});

test("claims take as much as may be claimed ahead, and no more than 256 attempts are begun in a tick", async () => {
  const { asked, post } = startReceivers();
  const sums: number[] = [];
  const { dispatcher, due, queue, clock } = setUp({ post });
  const { claim } = queue;
  queue.claim = (endpoints, now) => {
    sums.push(endpoints.reduce((sum, { countMax }) => sum + countMax, 0));
    return claim(endpoints, now);
  };
  due.push(...deliveriesOf("AC1", 300, 1));
  dispatcher.wake(endpointsOf(due));
  await clock.advance(0);
  expect([sums, asked.length]).toEqual([[1_004, 4 * 44], 256]);
  await clock.advance(20);
  expect(asked).toHaveLength(300);
  for (const { answer } of asked) answer(200);
  await clock.until(dispatcher.idle());
});

test("no more than 4,000 attempts are under way, of however many accounts", async () => {
  const { asked, post } = startReceivers();
  const { dispatcher, due, clock } = setUp({ post });
  for (let at = 1; at <= 9; at++) due.push(...deliveriesOf(`AC${at}`, 125, 4));
  dispatcher.wake(endpointsOf(due));
  for (let rounds = 0; rounds < 45; rounds++) await clock.advance(20);
  expect(asked).toHaveLength(4_000);
  while (asked.length > 0) {
    for (const { answer } of asked.splice(0)) answer(200);
    await clock.advance(50);
  }
  await clock.until(dispatcher.idle());
  expect(due).toEqual([]);
});

test("receivers that hang leave capacity for those that answer", async () => {
  const { asked, post } = startReceivers();
  const { dispatcher, due, clock } = setUp({ post });
  const endpoints = Array.from({ length: 200 }, (_, at) => `WS${at}`);
  for (const sid of endpoints) {
    const subscription = { ...delivery("").subscription, sid, url: `https://${sid}.example/` };
    for (let at = 0; at < 4; at++) due.push(delivery(`WH${sid}n${at}`, { subscription }));
  }
  dispatcher.wake(endpoints);
  // More than may be begun at the same time: those that hang are not waited for.
  await clock.advance(100);
  expect(asked, "as many as an account may have").toHaveLength(500);
  expect(new Set(asked.map(({ url }) => url)).size).toBe(200);
  const idle = dispatcher.idle();
  while (asked.length > 0) {
    for (const { answer } of asked.splice(0)) answer(200);
    await clock.advance(50);
  }
  await clock.until(idle);
  expect(due).toEqual([]);
});

test("accounts take turns, however many subscriptions one has", async () => {
  const { asked, post } = startReceivers();
  const { dispatcher, due, clock } = setUp({ post });
  const [greedy, small] = [deliveriesOf("AC1", 100, 4), deliveriesOf("AC2", 1, 4)];
  due.push(...greedy, ...small);
  dispatcher.wake([...endpointsOf(greedy), ...endpointsOf(small)]);
  await clock.advance(0);
  const accounts = asked.map(({ url }) => new URL(url).hostname);
  expect(accounts.slice(0, 8).filter((host) => host === "ac2.example")).toHaveLength(4);
  const idle = dispatcher.idle();
  while (asked.length > 0) {
    for (const { answer } of asked.splice(0)) answer(200);
    await clock.advance(50);
  }
  await clock.until(idle);
});

test("receivers that take seconds hold 250 places of their account's, and its others go on one by one", async () => {
  const { asked, post } = startReceivers();
  const { dispatcher, due, clock } = setUp({ post });
  const slow = deliveriesOf("AC1", 100, 3);
  due.push(...slow);
  dispatcher.wake(endpointsOf(slow));
  await clock.advance(1_500);
  expect(asked).toHaveLength(300);
  const [more, own, other] = [
    deliveriesOf("AC1", 100, 6).slice(-3),
    deliveriesOf("AC1x", 1, 2),
    deliveriesOf("AC2", 2, 2),
  ];
  const renamed = own.map((each) => ({ ...each, event: { ...each.event, accountSid: "AC1" } }));
  due.push(...more, ...renamed, ...other);
  dispatcher.wake(endpointsOf([...more, ...renamed, ...other]));
  await clock.advance(100);
  const later = asked.slice(300).map(({ url }) => new URL(url).hostname);
  expect(later.toSorted()).toEqual(["ac1x.example", ...Array(4).fill("ac2.example")]);
  const idle = dispatcher.idle();
  while (asked.length > 0) {
    for (const { answer } of asked.splice(0)) answer(200);
    await clock.advance(50);
  }
  await clock.until(idle);
  expect(due).toEqual([]);
});

test("a receiver that answers goes on with one attempt at a time while others of its account hang", async () => {
  const { asked, post } = startReceivers();
  const { dispatcher, due, clock } = setUp({ post });
  const [own, slow] = [deliveriesOf("ACown", 1, 60), deliveriesOf("AC1", 100, 4)];
  const ofOne = own.map((each) => ({ ...each, event: { ...each.event, accountSid: "AC1" } }));
  const answer = (all: readonly (typeof asked)[number][]) => {
    for (const each of all) {
      asked.splice(asked.indexOf(each), 1);
      each.answer(200);
    }
  };
  const asksOfOne = () => asked.filter(({ url }) => new URL(url).hostname === "acown.example");
  due.push(...ofOne.slice(0, 59));
  dispatcher.wake(endpointsOf(ofOne));
  await clock.advance(0);
  answer(asksOfOne());
  await clock.advance(50);
  expect(asksOfOne()).toHaveLength(8);
  due.push(...slow);
  dispatcher.wake(endpointsOf(slow));
  await clock.advance(1_500);
  answer(asksOfOne().slice(1));
  await clock.advance(50);
  const left: number[] = [];
  while (asksOfOne().length > 0) {
    left.push(asksOfOne().length);
    answer(asksOfOne());
    await clock.advance(50);
  }
  expect(left, "each alone").toEqual(Array(59 - 4 - 7).fill(1));
  due.push(...ofOne.slice(59));
  dispatcher.wake(endpointsOf(ofOne));
  await clock.advance(50);
  expect(asksOfOne()).toHaveLength(1);
  answer([...asked]);
  await clock.until(dispatcher.idle());
});

test("accounts that may begin nothing more give back what they have claimed, and another account is served", async () => {
  const { asked, post } = startReceivers();
  const { dispatcher, due, queue, limits, clock } = setUp({ post });
  const greedy = [...deliveriesOf("AC1", 30, 60), ...deliveriesOf("AC2", 30, 60)];
  const numberOf = ({ sid }: ClaimedDelivery) => Number(sid.split("n").at(-1));
  due.push(...greedy.filter((each) => numberOf(each) < 15));
  dispatcher.wake(endpointsOf(greedy));
  // Receivers answer six times, so that much is claimed for them, and then no more.
  const answers = new Map<string, number>();
  for (let rounds = 0; rounds < 10; rounds++) {
    await clock.advance(20);
    for (const { url, answer } of asked.splice(0)) {
      const count = (answers.get(url) ?? 0) + 1;
      answers.set(url, count);
      if (count <= 6) answer(200);
    }
  }
  const hanging = greedy.filter(({ sid }) => dispatcher.claims.isHeld(sid)).length;
  expect(hanging).toBe(60 * 9);
  // While a slow claim is under way, their attempts become slow ones.
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
  const claimedBefore = sum(limits);
  const { claim } = queue;
  queue.claim = async (...order) => {
    const found = await claim(...order);
    await pause(clock, 2_000);
    return found;
  };
  due.push(...greedy.filter((each) => numberOf(each) >= 15));
  dispatcher.wake(endpointsOf(greedy));
  await clock.advance(2_100);
  queue.claim = claim;
  expect(sum(limits) - claimedBefore, "as many as may be claimed ahead").toBe(1_000);
  const small = deliveriesOf("AC3", 1, 1);
  due.push(...small);
  dispatcher.wake(endpointsOf(small));
  await clock.advance(100);
  expect(asked.map(({ url }) => new URL(url).hostname)).toEqual(["ac3.example"]);
  expect(greedy.filter(({ sid }) => dispatcher.claims.isHeld(sid)).length).toBeLessThan(hanging + 100);
  for (const { answer } of asked) answer(200);
});

test("a success after a failure is noted, however shortly after the last note", async () => {
  const { asked, post } = startReceivers();
  const { dispatcher, due, queue, clock } = setUp({ post });
  due.push(...["WHhanging", "WH1", "WH2", "WH3", "WH4"].map((sid) => delivery(sid)));
  await dispatcher.look();
  // The first one keeps the endpoint alive; less than a second passes.
  for (const [index, status] of [200, 500, 200, 200].entries()) {
    await clock.advance(20);
    asked.splice(1, 1)[0]?.answer(status);
    await clock.advance(20);
    expect(queue.settle).toHaveBeenCalledTimes(index + 1);
  }
  expect(queue.noteSuccess).toHaveBeenCalledTimes(2);
  expect(queue.noteFailure).toHaveBeenCalledTimes(1);
  asked[0]?.answer(200);
  await clock.until(dispatcher.idle());
});

test("successes are noted once a second, but at once where a failure is noted on the subscription", async () => {
  const { asked, post } = startReceivers();
  const { dispatcher, due, queue, clock } = setUp({ post });
  const failing = { ...delivery("").subscription, failingSince: START };
  due.push(delivery("WHhanging"));
  await dispatcher.look();
  for (const subscription of [undefined, undefined, failing, undefined]) {
    due.push(delivery("WH1", subscription && { subscription }));
    await dispatcher.look();
    await clock.advance(0);
    asked.splice(1, 1)[0]?.answer(200);
    await clock.advance(20);
  }
  expect(queue.settle).toHaveBeenCalledTimes(4);
  expect(queue.noteSuccess).toHaveBeenCalledTimes(2);
  asked[0]?.answer(200);
  await clock.until(dispatcher.idle());
});

test("nothing more is begun while too much waits to be recorded", async () => {
  let recorded: () => void = () => undefined;
  let posts = 0;
  const long = new Uint8Array(4096).fill(0x61);
  const { dispatcher, due, clock } = setUp({
    post: async () => {
      posts += 1;
      return { ...answered(200), answer: long };
    },
    queue: {
      settle: () =>
        new Promise((resolve) => {
          recorded = () => resolve([]);
        }),
    },
  });
  for (let at = 0; at < 4_000; at++) due.push(delivery(`WH${at}`));
  await dispatcher.look();
  await clock.advance(60_000);
  expect(posts).toBeGreaterThanOrEqual(1_000);
  // The bytes that may wait, those of the statement under way, and the attempts under way.
  expect(posts).toBeLessThanOrEqual(977 + 245 + 32);
  for (let times = 0; times < 100; times++) {
    recorded();
    await clock.advance(20);
  }
  await dispatcher.idle();
  expect(posts).toBe(4_000);
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
