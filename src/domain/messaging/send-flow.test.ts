import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { outgoing } from "../../../test/fakes/outgoing.ts";
import type { Outgoing, SendingLink, SettledMessage, Submit, SubmitOutcome } from "./ports.ts";
import { linksOfShards, makePlacer, makeRoutes } from "./routing.ts";
import { SendFlow } from "./send-flow.ts";

const NOW = new Date();

interface TestLink extends SendingLink {
  left: number;
  isUp: boolean;
  roomFor?: (account: string) => number | undefined;
}

function newLink(name: string): TestLink {
  return {
    name,
    carrier: "carrier",
    kind: "sms",
    left: 0,
    isUp: true,
    capacity() {
      return this.left;
    },
    submit: () => undefined,
  };
}

const PLACER = makePlacer([]);
const ROUTE = PLACER.placeOf(outgoing()).route;
const SHARDS = expect.arrayContaining([0, 63]);

function newFlow(links: readonly TestLink[] = [newLink("link")], weightOf = (_: string) => 1) {
  const flow = new SendFlow(PLACER, makeRoutes([], links), weightOf);
  const [link] = links as [TestLink];
  return {
    flow,
    link,
    /** Brings messages as a round of loads, one for each link. Returns whether more may be brought. */
    bring(messages: readonly Outgoing[], perAccount = 1_000): boolean {
      flow.queued([ROUTE]);
      let goesOn = false;
      for (const _ of links) {
        const order = flow.nextLoad();
        if (!order) break;
        const keys = messages.filter((message) => order.shards.includes(PLACER.placeOf(message).shard));
        const found = { keys, perAccount, last: undefined };
        if (flow.loaded(order, found, flow.missing(keys) as Outgoing[])) goesOn = true;
      }
      return goesOn;
    },
    /** What leaves when the link takes this many. */
    take(count: number): string {
      link.left = count;
      const submit = flow.nextSubmit();
      link.left = 0;
      return submit
        ? flow
            .begun(submit, sidsOf(submit.messages))
            .map(({ message }) => message.sid)
            .join(" ")
        : "";
    },
  };
}

const sidsOf = (messages: readonly Outgoing[]) => new Set(messages.map(({ sid }) => sid));
const messages = (accountSid: string, count: number, rest: Partial<Outgoing> = {}) =>
  Array.from({ length: count }, (_, at) => outgoing({ sid: `${accountSid}${at + 1}`, accountSid, ...rest }));

/** Loads until the flow asks for nothing more; each load finds these, which are in memory. */
function loadAll(flow: SendFlow, keys: readonly Outgoing[], perAccount = 5): void {
  for (let loads = 0; ; loads++) {
    const order = flow.nextLoad();
    if (!order) return;
    expect(loads, "loads").toBeLessThan(100);
    flow.loaded(order, { keys, perAccount, last: undefined }, []);
  }
}

const settled = (message: Outgoing, link: SendingLink, kind: "accepted" | "throttled"): SettledMessage => ({
  message,
  submit: 1,
  link,
  outcome: (kind === "accepted" ? { kind, carrierIds: ["1"] } : { kind }) as SubmitOutcome,
  leftOn: NOW,
  at: NOW,
});

describe("a link is shared", () => {
  test("by accounts in turns, whatever the priorities of the greedy one", () => {
    const { bring, take } = newFlow();
    bring([...messages("A", 100, { priority: 0 }), ...messages("B", 2, { priority: 3 })]);
    expect(take(6)).toBe("A1 B1 A2 B2 A3 A4");
  });

  test("by segments", () => {
    const { bring, take } = newFlow();
    bring([...messages("A", 100, { segmentCount: 3 }), ...messages("B", 100)]);
    expect(take(12)).toBe("A1 B1 B2 B3 A2 B4 B5 B6");
  });

  test("by the weights of the accounts", () => {
    const { bring, take } = newFlow([newLink("link")], (account) => (account === "A" ? 2 : 1));
    bring([...messages("A", 100), ...messages("B", 100)]);
    expect(take(6).replaceAll(/\d/g, "")).toBe("A B A B A A");
  });

  test("by an account's own messages in the order of their priorities", () => {
    const { bring, take } = newFlow();
    bring([
      outgoing({ sid: "3", priority: 3 }),
      outgoing({ sid: "1", priority: 1 }),
      outgoing({ sid: "2", priority: 1 }),
    ]);
    expect(take(3)).toBe("1 2 3");
  });
});

describe("a message that is accepted", () => {
  test("leaves when it is stored, if none waits for its link and the link has capacity", () => {
    const { flow, link } = newFlow();
    link.left = 1;
    const assigned = flow.assign(messages("A", 2), NOW);
    expect(assigned.map(({ submit }) => submit)).toEqual([{ number: 1, link }, undefined]);
    expect(flow.assign(messages("B", 1), NOW)[0]?.submit, "the capacity is reserved").toBeUndefined();
    expect(flow.isOpen(1)).toBe(true);
    expect(flow.stored(assigned)).toEqual([{ message: assigned[0]?.message, submit: 1, link }]);
    link.left = 5;
    expect(flow.assign(messages("C", 1), NOW)[0]?.submit, "A2 waits").toBeUndefined();
  });

  test("waits while others are being begun, so that it does not overtake them", () => {
    const { flow, link, bring } = newFlow();
    bring(messages("A", 1));
    link.left = 5;
    const submit = flow.nextSubmit() as Submit;
    expect(flow.assign(messages("B", 1), NOW)[0]?.submit).toBeUndefined();
    flow.begun(submit, new Set(["A1"]));
    expect(flow.assign(messages("C", 1), NOW)[0]?.submit).toBeDefined();
  });

  test("waits when it was judged long ago, or has expired", () => {
    const { flow, link } = newFlow();
    link.left = 5;
    const [old, late] = [{ checkedOn: new Date(0) }, { expiresOn: new Date(0) }].map((rest) => messages("A", 1, rest));
    expect(flow.assign(old as Outgoing[], NOW)[0]?.submit).toBeUndefined();
    expect(flow.assign(late as Outgoing[], NOW)[0]?.submit).toBeUndefined();
  });

  test("waits in the database behind those of its account that are not in memory", () => {
    const { flow, link, bring, take } = newFlow();
    bring(messages("A", 3), 3);
    expect(take(3)).toBe("A1 A2 A3");
    link.left = 5;
    const later = flow.assign(messages("A", 9).slice(8), NOW);
    expect(later[0]?.submit).toBeUndefined();
    flow.stored(later);
    expect(flow.nextSubmit()).toBeUndefined();
    expect(flow.nextLoad()).toEqual({ route: ROUTE, shards: SHARDS, after: "" });
    link.left = 0;
    bring(messages("A", 9).slice(3), 1_000);
    expect(take(9)).toBe("A4 A5 A6 A7 A8 A9");
    link.left = 5;
    expect(flow.assign([outgoing({ sid: "A10", accountSid: "A" })], NOW)[0]?.submit, "all are in memory").toBeDefined();
  });

  test("gives its place on the link back when it is not stored", () => {
    const { flow, link } = newFlow();
    link.left = 1;
    const assigned = flow.assign(messages("A", 1), NOW);
    flow.notStored(assigned);
    expect([flow.isOpen(1), flow.isIdle]).toEqual([false, true]);
    expect(flow.assign(messages("B", 1), NOW)[0]?.submit?.number).toBe(2);
  });
});

describe("loading", () => {
  test("is for links with little to do, and goes on after the last account", () => {
    const { flow } = newFlow();
    flow.queued([ROUTE]);
    const order = flow.nextLoad() as NonNullable<ReturnType<SendFlow["nextLoad"]>>;
    expect(order).toMatchObject({ route: ROUTE, after: "" });
    expect(flow.loaded(order, { keys: messages("A", 1), perAccount: 5, last: "A" }, messages("A", 1))).toBe(true);
    expect(flow.nextLoad()).toMatchObject({ after: "A" });
  });

  test("rests when all that it finds is in memory, until some of it has left", () => {
    const { flow, bring, take } = newFlow();
    expect(bring(messages("A", 5), 5)).toBe(true);
    expect(bring(messages("A", 5), 5)).toBe(false);
    expect(flow.nextLoad()).toBeUndefined();
    expect(take(1)).toBe("A1");
    expect(flow.nextLoad()).toBeDefined();
  });

  test("is over when nothing more is known to wait", () => {
    const { flow, bring } = newFlow();
    loadAll(flow, []);
    expect(flow.nextLoad()).toBeUndefined();
    bring(messages("A", 2), 5);
    loadAll(flow, messages("A", 2));
    expect(flow.nextLoad()).toBeUndefined();
  });

  test("rests while the link has enough to do, but for accounts that may have nothing in memory", () => {
    const { flow, bring, take } = newFlow();
    bring([...messages("A", 1_500), ...messages("B", 1)], 1_500);
    loadAll(flow, messages("A", 1_500), 1_500);
    expect(take(3)).toBe("A1 B1 A2");
    expect(flow.nextLoad(), "B has no more").toBeUndefined();
    bring([...messages("A", 1_500), ...messages("B", 9).slice(1)], 8);
    expect(take(20)).toContain("B9");
    expect(flow.nextLoad(), "B may have more").toMatchObject({ accounts: ["B"] });
  });

  test("stops at a bound: what is accepted beyond it waits in the database", () => {
    const { flow, bring, take } = newFlow();
    bring(messages("A", 4_000), 5_000);
    flow.stored(flow.assign(messages("B", 1), NOW));
    expect(take(3)).toBe("A1 A2 A3");
    expect(flow.nextLoad()).toMatchObject({ accounts: ["B"] });
  });

  test("of messages for one link does not wait for those of the same account for another", () => {
    const links = [newLink("one"), newLink("two")] as [TestLink, TestLink];
    const { flow } = newFlow(links);
    const many = Array.from({ length: 100 }, (_, at) =>
      outgoing({ sid: `${at}`, recipients: [`+1212555${1000 + at}`] }),
    );
    const load = (isAll: boolean) => {
      const order = flow.nextLoad() as NonNullable<ReturnType<SendFlow["nextLoad"]>>;
      const keys = many.filter((message) => order.shards.includes(PLACER.placeOf(message).shard));
      flow.loaded(order, { keys, perAccount: isAll ? 1_000 : keys.length, last: undefined }, keys);
      return keys;
    };
    const [slow, quick] = [load(false), load(true)];
    expect([slow.length + quick.length, slow.length > 0, quick.length > 0]).toEqual([100, true, true]);
    for (const link of links) {
      link.left = 100;
      const submit = flow.nextSubmit() as Submit;
      flow.begun(submit, sidsOf(submit.messages));
    }
    const again = (messages: readonly Outgoing[]) =>
      messages.map((message) => ({ ...message, sid: `again ${message.sid}` }));
    expect(flow.assign(again(slow), NOW).filter(({ submit }) => submit)).toEqual([]);
    expect(flow.assign(again(quick), NOW).filter(({ submit }) => !submit)).toEqual([]);
  });

  test("that is asked for while another is under way is not forgotten", () => {
    const { flow, bring } = newFlow();
    bring(messages("A", 5), 5);
    const order = flow.nextLoad() as NonNullable<ReturnType<SendFlow["nextLoad"]>>;
    flow.queued([ROUTE]);
    expect(flow.loaded(order, { keys: messages("A", 5), perAccount: 5, last: undefined }, [])).toBe(true);
    expect(flow.nextLoad()).toMatchObject({ after: "" });
  });
});

describe("the record of a submit", () => {
  test("is finished when the last of its messages is settled", () => {
    const { flow, link, bring, take } = newFlow();
    bring(messages("A", 3));
    expect(take(3)).toBe("A1 A2 A3");
    const [one, two, three] = messages("A", 3).map((message) => settled(message, link, "accepted")) as [
      SettledMessage,
      SettledMessage,
      SettledMessage,
    ];
    expect(flow.finishedBy([one, two])).toEqual([]);
    flow.written([one, two]);
    expect([flow.finishedBy([three]), flow.isOpen(1)]).toEqual([[1], true]);
    flow.written([three]);
    expect([flow.isOpen(1), flow.isIdle]).toEqual([false, true]);
  });

  test("is open while it is begun, and gone when nothing was begun", () => {
    const { flow, link, bring } = newFlow();
    bring(messages("A", 2));
    link.left = 2;
    const submit = flow.nextSubmit() as Submit;
    expect(flow.isOpen(submit.number)).toBe(true);
    expect(flow.begun(submit, new Set())).toEqual([]);
    expect([flow.isOpen(submit.number), flow.isIdle]).toEqual([false, true]);
    expect(flow.nextSubmit(), "they no longer wait").toBeUndefined();
  });

  test("is another one when beginning failed, and the messages keep their order", () => {
    const { flow, link, bring, take } = newFlow();
    bring(messages("A", 3));
    link.left = 2;
    const submit = flow.nextSubmit() as Submit;
    expect(flow.nextSubmit(), "one at a time").toBeUndefined();
    flow.notBegun(submit);
    expect(flow.isOpen(submit.number)).toBe(false);
    expect(take(3)).toBe("A1 A2 A3");
    expect(flow.isOpen(2)).toBe(true);
  });
});

test("an account for which the link has no room is left out, and keeps its turn", () => {
  const { flow, link, bring, take } = newFlow();
  const room = new Map([["A", 2]]);
  link.roomFor = (account) => room.get(account);
  bring([...messages("A", 5), ...messages("B", 3)]);
  expect(take(10)).toBe("A1 B1 A2 B2 B3");
  room.set("A", 1);
  expect(take(10)).toBe("A3");
  room.set("A", 0);
  link.left = 5;
  const [own, other] = [outgoing({ sid: "A9", accountSid: "A" }), outgoing({ sid: "C1", accountSid: "C" })];
  expect(flow.nextSubmit()).toBeUndefined();
  expect(
    flow.assign([own, other], NOW).map(({ submit }) => submit),
    "others wait",
  ).toEqual([undefined, undefined]);
});

test("nothing overtakes a message that no carrier took, while that is being written", () => {
  const { flow, link, bring, take } = newFlow();
  bring(messages("A", 3));
  expect(take(1)).toBe("A1");
  flow.answered(link, { kind: "throttled" });
  expect(take(3)).toBe("");
  link.left = 3;
  expect(flow.assign(messages("B", 1), NOW)[0]?.submit).toBeUndefined();
  link.left = 0;
  flow.written([settled(messages("A", 1)[0] as Outgoing, link, "throttled")]);
  expect(take(3)).toBe("A1 A2 A3");
});

test("a message that no carrier took leaves first", () => {
  const { flow, link, bring, take } = newFlow();
  bring(messages("A", 3));
  expect(take(2)).toBe("A1 A2");
  for (const _ of messages("A", 2)) flow.answered(link, { kind: "throttled" });
  flow.written(messages("A", 2).map((message) => settled(message, link, "throttled")));
  expect(take(3)).toBe("A1 A2 A3");
});

test("at most 500 messages are begun together", () => {
  const { bring, take } = newFlow();
  bring(messages("A", 600));
  expect(take(600).split(" ")).toHaveLength(500);
  expect(take(600).split(" ")).toHaveLength(100);
});

test("a message that is in memory is not loaded again", () => {
  const { flow, bring, take } = newFlow();
  bring(messages("A", 2));
  expect(flow.missing(messages("A", 3)).map(({ sid }) => sid)).toEqual(["A3"]);
  bring(messages("A", 2));
  expect(take(5)).toBe("A1 A2");
});

test("messages of a link that is down take the others, and go back when it is up", () => {
  const links = [newLink("one"), newLink("two")];
  const { flow, bring } = newFlow(links);
  const many = Array.from({ length: 50 }, (_, at) => outgoing({ sid: `${at}`, recipients: [`+1212555${1000 + at}`] }));
  bring(many);
  const [one, two] = links as [TestLink, TestLink];
  two.isUp = false;
  one.left = 100;
  expect((flow.nextSubmit() as Submit).messages).toHaveLength(50);
  two.isUp = true;
  two.left = 100;
  const both = flow.assign(
    many.map((message) => ({ ...message, sid: `again ${message.sid}` })),
    NOW,
  );
  expect(new Set(both.map(({ submit }) => submit?.link.name)), "one is beginning").toEqual(new Set(["two", undefined]));
});

test("a message without a link waits in the database", () => {
  const { flow, link } = newFlow();
  link.left = 5;
  const [assigned] = flow.assign([outgoing({ mediaUrls: ["https://example.com/a.png"] })], NOW);
  expect(assigned).toMatchObject({ submit: undefined, place: { route: expect.stringContaining("mms") } });
  expect(flow.stored([assigned as NonNullable<typeof assigned>])).toEqual([]);
  expect(flow.nextSubmit()).toBeUndefined();
});

test("after closing nothing waits in memory", () => {
  const { flow, bring, take } = newFlow();
  bring(messages("A", 3));
  flow.close();
  expect([take(3), flow.nextLoad(), flow.missing(messages("A", 1)).length]).toEqual(["", undefined, 1]);
});

test("with several holders, each of a link of its own, a small account waits for one segment of every other account", () => {
  const SEGMENT_MS = 125;
  const order = fc.record({
    holders: fc.integer({ min: 1, max: 3 }),
    greedy: fc.integer({ min: 1, max: 6 }),
    comesMs: fc.nat(3_000),
    recipients: fc.array(fc.nat(9_999), { minLength: 1, maxLength: 4 }),
  });
  fc.assert(
    fc.property(order, ({ holders, greedy, comesMs, recipients }) => {
      const links = Array.from({ length: holders }, (_, at) => newLink(`link ${at}`));
      const shards = linksOfShards(links.map((link) => ({ link, weight: 1 })));
      const flows = links.map((link) => ({ ...newFlow([link]), busyUntilMs: 0 }));
      const to = (number: number) => [`+1212555${String(number).padStart(4, "0")}`];
      const bring = (messages: readonly Outgoing[]) => {
        for (const { link, ...holder } of flows)
          holder.bring(messages.filter((message) => shards[PLACER.placeOf(message).shard] === link));
      };
      const urgent = { priority: 0, recipients: to(0) };
      for (let account = 0; account < greedy; account++)
        bring(messages(`greedy ${account} `, 200, urgent).map((one, at) => ({ ...one, recipients: to(at) })));
      const small = recipients.map((number, at) =>
        outgoing({ sid: `small ${at}`, accountSid: "small", priority: 3, recipients: to(number) }),
      );
      const leftMs = new Map<string, number>();
      for (let nowMs = 0; leftMs.size < small.length; nowMs++) {
        if (nowMs > 60_000) expect.fail("The small account has waited for a minute");
        if (nowMs === comesMs) bring(small);
        for (const holder of flows) {
          if (nowMs < holder.busyUntilMs) continue;
          const sid = holder.take(1);
          holder.busyUntilMs = nowMs + SEGMENT_MS;
          if (sid.startsWith("small")) leftMs.set(sid, nowMs - comesMs);
        }
      }
      // Beside its own that go over the same link: the segment that is being sent, and one of each other account.
      const latestMs = (greedy + 1) * SEGMENT_MS * small.length;
      for (const waitedMs of leftMs.values()) expect(waitedMs).toBeLessThanOrEqual(latestMs);
      expect(Math.min(...leftMs.values())).toBeLessThanOrEqual((greedy + 1) * SEGMENT_MS);
    }),
  );
});

test("whatever happens: no message leaves twice, links are never overfilled, and nobody waits for more than a round", () => {
  const act = fc.oneof(
    fc.record({ kind: fc.constant("bring" as const), account: fc.nat(3), count: fc.integer({ min: 1, max: 8 }) }),
    fc.record({ kind: fc.constant("accept" as const), account: fc.nat(3), count: fc.integer({ min: 1, max: 3 }) }),
    fc.record({ kind: fc.constant("begin" as const), left: fc.integer({ min: 0, max: 5 }), luck: fc.nat(9) }),
    fc.record({ kind: fc.constant("answer" as const), count: fc.integer({ min: 1, max: 6 }), isTaken: fc.boolean() }),
    fc.record({ kind: fc.constant("switch" as const), link: fc.nat(1) }),
  );
  fc.assert(
    fc.property(fc.array(act, { maxLength: 80 }), (acts) => {
      const links = [newLink("one"), newLink("two")] as [TestLink, TestLink];
      const { flow, bring } = newFlow(links);
      let number = 0;
      const underWay = new Map<string, { message: Outgoing; link: SendingLink }>();
      const left = new Set<string>();
      const make = (account: number, count: number) =>
        Array.from({ length: count }, () =>
          outgoing({ sid: `OM${++number}`, accountSid: `AC${account}`, recipients: [`+1212555000${number % 7}`] }),
        );
      const leave = (leaving: readonly { message: Outgoing; link: SendingLink }[]) => {
        for (const { message, link } of leaving) {
          expect(left.has(message.sid)).toBe(false);
          left.add(message.sid);
          underWay.set(message.sid, { message, link });
        }
      };
      for (const step of acts) {
        if (step.kind === "bring") bring(make(step.account, step.count));
        else if (step.kind === "switch") {
          const link = links[step.link] as TestLink;
          link.isUp = !link.isUp;
        } else if (step.kind === "accept") {
          for (const link of links) link.left = 2;
          const assigned = flow.assign(make(step.account, step.count), NOW);
          for (const link of links)
            expect(assigned.filter(({ submit }) => submit?.link === link).length).toBeLessThanOrEqual(2);
          leave(flow.stored(assigned));
        } else if (step.kind === "begin") {
          for (const link of links) link.left = step.left;
          const submit = flow.nextSubmit();
          if (!submit) continue;
          expect(submit.messages.length).toBeLessThanOrEqual(step.left);
          if (step.luck === 0) flow.notBegun(submit);
          else leave(flow.begun(submit, sidsOf(submit.messages)));
        } else {
          const batch = [...underWay.values()].slice(0, step.count);
          const answers = batch.map(({ message, link }) =>
            settled(message, link, step.isTaken ? "accepted" : "throttled"),
          );
          for (const { link, outcome } of answers) flow.answered(link as SendingLink, outcome);
          flow.written(answers);
          for (const { message } of batch) {
            underWay.delete(message.sid);
            if (!step.isTaken) left.delete(message.sid);
          }
        }
      }
      const rest = [...underWay.values()].map(({ message, link }) => settled(message, link, "accepted"));
      flow.written(rest);
      links[0].isUp = true;
      for (let rounds = 0; ; rounds++) {
        for (const link of links) link.left = 100;
        const submit = flow.nextSubmit();
        if (!submit) break;
        expect(rounds).toBeLessThanOrEqual(number);
        const leaving = flow.begun(submit, sidsOf(submit.messages));
        leave(leaving);
        flow.written(leaving.map(({ message, link }) => settled(message, link, "accepted")));
      }
      expect([left.size, flow.isIdle]).toEqual([number, true]);
    }),
  );
});
