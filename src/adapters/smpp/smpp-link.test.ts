import { type AddressInfo, createServer } from "node:net";
import { afterEach, expect, test } from "vitest";
import { Chance } from "../../../test/fakes/chance.ts";
import { encodePdu } from "../../../test/fakes/encode-pdu.ts";
import { outgoing } from "../../../test/fakes/outgoing.ts";
import { FIRST_REFERENCE, SEEN_THROTTLE, TestLink, TestSmsc } from "../../../test/fakes/smpp-link.ts";
import { Unavailable } from "../../base/unavailable.ts";
import { FAILURES, type SubmitOutcome } from "../../domain/messaging/index.ts";
import { readBody } from "../../wire/smpp/concatenation.ts";
import { deliverSm, type SubmitSm } from "../../wire/smpp/pdu.ts";
import { STATUS } from "../../wire/smpp/statuses.ts";
import { decodePart } from "./incoming.ts";

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).toReversed()) await one.close();
});

async function listen(...answer: Parameters<typeof TestSmsc.listen>): Promise<TestSmsc> {
  const smsc = await TestSmsc.listen(...answer);
  opened.push(smsc);
  return smsc;
}

function open(smsc: TestSmsc, ...options: [ConstructorParameters<typeof TestLink>[1]?]): TestLink {
  const alice = new TestLink(smsc.port, ...options);
  opened.push(alice.link);
  return alice;
}

const LONG = "x".repeat(153 * 3);
const partOf = (pdu: SubmitSm) => readBody(pdu).partOf?.part;
const NUMBER = { ton: 1, npi: 1, address: "14155550100" };
const delivery = (text: string) =>
  deliverSm({ source: NUMBER, destination: NUMBER, shortMessage: Uint8Array.from(text, (c) => c.charCodeAt(0)) });

test("a text is submitted with a receipt asked for, and told as accepted by its id", async () => {
  const smsc = await listen((pdu, bob) => bob.accept(pdu, "id-1"));
  const alice = await open(smsc).bound();
  expect(alice.states).toEqual(["connecting", "bound"]);
  expect(await alice.submit("hello")).toEqual({ kind: "accepted", carrierIds: ["id-1"] });
  expect(smsc.submits).toMatchObject([
    {
      source: { ton: 1, npi: 1, address: "12125550000" },
      destination: { ton: 1, npi: 1, address: "14155550100" },
      registeredDelivery: 1,
      dataCoding: 0,
      esmClass: 0,
      validityPeriod: "",
    },
  ]);
});

test("submits of one turn arrive in order", async () => {
  const smsc = await listen((pdu, bob) => bob.accept(pdu));
  const alice = await open(smsc, { settings: { windowSize: 50 } }).bound();
  const outcomes = await Promise.all(Array.from({ length: 50 }, (_, at) => alice.submit(`${at}`)));
  expect(outcomes.every(({ kind }) => kind === "accepted")).toBe(true);
  expect(smsc.submits.map(({ shortMessage }) => String.fromCharCode(...shortMessage)).map(Number)).toEqual(
    Array.from({ length: 50 }, (_, at) => at),
  );
});

test("before it is bound, beyond its window and after it is closed a link takes nothing, and says so", async () => {
  const smsc = await listen();
  const alice = open(smsc, { settings: { windowSize: 2 } });
  expect(alice.link.capacity()).toBe(0);
  expect(await alice.submit("early")).toEqual({ kind: "notSent", reason: "link down" });
  await alice.until(() => alice.freedCount === 1);
  expect(alice.link.capacity()).toBe(2);
  const outcomes = ["a", "b"].map((text) => alice.submit(text));
  expect(alice.link.capacity()).toBe(0);
  expect(await alice.submit("c")).toEqual({ kind: "notSent", reason: "no free slot" });
  const [first, second] = await smsc.until(() => smsc.submits.length === 2 && smsc.submits);
  const bob = await smsc.peer();
  bob.accept(first as SubmitSm);
  await alice.until(() => alice.freedCount === 2);
  expect(alice.link.capacity()).toBe(1);
  const closing = alice.link.close();
  expect(await alice.submit("late")).toEqual({ kind: "notSent", reason: "link closing" });
  bob.accept(second as SubmitSm);
  expect((await Promise.all(outcomes)).map(({ kind }) => kind)).toEqual(["accepted", "accepted"]);
  await closing;
  expect(bob.heard.at(-1)?.command).toBe("unbind");
  expect(alice.link.state).toMatchObject({ kind: "closed", reason: "unbound" });
  expect(smsc.submits.length).toBe(2);
});

test("a message longer than the window goes through it part by part", async () => {
  const smsc = await listen((pdu, bob) => bob.accept(pdu));
  const alice = await open(smsc, { settings: { windowSize: 1 } }).bound();
  expect(await alice.submit(LONG)).toEqual({ kind: "accepted", carrierIds: ["m2", "m3", "m4"] });
  expect(smsc.submits.map(partOf)).toEqual([1, 2, 3]);
});

test("a message throttled as a whole goes back, and the link waits before it takes more", async () => {
  let left = 2;
  const smsc = await listen((pdu, bob) => {
    if (left-- > 0) bob.refuse(pdu, left === 1 ? STATUS.ESME_RTHROTTLED : STATUS.ESME_RMSGQFUL);
    else bob.accept(pdu);
  });
  const alice = await open(smsc, { times: SEEN_THROTTLE }).bound();
  expect(await alice.submit("hello")).toEqual({ kind: "throttled" });
  expect(alice.link.capacity()).toBe(0);
  await alice.until(() => alice.states.at(-1) === "throttled");
  await alice.until(() => alice.freedCount === 2);
  expect(alice.link.state.kind).toBe("bound");
  expect(alice.link.capacity()).toBe(1);
  expect(await alice.submit("hello")).toEqual({ kind: "throttled" });
  await alice.until(() => alice.states.filter((kind) => kind === "throttled").length === 2);
  await alice.until(() => alice.link.capacity() === 1);
  expect(await alice.submit("hello")).toMatchObject({ kind: "accepted" });
  expect(alice.link.capacity()).toBe(2);
});

test("a part throttled after another was accepted is sent again, and the accepted one is not", async () => {
  const seen = new Map<number, number>();
  const smsc = await listen((pdu, bob) => {
    const part = partOf(pdu as SubmitSm) ?? 0;
    seen.set(part, (seen.get(part) ?? 0) + 1);
    if (part !== 1 && (seen.get(part) as number) < 3) bob.refuse(pdu, STATUS.ESME_RTHROTTLED);
    else bob.accept(pdu, `part ${part}`);
  });
  const alice = await open(smsc).bound();
  expect(await alice.submit(LONG)).toEqual({ kind: "accepted", carrierIds: ["part 1", "part 2", "part 3"] });
  expect(seen).toEqual(
    new Map([
      [1, 1],
      [2, 3],
      [3, 3],
    ]),
  );
});

test("the rest of a message that stays throttled is given up with what was accepted", async () => {
  const smsc = await listen((pdu, bob) => {
    if (partOf(pdu as SubmitSm) === 1) bob.accept(pdu, "first");
    else bob.refuse(pdu, STATUS.ESME_RTHROTTLED);
  });
  const alice = await open(smsc, { times: { heldMsMax: 100 } }).bound();
  expect(await alice.submit(LONG)).toEqual({
    kind: "rejected",
    failure: FAILURES.rejected,
    reason: "The carrier answered ESME_RTHROTTLED",
    carrierIds: ["first"],
  });
});

test("a long password is sent as it is where the link allows it", async () => {
  const heard = new Promise<string>((resolve) => {
    const server = createServer((socket) => {
      socket.once("data", (octets) => {
        resolve(octets.toString("latin1"));
        socket.destroy();
      });
    });
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      const { link } = new TestLink(port, { settings: { password: "sixteen letters!", longPassword: true } });
      opened.push(link, { close: async () => void server.close() });
    });
  });
  expect(await heard).toContain("alice\0sixteen letters!\0");
});

test("a refusal counts as the carrier's settings say, else a trouble of the SMSC is temporary", async () => {
  const statuses: number[] = [STATUS.ESME_RSYSERR, STATUS.ESME_RSUBMITFAIL, 0x412, STATUS.ESME_RMSGQFUL];
  const smsc = await listen((pdu, bob) => bob.refuse(pdu, statuses.shift() as number));
  const alice = await open(smsc, {
    statuses: {
      ESME_RSUBMITFAIL: { kind: "permanent", errorCode: 3002 },
      "0x412": { kind: "temporary", errorCode: 1003 },
      ESME_RMSGQFUL: { kind: "temporary" },
    },
  }).bound();
  const outcomes: SubmitOutcome[] = [];
  for (const text of ["a", "b", "c", "d"]) outcomes.push(await alice.submit(text));
  expect(outcomes).toMatchObject([
    { kind: "deferred", failure: FAILURES.network, reason: "The carrier answered ESME_RSYSERR", carrierIds: [] },
    { kind: "rejected", failure: FAILURES.spam },
    { kind: "deferred", failure: FAILURES.unreachable, reason: "The carrier answered 0x00000412" },
    { kind: "deferred", failure: FAILURES.rejected },
  ]);
  expect(alice.states).not.toContain("throttled");
});

test("after a rejected part nothing more of its message is sent", async () => {
  const smsc = await listen((pdu, bob) => {
    if (partOf(pdu as SubmitSm) === 1) bob.accept(pdu, "first");
    else bob.refuse(pdu, STATUS.ESME_RINVDSTADR);
  });
  const alice = await open(smsc, { settings: { windowSize: 1 } }).bound();
  expect(await alice.submit(LONG)).toEqual({
    kind: "rejected",
    failure: FAILURES.unreachable,
    reason: "The carrier answered ESME_RINVDSTADR",
    carrierIds: ["first"],
  });
  expect(smsc.submits.map(partOf)).toEqual([1, 2]);
});

test("the rest of a message that the connection was lost under follows on the next one", async () => {
  const smsc = await listen((pdu, bob) => {
    const part = partOf(pdu as SubmitSm);
    if (part === 2 && smsc.peers.length === 1) bob.drop();
    else bob.accept(pdu, `part ${part}`);
  });
  const alice = await open(smsc, { settings: { windowSize: 1 } }).bound();
  expect(await alice.submit(LONG)).toEqual({
    kind: "unknown",
    reason: "connection closed",
    carrierIds: [],
  });
  expect(smsc.submits.map(partOf)).toEqual([1, 2, 3]);
});

test("the rest of a message whose SMSC does not come back is given up with what was accepted", async () => {
  const smsc = await listen((pdu, bob) => {
    smsc.bindStatus = STATUS.ESME_RBINDFAIL;
    if (partOf(pdu as SubmitSm) === 1) bob.accept(pdu, "first");
    else bob.drop();
  });
  const alice = await open(smsc, { settings: { windowSize: 1 }, times: { heldMsMax: 60 } }).bound();
  const outcome = await alice.submit(LONG);
  expect(outcome).toMatchObject({ kind: "unknown", carrierIds: [] });
  expect(smsc.submits.map(partOf)).toEqual([1, 2]);
});

test("when the connection is lost what has left is unknown and what has not is not sent", async () => {
  const smsc = await listen();
  const alice = await open(smsc, { settings: { windowSize: 3, maxPerSecond: 0.5 } }).bound();
  const first = alice.submit("first");
  await smsc.until(() => smsc.submits.length === 1);
  const bob = await smsc.peer();
  bob.drop();
  expect(await first).toMatchObject({ kind: "unknown", carrierIds: [] });
  await alice.until(() => alice.states.includes("down"));
  await smsc.peer(bob);
  await alice.bound();
  expect(smsc.submits.length).toBe(1);
});

test("an answer that comes too late is reported after all", async () => {
  const smsc = await listen();
  const alice = await open(smsc, { seconds: { responseSeconds: 0.05 } }).bound();
  expect(await alice.submit("hello")).toEqual({
    kind: "unknown",
    reason: "not answered in time",
    carrierIds: [],
  });
  const [submit] = await smsc.until(() => smsc.submits.length === 1 && smsc.submits);
  (await smsc.peer()).accept(submit as SubmitSm, "late");
  await alice.until(() => alice.lateAnswers.length > 0);
  expect(alice.lateAnswers).toEqual([["OM1", { kind: "accepted", carrierIds: ["late"] }]]);
});

test("a link that paces itself sends no more than it may", async () => {
  const smsc = await listen((pdu, bob) => bob.accept(pdu));
  const alice = await open(smsc, { settings: { windowSize: 100, maxPerSecond: 100 } }).bound();
  const startMs = performance.now();
  let sent = 0;
  while (sent < 30) {
    const capacity = alice.link.capacity();
    if (capacity === 0) {
      const { freedCount } = alice;
      await alice.until(() => alice.freedCount > freedCount);
    } else sent += (await Promise.all(Array.from({ length: capacity }, () => alice.submit("hello")))).length;
  }
  // The first 5 of 30 may be sent immediately, the others take 10 ms each; there is no upper bound.
  expect(performance.now() - startMs).toBeGreaterThan(240);
});

test("a delivery is answered when its listener has taken it, not before", async () => {
  let take: (() => void) | undefined;
  const smsc = await listen();
  const alice = await open(smsc, {
    take: () =>
      new Promise((resolve) => {
        take = resolve;
      }),
  }).bound();
  const bob = await smsc.peer();
  bob.say(delivery("hi"), 7);
  bob.say({ command: "enquire_link" }, 8);
  await smsc.until(() => bob.heard.some(({ command }) => command === "enquire_link_resp"));
  expect(bob.heard.map(({ command }) => command)).not.toContain("deliver_sm_resp");
  expect(alice.parts).toMatchObject([{ carrier: "bob", link: "test", from: "+14155550100", to: "+14155550100" }]);
  expect(alice.parts.map(({ octets, dataCoding }) => decodePart(octets, dataCoding))).toEqual(["hi"]);
  take?.();
  const answer = await smsc.until(() => bob.heard.find(({ command }) => command === "deliver_sm_resp"));
  expect(answer).toMatchObject({ sequence: 7, status: 0 });
});

test("a delivery is reported with the connection it came over, which is the same one when the SMSC has throttled", async () => {
  const smsc = await listen((pdu, bob) => {
    if (pdu.command === "submit_sm") bob.refuse(pdu, STATUS.ESME_RTHROTTLED);
  });
  const alice = await open(smsc, { times: SEEN_THROTTLE }).bound();
  const bob = await smsc.peer();
  bob.say(delivery("one"), 1);
  await alice.until(() => alice.parts.length === 1);
  await alice.submit("hello");
  await alice.until(() => alice.states.includes("throttled") && alice.states.at(-1) === "bound");
  bob.say(delivery("two"), 2);
  await alice.until(() => alice.parts.length === 2);
  bob.drop();
  (await smsc.peer(bob)).say(delivery("three"), 3);
  await alice.until(() => alice.parts.length === 3);
  const [one, two, three] = alice.parts.map(({ session }) => session);
  expect(two).toBe(one);
  expect(three).not.toBe(one);
});

test.each([
  [new Unavailable("the database is away"), STATUS.ESME_RX_T_APPN],
  [new Error("a fault"), STATUS.ESME_RSYSERR],
])("what its listener cannot take (%s) the SMSC is told to keep", async (error, status) => {
  const smsc = await listen();
  await open(smsc, { take: () => Promise.reject(error) }).bound();
  const bob = await smsc.peer();
  bob.say(delivery("hi"), 7);
  const answer = await smsc.until(() => bob.heard.find(({ command }) => command === "deliver_sm_resp"));
  expect(answer).toMatchObject({ sequence: 7, status });
});

test("a bounded number of deliveries is with the listener at once", async () => {
  const smsc = await listen();
  const alice = await open(smsc, { take: () => new Promise(() => {}), seconds: { responseSeconds: 0.05 } }).bound();
  const bob = await smsc.peer();
  for (let sequence = 1; sequence <= 300; sequence++) bob.say(delivery("hi"), sequence);
  await smsc.until(() => bob.heard.filter(({ command }) => command === "deliver_sm_resp").length === 44);
  expect(alice.parts.length).toBe(256);
  expect(bob.heard.at(-1)).toMatchObject({ status: STATUS.ESME_RX_T_APPN });
});

test("a link with one bind for each direction is up when both are", async () => {
  const smsc = await listen((pdu, bob) => bob.accept(pdu));
  const alice = await open(smsc, { settings: { bind: "transmitter-receiver" } }).bound();
  expect(smsc.peers.map(({ boundAs }) => boundAs).toSorted()).toEqual(["bind_receiver", "bind_transmitter"]);
  expect(await alice.submit("hello")).toMatchObject({ kind: "accepted" });
  const receiver = smsc.peers.find(({ boundAs }) => boundAs === "bind_receiver");
  receiver?.say(delivery("hi"), 1);
  await alice.until(() => alice.parts.length === 1);
  receiver?.drop();
  await alice.until(() => alice.states.includes("down"));
  expect(alice.link.capacity()).toBe(0);
  await alice.bound();
  expect(smsc.peers.length).toBe(3);
  expect(await alice.submit("hello")).toMatchObject({ kind: "accepted" });
  await alice.link.close();
  expect(alice.link.state.kind).toBe("closed");
});

test("a refused bind is tried again for ever, and why is reported", async () => {
  const smsc = await listen();
  smsc.bindStatus = STATUS.ESME_RINVPASWD;
  const alice = open(smsc);
  await alice.until(() => alice.states.filter((kind) => kind === "down").length >= 3);
  expect(alice.link.state.reason).toBe("bind refused: ESME_RINVPASWD");
  smsc.bindStatus = 0;
  await alice.bound();
});

test("an SMSC that takes the connection and never shakes hands is not waited for", async () => {
  const smsc = await listen();
  const alice = open(smsc, { settings: { tls: { rejectUnauthorized: true } }, times: { connectMsMax: 30 } });
  await alice.until(() => alice.link.state.kind === "down");
  expect(alice.link.state.reason).toBe("connecting took too long");
});

test("an SMSC that has gone silent is left and connected to again", async () => {
  const smsc = await listen();
  const alice = await open(smsc, { seconds: { enquireLinkSeconds: 0.03, responseSeconds: 0.05 } }).bound();
  const bob = await smsc.peer();
  bob.say = () => {};
  await smsc.peer(bob);
  expect(alice.states).toContain("down");
  await alice.bound();
});

test("an SMSC that asks without end and reads no answer is not listened to, and left", async () => {
  const smsc = await listen();
  const alice = await open(smsc, { seconds: { enquireLinkSeconds: 0.1, responseSeconds: 0.1 } }).bound();
  const bob = await smsc.peer();
  bob.turnDeaf();
  const question = encodePdu({ command: "enquire_link" }, 1);
  const questions = Buffer.concat(Array.from({ length: 10_000 }, () => (question.ok ? question.value : expect.fail())));
  for (let time = 0; time < 200; time++) bob.write(questions);
  const unread = await alice.until(() => alice.link.state.reason === "enquire_link not answered" && bob.unread);
  expect(unread).toBeGreaterThan(1 << 20);
  await smsc.peer(bob);
  await alice.bound();
});

test("the SMSC can be asked what became of a message", async () => {
  const smsc = await listen((pdu, bob) => {
    if (pdu.command !== "query_sm") return;
    if (pdu.messageId !== "1F") bob.say({ command: "generic_nack", status: STATUS.ESME_RINVMSGID }, pdu.sequence);
    else {
      const state = { messageState: 2, errorCode: 0, finalDate: "261115120000000+" };
      bob.say({ command: "query_sm_resp", status: 0, messageId: "1F", ...state }, pdu.sequence);
    }
  });
  const alice = await open(smsc, { settings: { receiptIds: "hex-to-decimal" } }).bound();
  expect(await alice.link.ask("31", "+12125550000")).toEqual({
    carrier: "bob",
    carrierId: "31",
    state: "delivered",
    errorCode: null,
    receivedOn: expect.any(Date),
  });
  expect(await alice.link.ask("32", "+12125550000")).toBeUndefined();
  expect((await smsc.peer()).heard.find(({ command }) => command === "query_sm")).toMatchObject({ source: { ton: 1 } });
  await alice.link.close();
  expect(await alice.link.ask("31", "+12125550000")).toBeUndefined();
});

test("closing does not wait for ever for an SMSC that answers nothing", async () => {
  const smsc = await listen();
  const alice = await open(smsc, { seconds: { responseSeconds: 0.05 } }).bound();
  const outcome = alice.submit("hello");
  await smsc.until(() => smsc.submits.length === 1);
  await alice.link.close();
  expect(await outcome).toMatchObject({ kind: "unknown", carrierIds: [] });
  expect(alice.link.state.kind).toBe("closed");
});

test("a link that was never up closes at once", async () => {
  const smsc = await listen();
  smsc.bindStatus = STATUS.ESME_RBINDFAIL;
  const alice = open(smsc);
  await alice.until(() => alice.states.includes("down"));
  await alice.link.close();
  expect(alice.link.state.kind).toBe("closed");
});

test("a listener that throws harms no one else", async () => {
  const smsc = await listen((pdu, bob) => bob.accept(pdu));
  const alice = await open(smsc).bound();
  alice.link.submit(outgoing({ from: "A" }), () => {
    throw new Error("a fault");
  });
  expect(await alice.submit("b")).toMatchObject({ kind: "accepted" });
  alice.link.submit(outgoing({ from: "", recipients: [] }), () => {
    throw new Error("another");
  });
  expect(await alice.submit({ recipients: [] })).toMatchObject({ kind: "rejected" });
  expect(alice.faults).toEqual(["link's listener failed: Error: a fault", "link's listener failed: Error: another"]);
});

test("what SMPP cannot carry is rejected before anything is sent", async () => {
  const smsc = await listen((pdu, bob) => bob.accept(pdu));
  const alice = await open(smsc).bound();
  const statusOf = async (text: Parameters<TestLink["submit"]>[0]) => {
    const outcome = await alice.submit(text);
    return outcome.kind === "rejected" ? outcome.reason : outcome.kind;
  };
  expect(await statusOf({ recipients: [""] })).toBe("The carrier answered ESME_RINVDSTADR");
  expect(await statusOf({ from: "an address of more than twenty" })).toBe("The carrier answered ESME_RINVSRCADR");
  expect(await statusOf({ text: "ж".repeat(20_000) })).toBe("The carrier answered ESME_RINVMSGLEN");
  expect(await statusOf({ expiresOn: new Date(Date.now() - 1) })).toBe("The carrier answered ESME_RINVEXPIRY");
  expect(smsc.submits).toEqual([]);
});

// What an SMSC may do with a submit. A submit that it took, or may have taken, must never be sent again.
const REACTIONS = ["accept", "accept", "accept", "accept", "throttle", "reject", "ignore", "late", "drop"] as const;

test.each([1, 2, 3, 4, 5, 6])(
  "through every mischief each message has one outcome and no part is sent twice (%i)",
  async (seed) => {
    const random = new Chance(seed);
    const chance = () => random.next();
    const taken = new Map<string, number>();
    const accepted = new Set<string>();
    const smsc = await listen((pdu, bob) => {
      const { tlvs, shortMessage } = pdu as SubmitSm;
      const { sarMsgRefNum, sarSegmentSeqnum = 1 } = tlvs;
      const at = sarMsgRefNum === undefined ? String.fromCharCode(...shortMessage) : sarMsgRefNum - FIRST_REFERENCE + 1;
      const name = `${at}/${sarSegmentSeqnum}`;
      const reaction = REACTIONS[Math.floor(chance() * REACTIONS.length)];
      if (reaction === "throttle") return bob.refuse(pdu, STATUS.ESME_RTHROTTLED);
      if (reaction === "reject") return bob.refuse(pdu, STATUS.ESME_RSUBMITFAIL);
      taken.set(name, (taken.get(name) ?? 0) + 1);
      if (reaction === "drop") return bob.drop();
      if (reaction === "ignore") return;
      accepted.add(name);
      if (reaction === "accept") bob.accept(pdu, name);
      else setTimeout(() => bob.accept(pdu, name), 40);
    });
    const alice = open(smsc, {
      settings: { windowSize: 5, longMessages: "sar" },
      seconds: { responseSeconds: 0.03 },
      times: { heldMsMax: 100, throttleMsMin: 2, throttleMsMax: 8, reconnectMsMin: 1, reconnectMsMax: 5 },
    });
    let told = 0;
    for (let at = 1; at <= 60; at++) {
      await alice.until(() => alice.link.capacity() > 0);
      const parts = 1 + Math.floor(chance() * 4);
      const text = parts === 1 ? String(at) : "x".repeat(153 * parts);
      alice.link.submit(outgoing({ sid: `OM${at}`, text }), (outcome) => {
        told++;
        const names = Array.from({ length: parts }, (_, part) => `${at}/${part + 1}`);
        const begun = names.filter((name) => taken.has(name));
        if (outcome.kind === "accepted") expect(outcome.carrierIds).toEqual(names);
        if (["throttled", "notSent", "deferred"].includes(outcome.kind)) expect(begun).toEqual([]);
        if (outcome.kind === "unknown") expect(outcome.carrierIds).toEqual([]);
        alice.ring();
      });
    }
    await alice.until(() => told === 60);
    expect([...taken.values()].filter((times) => times > 1)).toEqual([]);
    expect(alice.faults).toEqual([]);
    for (const [sid, outcome] of alice.lateAnswers) {
      if (outcome.kind === "accepted") for (const id of outcome.carrierIds) expect(accepted.has(id)).toBe(true);
      expect(sid).toMatch(/^OM\d+$/);
    }
  },
);
