import { expect, test } from "vitest";
import { outgoing } from "../../../test/fakes/outgoing.ts";
import { silent } from "../../../test/fakes/silent-log.ts";
import { VirtualClock } from "../../../test/fakes/virtual-clock.ts";
import { Unavailable } from "../../base/unavailable.ts";
import type { Outgoing, SendingLink, SendQueue, Submit, SubmitOutcome } from "./ports.ts";
import { makePlacer, makeRoutes } from "./routing.ts";
import { Sender } from "./sender.ts";
import { UnstoredAnswers } from "./unstored-answers.ts";

const message = (sid: string): Outgoing => outgoing({ sid, expiresOn: new Date(60_000), checkedOn: new Date(0) });
const sidsOf = ({ messages }: Pick<Submit, "messages">) => messages.map(({ sid }) => sid);

/** A sender over a link that answers when the test does, and a queue in which every message may be begun. */
function newSender(more: Partial<SendQueue> = {}) {
  const submitted: { readonly sid: string; readonly answer: (outcome: SubmitOutcome) => void }[] = [];
  const settled: string[] = [];
  const finished: number[] = [];
  const capacity = { left: 10 };
  const link: SendingLink = {
    name: "link",
    carrier: "carrier",
    kind: "sms",
    isUp: true,
    capacity: () => capacity.left,
    submit: ({ sid }, answer) => void submitted.push({ sid, answer }),
  };
  /** What waits in the database. */
  const waiting: Outgoing[] = [];
  let looks = 0;
  let loads = 0;
  const placer = makePlacer([]);
  const queue: SendQueue = {
    async ready() {
      if (++looks > 100) throw new Error("It looks without end");
      return { routes: placer.routes, isMore: false };
    },
    async load({ route }) {
      if (++loads > 100) throw new Error("It loads without end");
      const keys = waiting.filter((each) => placer.placeOf(each).route === route);
      return { keys, perAccount: 100, last: undefined };
    },
    read: async (keys) => waiting.filter(({ sid }) => keys.some((key) => key.sid === sid)),
    begin: async (submit) => new Set(sidsOf(submit)),
    async settle(batch, numbers) {
      settled.push(...batch.map(({ message: { sid } }) => sid));
      finished.push(...numbers);
    },
    giveBack: async () => undefined,
    owned: async () => [],
    giveBackStrays: async () => undefined,
    ...more,
  };
  const clock = new VirtualClock();
  const answers = new UnstoredAnswers();
  const routes = makeRoutes([], [link]);
  const deps = { queue, placer, routes, clock, log: silent, answers };
  const sender = new Sender({ ...deps, weightOf: () => 1, report: () => undefined });
  const bring = async (...sids: string[]) => {
    waiting.push(...sids.map(message));
    await clock.until(sender.look());
    await clock.advance(0);
    waiting.length = 0;
  };
  return { sender, submitted, settled, finished, clock, capacity, answers, waiting, bring };
}

const accepted: SubmitOutcome = { kind: "accepted", carrierIds: ["1"] };
const submittedSids = (submitted: readonly { readonly sid: string }[]) => submitted.map(({ sid }) => sid);

test("a message that is brought again while it is being sent is sent once", async () => {
  const { sender, bring, clock, submitted, settled, finished } = newSender();
  await bring("OM1", "OM1");
  await bring("OM1", "OM2");
  expect(submittedSids(submitted)).toEqual(["OM1", "OM2"]);
  for (const { answer } of submitted) answer(accepted);
  await clock.until(sender.close());
  expect([settled, finished]).toEqual([
    ["OM1", "OM2"],
    [1, 2],
  ]);
});

test("a message that is accepted leaves as soon as it is stored when none waits before it, and else after those", async () => {
  const begun: string[] = [];
  const { sender, clock, submitted, capacity } = newSender({
    async begin(submit) {
      begun.push(...sidsOf(submit));
      return new Set(sidsOf(submit));
    },
  });
  capacity.left = 1;
  const first = sender.assign([message("OM1"), message("OM2")]);
  const second = sender.assign([message("OM3")]);
  expect([...first, ...second].map(({ submit }) => submit?.link.name)).toEqual(["link", undefined, undefined]);
  sender.leave(first);
  expect(submittedSids(submitted)).toEqual(["OM1"]);
  sender.leave(second);
  capacity.left = 10;
  await clock.advance(0);
  expect(begun).toEqual(["OM2", "OM3"]);
});

test("what was stored as leaving while the sender was closed is given back, and the sender waits for that", async () => {
  const given: (number | string)[] = [];
  const { sender, clock, submitted } = newSender({ giveBack: async (numbers) => void given.push(...numbers) });
  const assigned = sender.assign([message("OM1")]);
  const closed = sender.close().then(() => given.push("closed"));
  await clock.advance(1_000);
  expect(given).toEqual([]);
  sender.leave(assigned);
  await clock.until(closed);
  expect(given).toEqual([1, "closed"]);
  expect(submitted).toEqual([]);
});

test("whoever closes tries again to give back what was stored as leaving, or may have been", async () => {
  const given: number[] = [];
  let failures = 4;
  const { sender, clock } = newSender({
    async giveBack(numbers) {
      if (failures-- > 0) throw new Unavailable("the database went away");
      given.push(...numbers);
    },
  });
  const [stored, unknown] = [sender.assign([message("OM1")]), sender.assign([message("OM2")])];
  const closed = sender.close();
  sender.leave(stored);
  sender.drop(unknown);
  await clock.until(closed);
  expect(given.sort()).toEqual([1, 2]);
});

test("one that could not be begun and comes again is begun again", async () => {
  let tries = 0;
  const { bring, submitted } = newSender({ begin: async (submit) => new Set(tries++ > 0 ? sidsOf(submit) : []) });
  await bring("OM1");
  expect(submitted).toEqual([]);
  await bring("OM1");
  expect(submittedSids(submitted)).toEqual(["OM1"]);
});

test("what could not be begun for the database is given back, in case it was, and begun again", async () => {
  const begun: number[] = [];
  const given: number[] = [];
  let isUp = false;
  const { sender, bring, clock, submitted } = newSender({
    async begin(submit) {
      begun.push(submit.number);
      if (!isUp) throw new Unavailable("away");
      return new Set(sidsOf(submit));
    },
    giveBack: async (numbers) => void given.push(...numbers),
  });
  await bring("OM1", "OM2");
  expect([begun, submitted]).toEqual([[1], []]);
  isUp = true;
  await clock.advance(1_000);
  expect([begun, submittedSids(submitted)]).toEqual([
    [1, 2],
    ["OM1", "OM2"],
  ]);
  isUp = false;
  await bring("OM3");
  for (const { answer } of submitted) answer(accepted);
  await clock.until(sender.close());
  expect(given).toEqual([1, 3]);
});

test("the record of a submit is held from the moment at which it is being stored until all of it is settled", async () => {
  const { sender, bring, clock, submitted } = newSender();
  const { isHeld } = sender.claims;
  const assigned = sender.assign([message("OM1")]);
  expect(["1", "2"].map(isHeld)).toEqual([true, false]);
  sender.drop(assigned);
  expect(isHeld("1")).toBe(false);
  await bring("OM2", "OM3");
  expect(isHeld("2")).toBe(true);
  submitted[0]?.answer(accepted);
  await clock.advance(0);
  expect(isHeld("2")).toBe(true);
  submitted[1]?.answer(accepted);
  await clock.advance(0);
  expect(isHeld("2")).toBe(false);
  await clock.until(sender.close());
  expect(isHeld("2"), "nobody can tell any more").toBe(true);
});

test("while the clock is wrong nothing is loaded, and nothing new is taken", async () => {
  let looks = 0;
  const { sender, clock } = newSender({
    async ready() {
      looks += 1;
      return { routes: [], isMore: false };
    },
  });
  clock.isRight = false;
  await sender.look();
  expect([looks, sender.isOpen]).toEqual([0, false]);
  clock.isRight = true;
  await sender.look();
  expect([looks, sender.isOpen]).toEqual([1, true]);
});

test("a message that no carrier took waits again, and is sent again", async () => {
  const { bring, clock, submitted, settled, finished } = newSender();
  await bring("OM1");
  submitted[0]?.answer({ kind: "throttled" });
  await clock.advance(0);
  expect(submittedSids(submitted)).toEqual(["OM1", "OM1"]);
  submitted[1]?.answer(accepted);
  await clock.advance(0);
  expect([settled, finished]).toEqual([
    ["OM1", "OM1"],
    [1, 2],
  ]);
});

test("a look that fails is made again", async () => {
  let isUp = false;
  const { sender, bring, submitted } = newSender({
    async ready() {
      if (!isUp) throw new Unavailable("away");
      return { routes: makePlacer([]).routes, isMore: false };
    },
  });
  await expect(sender.look()).rejects.toThrow("away");
  isUp = true;
  await bring("OM1");
  expect(submittedSids(submitted)).toEqual(["OM1"]);
});

test("an answer that cannot be written down keeps no other from it, and is written when it can be", async () => {
  const written: string[] = [];
  let isUnwritable = true;
  const { sender, bring, clock, submitted } = newSender({
    async settle(batch) {
      const sids = batch.map(({ message: { sid } }) => sid);
      if (isUnwritable && sids.includes("OM2")) throw new Error("invalid input");
      written.push(...sids);
    },
  });
  await bring("OM1", "OM2", "OM3");
  expect(submitted.length).toBe(3);
  for (const { answer } of submitted) answer(accepted);
  await clock.advance(0);
  expect(written).toEqual(["OM1", "OM3"]);
  isUnwritable = false;
  await clock.until(sender.close());
  expect(written).toEqual(["OM1", "OM3", "OM2"]);
});

test("whoever stops while nothing can be written down does not wait for ever", async () => {
  let tries = 0;
  const { sender, bring, clock, submitted } = newSender({
    async settle() {
      tries++;
      throw new Unavailable("the database went away");
    },
  });
  await bring("OM1");
  expect(submitted.length).toBe(1);
  const closed = sender.close();
  submitted[0]?.answer(accepted);
  await clock.until(closed);
  expect(tries).toBe(10);
});

test.each([
  ["once it is settled", async () => undefined],
  ["when the database is away", () => Promise.reject(new Unavailable("away"))],
])("no receipt waits for an answer any longer %s", async (_when, settle) => {
  const { bring, clock, submitted, answers } = newSender({ settle });
  await bring("OM1");
  submitted[0]?.answer(accepted);
  const stored = answers.removed();
  expect(stored).toBeDefined();
  await clock.until(stored as Promise<void>);
  expect(answers.removed()).toBeUndefined();
});
