import { expect, test } from "vitest";
import { silent } from "../../../test/fakes/silent-log.ts";
import { VirtualClock } from "../../../test/fakes/virtual-clock.ts";
import { makeIds } from "../../base/ids.ts";
import { ok } from "../../base/result.ts";
import type { NewEvent } from "../events.ts";
import type { ConferenceOrder } from "./conference.ts";
import { ConferenceBridges } from "./conference-bridges.ts";
import { ConferenceDesk } from "./conference-desk.ts";
import type { AdmittedParty, ConferenceLedger, Invitation, MediaLeg, Mix, SignallingInput } from "./ports.ts";

const ORDER: ConferenceOrder = {
  name: "team",
  label: null,
  muted: false,
  beeps: { enter: false, exit: false },
  startsOnEnter: true,
  endsOnExit: false,
  participantsMax: 3,
  waitUrl: null,
};
const TERMS = { family: 4, secure: false, codecs: ["PCMU"], isTrusted: true } as const;

/** An input without its time. */
type Signal = SignallingInput extends infer Input ? (Input extends object ? Omit<Input, "at"> : never) : never;
type Outcome = Awaited<ReturnType<ConferenceLedger["open"]>>;

/** A node: its conferences, and its legs to and from others. */
function newNode() {
  const clock = new VirtualClock(Date.UTC(2026, 0, 1));
  const ids = makeIds(clock);
  const said: string[] = [];
  const names = new Map<MediaLeg, string>();
  const legOf = (name: string): MediaLeg => {
    const say = (what: string) => void said.push(`${name} ${what}`);
    const leg = {
      offer: () => "offer",
      answer: () => ok("answer"),
      accept: () => ok(undefined),
      joinWith: (other: MediaLeg) => say(`joined with ${names.get(other)}`),
      play: () => say("music"),
      stopPlaying: () => undefined,
      close: async () => void say("closed"),
    } as unknown as MediaLeg;
    names.set(leg, name);
    return leg;
  };
  const world = {
    outcome: "opened" as Outcome,
    invitation: undefined as Invitation | undefined,
    party: undefined as AdmittedParty | undefined,
    over: [] as string[],
    dialled: "",
    saved: "",
    events: [] as NewEvent[],
  };
  const media = {
    open: async () => ok(legOf("bridge")),
    mix: () => {
      const mix: Pick<Mix, "set" | "remove" | "play"> = {
        set: (leg, { speaks, hears }) =>
          void said.push(`${names.get(leg)}${speaks ? " speaks" : ""}${hears ? " hears" : ""}`),
        remove: (leg) => void said.push(`${names.get(leg)} out`),
        play: () => undefined,
      };
      return mix as Mix;
    },
  };
  const desk: ConferenceDesk = new ConferenceDesk({
    ...{ clock, ids, log: silent, media },
    sounds: { play: () => (async function* () {})() },
    ledger: {
      open: async () => world.outcome,
      async save({ sid }, events) {
        world.saved = sid;
        world.events.push(...events);
        return true;
      },
      endAbandoned: async () => undefined,
    },
    bring: (entry, openHere) => bridges.bring(entry, openHere),
  });
  const bridges = new ConferenceBridges({
    ...{ clock, ids, log: silent, media },
    signalling: {
      dialNode({ legSid, place, ticket, offer }) {
        world.dialled = legSid;
        said.push(`INVITE ${ticket}@${place} ${offer(TERMS)}`);
      },
      answer: (_legSid, sdp) => void said.push(`200 ${sdp}`),
      reject: (_legSid, { sipCode }) => void said.push(String(sipCode)),
      answerOffer: (_legSid, sdp) => void said.push(`200 again ${sdp}`),
      reoffer: () => undefined,
      hangUp: (_legSid, reason) => void said.push(`hung up${reason === undefined ? "" : `: ${reason}`}`),
    },
    ledger: {
      invite: async () => world.invitation,
      admit: async () => world.party,
      over: async ({ conferenceSids, callSids }) =>
        new Set([...conferenceSids, ...callSids].filter((sid) => world.over.includes(sid))),
    },
    calls: { note: async (callSid, { details }) => void said.push(`${callSid} ${JSON.stringify(details)}`) },
    find: (sid) => desk.find(sid),
  });
  const enter = (callSid: string, more: Partial<ConferenceOrder> = {}) =>
    desk.enter({
      ...{ accountSid: "AC1", callSid, order: { ...ORDER, ...more }, shape: "A", media: legOf(callSid) },
      entered: (sid) => void said.push(`${callSid} entered ${sid}`),
      waitFailed: () => undefined,
      left: ({ conferenceSid, fault }) => void said.push(`${callSid} left ${conferenceSid}: ${fault}`),
    });
  const settle = () => clock.advance(10);
  const take = () => said.splice(0);
  const signal = (input: Signal) => bridges.takeSignal({ at: clock.now(), ...input } as SignallingInput);
  return { world, clock, desk, bridges, enter, settle, take, signal };
}

type Node = ReturnType<typeof newNode>;

/** A call here is in a conference of another node. */
async function beThere(node: Node) {
  const { world, enter, settle, signal } = node;
  world.outcome = "elsewhere";
  world.invitation = { conferenceSid: "CF1", place: "127.0.0.2:5060", ticket: "conference-1" };
  const visit = enter("CA1");
  await settle();
  signal({ kind: "answered", legSid: world.dialled, sdp: "answer" });
  return visit;
}

/** A party of another node comes to a conference of this one, in which a call of ours is. */
async function comeHere(node: Node, callSid = "CA9", legSid = "LG9", more: Partial<ConferenceOrder> = {}) {
  const { world, settle, signal } = node;
  world.party = { conferenceSid: world.saved, accountSid: "AC1", callSid, order: { ...ORDER, ...more }, shape: "A" };
  signal({ kind: "bridged", legSid, ticket: "1", sdp: "offer", terms: TERMS });
  await settle();
}

async function ownConference(node: Node) {
  node.enter("CA1");
  await node.settle();
  node.take();
}

test("a call is brought to the node that has its conference, and hears it", async () => {
  const node = newNode();
  await beThere(node);
  expect(node.take()).toEqual([
    "INVITE conference-1@127.0.0.2:5060 offer",
    "CA1 joined with bridge",
    "CA1 entered CF1",
  ]);
});

test("a call that leaves hangs up there, and is told nothing", async () => {
  const node = newNode();
  const visit = await beThere(node);
  node.take();
  visit.leave("Left");
  expect(node.take()).toEqual(["hung up: Left", "bridge closed"]);
  node.signal({ kind: "ended", legSid: node.world.dialled, by: "us" });
  expect(node.take()).toEqual([]);
});

test("a call whose conference is over there goes on", async () => {
  const node = newNode();
  await beThere(node);
  node.take();
  node.signal({ kind: "ended", legSid: node.world.dialled, by: "peer" });
  expect(node.take()).toEqual(["hung up", "bridge closed", "CA1 left CF1: null"]);
});

test("a call whose conference died with its node goes on as soon as the record says so", async () => {
  const node = newNode();
  await beThere(node);
  node.take();
  expect(node.bridges.watched).toEqual({ conferenceSids: ["CF1"], callSids: [] });
  await node.bridges.look();
  expect(node.take()).toEqual([]);
  node.world.over.push("CF1");
  await node.bridges.look();
  expect(node.take()).toEqual(["hung up", "bridge closed", "CA1 left CF1: null"]);
  expect(node.bridges.watched).toEqual({ conferenceSids: [], callSids: [] });
});

test("a call that hears nothing of the other node any more goes on", async () => {
  const node = newNode();
  await beThere(node);
  node.take();
  const { dialled: legSid } = node.world;
  expect(node.bridges.takeMedia({ at: node.clock.now(), legSid, kind: "inactive" })).toBe(true);
  expect(node.take()).toEqual(["hung up", "bridge closed", "CA1 left CF1: null"]);
  expect(node.bridges.takeMedia({ at: node.clock.now(), legSid, kind: "inactive" })).toBe(false);
});

test("a call whose conference ended meanwhile opens it here", async () => {
  const node = newNode();
  const { world, enter, settle, signal, take, clock } = node;
  world.outcome = "elsewhere";
  world.invitation = { conferenceSid: "CF1", place: "127.0.0.2:5060", ticket: "conference-1" };
  enter("CA1");
  await settle();
  world.outcome = "opened";
  signal({ kind: "refused", legSid: world.dialled, sipCode: 404, reason: "" });
  take();
  await clock.advance(300);
  expect(take()).toEqual([`CA1 entered ${world.saved}`, "CA1 hears"]);
});

test("a call that no node lets in is told so, and one that left meanwhile does not enter", async () => {
  const node = newNode();
  const { world, enter, take, clock } = node;
  world.outcome = "elsewhere";
  const visit = enter("CA1");
  await clock.advance(300);
  visit.leave("HungUp");
  enter("CA2");
  await clock.advance(5_000);
  expect(take().filter((what) => what.includes("left"))).toEqual([
    "CA2 left null: The node that has the conference did not let the call in.",
  ]);
});

test("a node that does not answer is not waited for", async () => {
  const node = newNode();
  const { world, enter, take, clock } = node;
  world.outcome = "elsewhere";
  world.invitation = { conferenceSid: "CF1", place: "127.0.0.2:5060", ticket: "conference-1" };
  enter("CA1");
  await clock.advance(10_000);
  expect(take().slice(1)).toEqual([
    "hung up",
    "bridge closed",
    "CA1 left null: The node that has the conference did not answer.",
  ]);
});

test("a conference of a node of an earlier version is refused by name", async () => {
  const node = newNode();
  node.world.outcome = "elsewhere";
  node.world.invitation = { conferenceSid: "CF1", place: null, ticket: "conference-1" };
  node.enter("CA1");
  await node.settle();
  expect(node.take()).toEqual([
    "hung up",
    "CA1 left null: The conference is at a node of an earlier version, or without an address for SIP: calls of others do not get there.",
  ]);
});

test("a party of another node is in the conference like any other, and is muted, held and removed", async () => {
  const node = newNode();
  await ownConference(node);
  await comeHere(node);
  expect(node.take()).toEqual(["CA1 speaks hears", "bridge speaks hears", "200 answer"]);
  const conferenceSid = node.world.saved;
  node.desk.obey({ conferenceSid, callSid: "CA9", muted: true });
  node.desk.obey({ conferenceSid, callSid: "CA9", hold: true });
  expect(node.take()).toEqual(["bridge hears", "bridge", "bridge music"]);
  node.desk.obey({ conferenceSid, callSid: "CA9", isRemoved: true });
  expect(node.take()).toEqual(["bridge out", "hung up", "bridge closed"]);
  node.signal({ kind: "ended", legSid: "LG9", by: "us" });
  expect(node.take()).toEqual([]);
});

test("a party whose node says BYE, or whose call is over, leaves", async () => {
  const node = newNode();
  await ownConference(node);
  await comeHere(node);
  node.take();
  node.signal({ kind: "ended", legSid: "LG9", by: "peer" });
  expect(node.take()).toEqual(["bridge out", "hung up", "bridge closed"]);
  await comeHere(node, "CA8", "LG8");
  node.take();
  expect(node.bridges.watched.callSids).toEqual(["CA8"]);
  node.world.over.push("CA8");
  await node.bridges.look();
  expect(node.take()).toEqual(["bridge out", "hung up", "bridge closed"]);
});

test.each([
  ['SIP;text="Redirected"', "Redirected"],
  ['Q.850;cause=16;text="Normal call clearing"', "HungUp"],
  [undefined, "HungUp"],
])("a party whose node says %j with its BYE has left for that reason", async (said, reason) => {
  const node = newNode();
  await ownConference(node);
  await comeHere(node);
  node.signal({ kind: "ended", legSid: "LG9", by: "peer", said });
  await node.settle();
  expect(node.world.events.at(-1)).toMatchObject({
    fields: { Event: "ParticipantLeft", CallSid: "CA9", Reason: reason },
  });
});

test("a ticket that is not valid, and a conference that is not here, are not told apart", async () => {
  const node = newNode();
  node.signal({ kind: "bridged", legSid: "LG9", ticket: "1", sdp: "offer", terms: TERMS });
  await node.settle();
  await comeHere(node);
  expect(node.take()).toEqual(["404", "404"]);
});

test("a conference that is full does not take it", async () => {
  const node = newNode();
  await ownConference(node);
  await comeHere(node, "CA8", "LG8", { participantsMax: 1 });
  expect(node.take()).toEqual(["486", "bridge closed"]);
});

test("a party that comes again is in it once", async () => {
  const node = newNode();
  await ownConference(node);
  await comeHere(node);
  node.take();
  await comeHere(node, "CA9", "LG10");
  expect(node.take()).toEqual(["bridge out", "hung up", "bridge closed", "bridge speaks hears", "200 answer"]);
  expect(node.desk.find(node.world.saved)?.conference.participants.map(({ callSid }) => callSid)).toEqual([
    "CA1",
    "CA9",
  ]);
});

test("a party that comes again when only it was left is told that the conference is over", async () => {
  const node = newNode();
  const { enter, settle, take } = node;
  const visit = enter("CA1");
  await settle();
  await comeHere(node);
  visit.leave("HungUp");
  take();
  await comeHere(node, "CA9", "LG10");
  expect(take()).toEqual(["bridge out", "hung up", "bridge closed", "404", "bridge closed"]);
});

test("a party that gives up while it is let in does not enter", async () => {
  const node = newNode();
  await ownConference(node);
  const coming = comeHere(node);
  node.signal({ kind: "canceled", legSid: "LG9" });
  await coming;
  expect(node.take()).toEqual(["hung up", "bridge closed"]);
  expect(node.desk.find(node.world.saved)?.conference.participants).toHaveLength(1);
});

test("a stop waits for parties of other nodes as for calls, and then lets them go", async () => {
  const node = newNode();
  await node.bridges.drain(1_000);
  await ownConference(node);
  await comeHere(node);
  node.take();
  let isDrained = false;
  void node.bridges.drain(1_000).then(() => {
    isDrained = true;
  });
  await node.clock.advance(900);
  expect(isDrained).toBe(false);
  await node.clock.advance(200);
  expect(node.take()).toEqual(["bridge out", "hung up", "bridge closed"]);
  expect(isDrained).toBe(true);
});
