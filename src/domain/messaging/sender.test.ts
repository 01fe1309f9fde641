import { expect, test } from "vitest";
import { silent } from "../../../test/fakes/silent-log.ts";
import { VirtualClock } from "../../../test/fakes/virtual-clock.ts";
import { Unavailable } from "../../base/unavailable.ts";
import type { CarrierLink, Outgoing, SendQueue, SubmitOutcome } from "./ports.ts";
import { makeRouter } from "./routing.ts";
import { Sender } from "./sender.ts";
import { UnstoredAnswers } from "./unstored-answers.ts";

const message = (sid: string): Outgoing => ({
  sid,
  accountSid: "AC1",
  from: "+14155550150",
  recipients: ["+14154740200"],
  text: "hello",
  mediaUrls: [],
  priority: 2,
  carrier: null,
  expiresOn: new Date(60_000),
  isReply: false,
  checkedOn: new Date(0),
  deferrals: 0,
});

/** A sender over a link that answers when the test does, and a queue in which every message may be begun. */
function newSender(more: Partial<SendQueue> = {}) {
  const submitted: { readonly sid: string; readonly answer: (outcome: SubmitOutcome) => void }[] = [];
  const settled: string[] = [];
  const capacity = { left: 10 };
  const link: CarrierLink = {
    name: "link",
    carrier: "carrier",
    kind: "sms",
    capacity: () => capacity.left,
    submit: ({ sid }, answer) => void submitted.push({ sid, answer }),
  };
  const queue: SendQueue = {
    claim: async () => [],
    begin: async (batch) => new Set(batch.map(({ message: { sid } }) => sid)),
    settle: async (batch) => void settled.push(...batch.map(({ message: { sid } }) => sid)),
    giveBack: async () => undefined,
    owned: async () => [],
    giveBackStrays: async () => undefined,
    ...more,
  };
  const clock = new VirtualClock();
  const answers = new UnstoredAnswers();
  const sender = new Sender({
    queue,
    route: makeRouter([], [link]),
    clock,
    chance: Math.random,
    log: silent,
    report: () => undefined,
    answers,
  });
  return { sender, submitted, settled, clock, capacity, answers };
}

const accepted: SubmitOutcome = { kind: "accepted", carrierIds: ["1"] };

test("a message that is brought again while it is being sent is sent once", async () => {
  const { sender, clock, submitted, settled } = newSender();
  sender.take([message("OM1"), message("OM1")]);
  await clock.advance(0);
  expect(submitted.length).toBe(1);
  sender.take([message("OM1"), message("OM2")]);
  await clock.advance(0);
  expect(submitted.map(({ sid }) => sid)).toEqual(["OM1", "OM2"]);
  for (const { answer } of submitted) answer(accepted);
  await clock.until(sender.close());
  expect(settled).toEqual(["OM1", "OM2"]);
});

test("a message that is accepted leaves without being begun when none waits before it, and else after those", async () => {
  const begun: string[] = [];
  const { sender, clock, submitted, capacity } = newSender({
    async begin(batch) {
      const sids = batch.map(({ message: { sid } }) => sid);
      begun.push(...sids);
      return new Set(sids);
    },
  });
  capacity.left = 1;
  const first = sender.assign([message("OM1"), message("OM2")]);
  const second = sender.assign([message("OM3")]);
  expect([...first, ...second].map(({ link }) => link?.name)).toEqual(["link", undefined, undefined]);
  sender.leave(first);
  expect(
    submitted.map(({ sid }) => sid),
    "as soon as it is stored",
  ).toEqual(["OM1"]);
  capacity.left = 10;
  expect(sender.assign([message("OM4")])[0]?.link, "OM2 waits").toBeUndefined();
  expect(sender.assign([{ ...message("OM0"), priority: 1 }])[0]?.link, "more urgent than OM2").toBeDefined();
  sender.leave(second);
  await clock.advance(0);
  expect(begun).toEqual(["OM2", "OM3"]);
});

test("what has been judged long ago, or has expired, is begun and not sent at once", () => {
  const { sender } = newSender();
  const [old, late] = [message("OM1"), { ...message("OM2"), expiresOn: new Date(0) }];
  const [one] = sender.assign([{ ...old, checkedOn: new Date(-10_000) }]);
  const [other] = sender.assign([late]);
  expect([one?.link, other?.link]).toEqual([undefined, undefined]);
});

test("what was stored as leaving while the sender was closed is given back, and the sender waits for that", async () => {
  const given: string[] = [];
  const { sender, clock, submitted } = newSender({ giveBack: async (sids) => void given.push(...sids) });
  const assigned = sender.assign([message("OM1")]);
  const closed = sender.close().then(() => given.push("closed"));
  await clock.advance(1_000);
  expect(given).toEqual([]);
  sender.leave(assigned);
  await clock.until(closed);
  expect(given).toEqual(["OM1", "closed"]);
  expect(submitted).toEqual([]);
});

test("one that is claimed while it is being stored is sent once, whichever answer comes first", async () => {
  let begun = 0;
  const { sender, clock, submitted, capacity } = newSender({
    async begin(batch) {
      begun += batch.length;
      return new Set(batch.map(({ message: { sid } }) => sid));
    },
  });
  capacity.left = 0;
  const assigned = sender.assign([message("OM1")]);
  sender.take([message("OM1")]);
  sender.leave(assigned);
  capacity.left = 10;
  sender.pump();
  await clock.advance(0);
  expect([begun, submitted.length]).toEqual([1, 1]);
  submitted[0]?.answer(accepted);
  await clock.until(sender.close());
});

test("whoever closes tries again to give back what was stored as leaving, or may have been", async () => {
  const given: string[] = [];
  let failures = 4;
  const { sender, clock } = newSender({
    async giveBack(sids) {
      if (failures-- > 0) throw new Unavailable("the database went away");
      given.push(...sids);
    },
  });
  const [stored, unknown] = [sender.assign([message("OM1")]), sender.assign([message("OM2")])];
  const closed = sender.close();
  sender.leave(stored);
  sender.drop(unknown);
  await clock.until(closed);
  expect(given.sort()).toEqual(["OM1", "OM2"]);
});

test("one that could not be begun and comes again is begun again", async () => {
  const begun: string[] = [];
  const { sender, clock, submitted } = newSender({
    async begin(batch) {
      const sids = batch.map(({ message: { sid } }) => sid);
      begun.push(...sids);
      return new Set(begun.length > 1 ? sids : []);
    },
  });
  sender.take([message("OM1")]);
  await clock.advance(0);
  expect(begun).toEqual(["OM1"]);
  sender.take([message("OM1")]);
  await clock.advance(0);
  expect(submitted.length).toBe(1);
  submitted[0]?.answer(accepted);
  await clock.until(sender.close());
});

test("one that is claimed again while its first claim turns out to be lost is begun again", async () => {
  const answers: ((begun: ReadonlySet<string>) => void)[] = [];
  const { sender, clock, submitted } = newSender({ begin: () => new Promise((resolve) => answers.push(resolve)) });
  sender.take([message("OM1")]);
  await clock.advance(0);
  expect(answers.length).toBe(1);
  sender.take([message("OM1")]);
  answers[0]?.(new Set());
  await clock.advance(0);
  expect(answers.length).toBe(2);
  answers[1]?.(new Set(["OM1"]));
  await clock.advance(0);
  expect(submitted.map(({ sid }) => sid)).toEqual(["OM1"]);
  submitted[0]?.answer(accepted);
  await clock.until(sender.close());
  expect(answers.length).toBe(2);
});

test("a message is held from the moment at which it is being stored until it is settled", async () => {
  const { sender, clock, submitted } = newSender();
  const { isHeld } = sender.claims;
  const assigned = sender.assign([message("OM1"), message("OM2")]);
  expect(["OM1", "OM2", "OM3"].map(isHeld)).toEqual([true, true, false]);
  sender.drop(assigned.slice(1));
  sender.leave(assigned.slice(0, 1));
  sender.take([message("OM3")]);
  expect(["OM1", "OM2", "OM3"].map(isHeld)).toEqual([true, false, true]);
  await clock.advance(0);
  for (const { answer } of submitted) answer(accepted);
  await clock.advance(0);
  expect(["OM1", "OM3"].map(isHeld)).toEqual([false, false]);
  await clock.until(sender.close());
  expect(isHeld("OM1"), "nobody can tell any more").toBe(true);
});

test("while the clock is wrong nothing is claimed, and nothing new is taken", async () => {
  let claims = 0;
  const { sender, clock } = newSender({
    async claim() {
      claims += 1;
      return [];
    },
  });
  clock.isRight = false;
  await sender.look();
  expect([claims, sender.hasCapacity]).toEqual([0, false]);
  clock.isRight = true;
  await sender.look();
  expect([claims, sender.hasCapacity]).toEqual([1, true]);
});

test("whoever waits for the claims under way finds what they brought held", async () => {
  let answer: (claimed: readonly Outgoing[]) => void = () => undefined;
  const { sender, clock } = newSender({
    claim: () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
  });
  const looked = sender.look();
  const held = sender.claims.claimsAnswered().then(() => sender.claims.isHeld("OM1"));
  answer([message("OM1")]);
  expect(await held).toBe(true);
  await looked;
  await clock.advance(0);
});

test("an answer that cannot be written down keeps no other from it, and is written when it can be", async () => {
  const written: string[] = [];
  let isUnwritable = true;
  const { sender, clock, submitted } = newSender({
    async settle(batch) {
      const sids = batch.map(({ message: { sid } }) => sid);
      if (isUnwritable && sids.includes("OM2")) throw new Error("invalid input");
      written.push(...sids);
    },
  });
  sender.take([message("OM1"), message("OM2"), message("OM3")]);
  await clock.advance(0);
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
  const { sender, clock, submitted } = newSender({
    async settle() {
      tries++;
      throw new Unavailable("the database went away");
    },
  });
  sender.take([message("OM1")]);
  await clock.advance(0);
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
  const { sender, clock, submitted, answers } = newSender({ settle });
  sender.take([message("OM1")]);
  await clock.advance(0);
  submitted[0]?.answer(accepted);
  const stored = answers.removed();
  expect(stored).toBeDefined();
  await clock.until(stored as Promise<void>);
  expect(answers.removed()).toBeUndefined();
});
