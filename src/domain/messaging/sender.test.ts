import { expect, test } from "vitest";
import { silent } from "../../../test/fakes/silent-log.ts";
import { VirtualClock } from "../../../test/fakes/virtual-clock.ts";
import { Unavailable } from "../../base/unavailable.ts";
import type { CarrierLink, Outgoing, SendQueue, SubmitOutcome } from "./ports.ts";
import { makeRouter } from "./routing.ts";
import { Sender } from "./sender.ts";

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

/** A sender over a link that answers when told, and a queue in which everything may be begun. */
function newSender(more: Partial<SendQueue> = {}) {
  const submitted: { readonly sid: string; readonly answer: (outcome: SubmitOutcome) => void }[] = [];
  const settled: string[] = [];
  const link: CarrierLink = {
    name: "link",
    carrier: "carrier",
    kind: "sms",
    room: () => 10,
    submit: ({ sid }, answer) => void submitted.push({ sid, answer }),
  };
  const queue: SendQueue = {
    claim: async () => [],
    begin: async (batch) => new Set(batch.map(({ message: { sid } }) => sid)),
    settle: async (batch) => void settled.push(...batch.map(({ message: { sid } }) => sid)),
    giveBack: async () => undefined,
    giveBackAllBut: async () => undefined,
    ...more,
  };
  const clock = new VirtualClock();
  const sender = new Sender({
    queue,
    route: makeRouter([], [link]),
    clock,
    chance: Math.random,
    log: silent,
    report: () => undefined,
  });
  return { sender, submitted, settled, clock };
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

test("what a claim that failed may have claimed is given back before the next, but for what is at hand", async () => {
  const calls: string[] = [];
  let failures = 1;
  const { sender, clock, submitted } = newSender({
    async claim() {
      calls.push("claim");
      if (failures-- > 0) throw new Error("the database went away");
      return [];
    },
    async giveBackAllBut(sids) {
      calls.push(`give back all but ${sids.join()}`);
    },
  });
  sender.take([message("OM1")]);
  await clock.advance(0);
  expect(submitted.length).toBe(1);
  await expect(sender.look()).rejects.toThrow("went away");
  await sender.look();
  await sender.look();
  expect(calls).toEqual(["claim", "give back all but OM1", "claim", "claim"]);
  submitted[0]?.answer(accepted);
  await clock.until(sender.close());
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
