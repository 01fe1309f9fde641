import { beforeEach, describe, expect, test } from "vitest";
import { DIAL_RULES } from "../../../test/fakes/dial-rules.ts";
import { newCall } from "../../../test/fakes/new-call.ts";
import { silent } from "../../../test/fakes/silent-log.ts";
import { VirtualClock } from "../../../test/fakes/virtual-clock.ts";
import { makeIds } from "../../base/ids.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import { giveBackStrays } from "../give-back.ts";
import type { Call, LegMedia } from "./call.ts";
import { CallDesk, type CallDeskDeps, type DocumentOrder, type ScriptAnswer } from "./call-desk.ts";
import type { ScriptSource } from "./live-call.ts";
import type {
  AbandonedCall,
  AskedRedirection,
  CallChange,
  CalledNumber,
  CallSignalling,
  ConferenceEntry,
  DialOrder,
  IncomingLeg,
  MediaLeg,
  MediaSound,
  MediaTerms,
  Speech,
  SpokenText,
  StreamOpening,
  WaitingCall,
} from "./ports.ts";
import type { ScriptReader } from "./read-program.ts";
import { readScript } from "./read-script.ts";
import { newRecording, withNewSegment } from "./recording.ts";
import type { CallScript, OrderedProgram } from "./script.ts";

const OURS = "+14155550100";
const TERMS: MediaTerms = { family: 4, secure: false, codecs: ["PCMU"], isTrusted: true };
const INCOMING: IncomingLeg = {
  legSid: "LGin",
  trunk: "carrier",
  from: "+14155550101",
  isPrivate: false,
  called: [OURS],
  sdp: "offer",
  terms: TERMS,
  maxForwards: 70,
  peer: "192.0.2.1:5060",
};
const CALLED: CalledNumber = {
  number: OURS,
  accountSid: "AC1",
  messagingConfigSid: null,
  hasVoice: true,
  callsForwardedTo: "+14155550199",
  recordInboundCalls: false,
  account: { status: "Active", features: ["voice"], allowedCountries: null, limitChanges: {}, country: "US" },
  callsElsewhere: 0,
  continued: null,
};

const PAGE = { url: "https://example.com/calls/start?tenant=7", method: "POST" } as const;
const sourceOf = (read: ScriptReader): ScriptSource => ({ document: PAGE, fallback: undefined, shape: "A", read });

/** The surroundings of a desk: they record every command, and answer every request as the test sets. */
function newWorld(more: Partial<CallDeskDeps> = {}) {
  const clock = new VirtualClock(Date.UTC(2026, 0, 1));
  const said: string[] = [];
  const saved: CallChange[] = [];
  const dialled: DialOrder[] = [];
  const world = {
    clock,
    said,
    saved,
    dialled,
    called: CALLED as CalledNumber | undefined,
    answer: ok("answer") as Result<string, string>,
    isFull: false,
    opened: async (): Promise<void> => undefined,
    countries: ["US"] as readonly string[],
    countriesOf: async (): Promise<readonly string[]> => world.countries,
    speaksEvents: true,
    samples: 8000,
    asked: [] as { sid: string; switches: number }[],
    partiesAsked: [] as string[],
    played: [] as string[],
    streams: [] as StreamOpening[],
    conferences: [] as ConferenceEntry[],
    redirections: [] as AskedRedirection[],
    redirected: [] as string[],
    /** The store begins to write when this resolves. */
    begins: undefined as Promise<void> | undefined,
    save: async (): Promise<boolean> => true,
    closed: async (): Promise<void> => undefined,
    reported: [] as string[],
    abandoned: [] as AbandonedCall[],
    figures: undefined as LegMedia | undefined,
    /** The sounds that are played, and the engine's audio for a text. */
    sounds: [] as MediaSound[],
    say: async function* (): AsyncGenerator<Int16Array> {
      yield Int16Array.of(1, 2, 3);
    } as Speech["say"],
    waiting: [] as WaitingCall[],
    /** How many calls the account may have when another party is called. */
    partyTerms: ok(100) as Result<number, string>,
    script: { kind: "unanswered", reason: "nobody", deliverySid: null } as ScriptAnswer,
    /** What was asked for further documents, and the answers by URL. */
    questions: [] as DocumentOrder[],
    documents: new Map<string, string>(),
    /** By URL: its answer comes when this resolves. */
    late: new Map<string, Promise<void>>(),
  };
  const legMedia = (legSid: string): MediaLeg => ({
    offer: () => `offer of ${legSid}`,
    answer: () => world.answer,
    accept: () => ok(undefined),
    joinWith: () => void said.push("join"),
    listenTo: () => void said.push("listen"),
    play: (sound) => {
      said.push(sound.kind === "speech" ? "speech" : "play");
      world.sounds.push(sound);
    },
    listenForSilence: (ms) => void said.push(`silence ${ms ?? "off"}`),
    listenForKeys: (on) => void said.push(`tones ${on ? "on" : "off"}`),
    stopPlaying: () => undefined,
    stream: () => ({ play: () => {}, mark: () => {}, clear: () => {}, stop: () => {} }),
    tap: () => ({ play: () => {}, mark: () => {}, clear: () => {}, stop: () => {} }),
    sendDigit: (digit) => {
      if (world.speaksEvents) said.push(`event ${digit} to ${legSid}`);
      return world.speaksEvents;
    },
    measure: async () => world.figures,
    close: async () => {
      said.push(`close ${legSid}`);
      await world.closed();
      return { codec: "PCMU", secure: false, packetsReceived: 1, packetsLost: 0, jitterMs: 0, mos: 4.4 };
    },
  });
  const signalling: CallSignalling = {
    dial: (order) => {
      dialled.push(order);
      said.push(`dial ${order.offer(TERMS)}`);
    },
    ring: (sid) => void said.push(`ring ${sid}`),
    answer: (sid, sdp) => void said.push(`answer ${sid} ${sdp}`),
    reject: (sid, { sipCode, retryAfterSeconds }) =>
      void said.push(`reject ${sid} ${sipCode}${retryAfterSeconds === undefined ? "" : ` ${retryAfterSeconds}`}`),
    answerOffer: (sid, sdp) => void said.push(`reoffer ${sid} ${sdp}`),
    reoffer: (sid, sdp) => void said.push(`reinvite ${sid} ${sdp}`),
    sendDigit: (sid, digit) => void said.push(`info ${digit} to ${sid}`),
    hangUp: (sid) => void said.push(`hangUp ${sid}`),
    endLeft: (sid, dialog) => void said.push(`endLeft ${sid} ${dialog}`),
  };
  const desk = new CallDesk({
    signalling,
    speech: { say: (spoken, stop) => world.say(spoken, stop) },
    sounds: {
      async *play({ accountSid, url }) {
        if (!url.endsWith(".wav")) throw new Error(`${url} is no sound.`);
        world.played.push(`${accountSid} ${url}`);
        yield Int16Array.of(1, 2, 3, 4);
      },
    },
    streams: {
      open: (opening) => {
        world.streams.push(opening);
        said.push(`stream ${opening.order.url}`);
        return {
          press: (digit) => void said.push(`stream key ${digit}`),
          stop: () => void said.push("stream stopped"),
        };
      },
    },
    conferences: {
      enter: (entry) => {
        world.conferences.push(entry);
        return { leave: () => void said.push(`left ${entry.order.name}`) };
      },
    },
    media: {
      mix: () => ({
        set: () => undefined,
        remove: () => undefined,
        play: () => undefined,
        record: () => ({ stop: async () => 0 }),
      }),
      open: async (legSid) => {
        await world.opened();
        return world.isFull ? refused("full") : ok(legMedia(legSid));
      },
      record: (_first, _second, { file }) => {
        said.push(`record ${file}`);
        return {
          stop: async () => {
            said.push(`stop ${file}`);
            return world.samples;
          },
        };
      },
    },
    ledger: {
      save: async (take) => {
        if (world.begins) await world.begins;
        const change = take();
        if (!change) return true;
        const isOver = saved.some(({ call }) => call.sid === change.call.sid && call.status === "Completed");
        const isSaved = !isOver && (await world.save());
        if (isSaved) saved.push(change);
        return isSaved;
      },
      note: async (sid, { step, details }) => void said.push(`note ${sid} ${step} ${details.reason}`),
      claim: async () => world.waiting.splice(0),
      askedToHangUp: async () => [],
      takeSwitches: async (sids) => {
        const taken = world.asked.filter(({ sid }) => sids.includes(sid));
        world.asked = world.asked.filter((one) => !taken.includes(one));
        return taken;
      },
      takePartyHangUps: async (legSids) => world.partiesAsked.filter((sid) => legSids.includes(sid)),
      takeRedirections: async (sids) => world.redirections.filter(({ sid }) => sids.includes(sid)),
      redirected: async ({ sid, number }) => void world.redirected.push(`${sid} ${number}`),
      takeOver: async () => undefined,
      owned: async () => world.abandoned.map(({ call: { sid } }) => ({ id: sid, version: "1" })),
      giveBackStrays: async (strays) =>
        world.abandoned.splice(0).filter(({ call }) => strays.some(({ id }) => id === call.sid)),
    },
    directory: {
      findCalled: async () => world.called,
      countriesOf: () => world.countriesOf(),
      callsElsewhere: async () => world.called?.callsElsewhere ?? 0,
      mayShow: async (accountSid, number) => accountSid === "AC1" && number === "+14155550150",
    },
    ask: async () => world.script,
    takeParty: async () => world.partyTerms,
    readerOf: () => readScript,
    askDocument: async (question) => {
      world.questions.push(question);
      await world.late.get(question.document.url);
      const text = world.documents.get(question.document.url);
      if (text === undefined) return { kind: "unanswered", reason: "It answered 404." };
      return { kind: "answered", body: Buffer.from(text), document: question.document };
    },
    readyCallbacks: async () => undefined,
    checkUrl: (url) => (url.startsWith("https:") ? ok(url) : refused("Only https.")),
    rules: DIAL_RULES,
    ids: makeIds(clock),
    clock,
    log: silent,
    report: ({ sid }) => void world.reported.push(sid),
    ...more,
  });
  return { ...world, world, desk };
}

/** Resolves when all work that waits for no timer is done. */
const settled = () => new Promise<void>((resolve) => void setImmediate(resolve));

let at: ReturnType<typeof newWorld>;
beforeEach(() => {
  at = newWorld();
});

const tell = async (input: object) => {
  at.desk.takeSignal({ at: at.clock.now(), ...input } as Parameters<CallDesk["takeSignal"]>[0]);
  await settled();
};
const callIn = (more: Partial<IncomingLeg> = {}) => tell({ kind: "incoming", ...INCOMING, ...more });
const second = () => at.dialled.at(-1)?.legSid ?? "";
const lastSaved = (): Call | undefined => at.saved.at(-1)?.call;
const toldStatuses = () =>
  at.saved.flatMap(({ events }) => events.map(({ fields }) => (fields as { Status: string }).Status));

/** A call that was ordered and is to be dialled now. */
function ordered(call: Partial<Call> = {}, wishes: Partial<WaitingCall> = {}): WaitingCall {
  const createdOn = at.clock.now();
  const outbound = { accountSid: "AC1", direction: "Outbound", status: "Started", createdOn } as const;
  return {
    call: newCall({ sid: "CA1", ...outbound, ...call }),
    scope: { phone: OURS, messagingConfigSid: null, eventsTold: 0 },
    ringSeconds: 30,
    maxSeconds: 60,
    keyPrompt: null,
    program: null,
    allowedCountries: null,
    isHungUp: false,
    switchesAsked: 0,
    ...wishes,
  };
}

async function dial(...calls: WaitingCall[]): Promise<void> {
  at.world.waiting.push(...calls);
  await at.desk.dialWaiting();
  await settled();
  await settled();
}

/** The first leg of a call that is to be dialled. */
function newLegs(): Call["legs"] {
  const legs = newCall({ sid: "CA1", accountSid: "AC1" }).legs;
  return legs.map((leg) => ({ ...leg, sid: "LGin", status: "Started", rangOn: null }));
}

async function connect(): Promise<void> {
  await callIn();
  await tell({ kind: "confirmed", legSid: "LGin" });
  await tell({ kind: "answered", legSid: second(), sdp: "answer" });
}

test("calls of the account count wherever they are conducted, and no longer when they are over", async () => {
  at.world.called = { ...CALLED, callsElsewhere: 99 };
  await callIn();
  await callIn({ legSid: "LGmore" });
  expect(at.said).toContain("reject LGmore 486");
  await tell({ kind: "canceled", legSid: "LGin" });
  await callIn({ legSid: "LGlater" });
  expect(at.said).not.toContain("reject LGlater 486");
});

describe("a call that gets no record", () => {
  test.each<[string, Partial<IncomingLeg>, CalledNumber | undefined, string]>([
    ["is for nobody's number", {}, undefined, "404"],
    ["is for a number without VOICE", {}, { ...CALLED, hasVoice: false }, "404"],
    ["is for an account without voice", {}, { ...CALLED, account: { ...CALLED.account, features: [] } }, "480"],
    ["is for a suspended account", {}, { ...CALLED, account: { ...CALLED.account, status: "Suspended" } }, "480"],
    ["has no hops left", { maxForwards: 0 }, CALLED, "483"],
    ["is one too many", {}, { ...CALLED, callsElsewhere: 100 }, "486"],
  ])("%s", async (_why, leg, called, status) => {
    at.world.called = called;
    await callIn(leg);
    expect(at.said).toEqual([`reject LGin ${status}`]);
    expect(at.saved).toEqual([]);
    expect(at.desk.activeCount).toBe(0);
  });

  test("cannot be stored: the carrier is asked to come again", async () => {
    at.world.save = () => Promise.reject(new Error("the store is away"));
    await callIn();
    expect(at.said).toEqual(["reject LGin 503 10"]);
    expect(at.desk.activeCount).toBe(0);
  });

  test.each(["canceled", "ended"])("was %s while its number was looked up", async (kind) => {
    at.desk.takeSignal({ at: at.clock.now(), kind: "incoming", ...INCOMING });
    await tell({ kind, legSid: "LGin" });
    expect(at.said).toEqual([]);
    expect(at.saved).toEqual([]);
  });
});

test("other signals do not end a call whose number is looked up", async () => {
  at.desk.takeSignal({ at: at.clock.now(), kind: "incoming", ...INCOMING });
  await tell({ kind: "digit", legSid: "LGin", digit: "5", ms: 100 });
  expect(at.saved).toHaveLength(1);
});

test("a call that is being stored is one active call", async () => {
  at.world.save = () => new Promise(() => undefined);
  await callIn();
  expect(at.desk.activeCount).toBe(1);
});

describe("a call that goes round", () => {
  const ROUND = [OURS, "+14155550102"];
  const FIVE = ["+1", "+2", "+3", "+4", "+5"];
  test.each<[string, Partial<IncomingLeg>, readonly string[]]>([
    ["was forwarded by this number before, as its headers say", { diversions: [OURS] }, []],
    ["was forwarded by this number before, as we know", {}, ROUND],
    ["was forwarded five times, as its headers say", { diversions: FIVE }, []],
    ["was forwarded five times, as we know", {}, FIVE],
    ["was forwarded five times for a caller that nobody knows", { isPrivate: true }, FIVE],
  ])("%s: it is refused without a record, and the call that it continues says why", async (_why, leg, chain) => {
    at.world.called = { ...CALLED, continued: { callSid: "CA1", chain } };
    await callIn(leg);
    expect(at.said).toEqual(["reject LGin 482", expect.stringMatching(/^note CA1 loop .*(already|5 times)/)]);
    expect(at.saved).toEqual([]);
    expect(at.desk.activeCount).toBe(0);
  });

  test.each<[string, Partial<IncomingLeg>, readonly string[]]>([
    ["has been forwarded by others", {}, ["+14155550102", "+14155550103"]],
    ["may be another caller's, whom nobody knows", { isPrivate: true }, ROUND],
    ["may be another caller's, who has no number", { from: "unknown" }, ROUND],
  ])("%s: it goes on, and its chain with it", async (_why, leg, chain) => {
    at.world.called = { ...CALLED, continued: { callSid: "CA1", chain } };
    await callIn(leg);
    const from = leg.isPrivate ? "anonymous" : (leg.from ?? INCOMING.from);
    expect(at.saved[0]?.forwarding).toEqual({ from, to: "+14155550199", chain: [...chain, OURS] });
    await tell({ kind: "confirmed", legSid: "LGin" });
    await tell({ kind: "answered", legSid: second(), sdp: "answer" });
    expect(at.saved.at(-1)?.forwarding).toBeNull();
  });

  test("is looked for only where the telephone network is called", async () => {
    at.world.called = { ...CALLED, callsForwardedTo: `sip:${OURS}@pbx.example` };
    await callIn();
    expect(at.saved[0]?.forwarding).toBeNull();
    await tell({ kind: "confirmed", legSid: "LGin" });
    await at.dialled[0]?.dialsNumber(OURS);
    expect(at.saved.at(-1)?.forwarding).toEqual({ from: INCOMING.from, to: OURS, chain: [OURS] });
  });

  test("is stored before what a script says is dialled", async () => {
    at.world.called = { ...CALLED, callsForwardedTo: null };
    const body = Buffer.from("<Response><Dial>+14155550199</Dial></Response>");
    at.world.script = { kind: "answered", body, source: sourceOf(readScript), deliverySid: "WD1" };
    await callIn();
    await tell({ kind: "confirmed", legSid: "LGin" });
    const before = at.saved.findIndex(({ forwarding }) => forwarding?.to === "+14155550199");
    expect(before).toBeGreaterThan(-1);
    expect(at.dialled).toHaveLength(1);
  });
});

test("a call is stored before it is answered, answered before it is dialled, and joined when both have answered", async () => {
  await callIn();
  expect(at.saved).toHaveLength(1);
  expect(at.said).toEqual(["ring LGin", "answer LGin answer"]);
  await tell({ kind: "confirmed", legSid: "LGin" });
  expect(at.said.slice(2)).toEqual(["play", `dial offer of ${second()}`]);
  expect(at.dialled[0]).toMatchObject({
    target: { kind: "number", number: "+14155550199" },
    callerId: "+14155550101",
    divertedFrom: OURS,
    maxForwards: 69,
  });
  await tell({ kind: "ringing", legSid: second(), sipCode: 183, sdp: "early" });
  await tell({ kind: "answered", legSid: second(), sdp: "answer" });
  expect(at.said.slice(4)).toEqual(["listen", "join"]);
  await tell({ kind: "ended", legSid: second(), by: "peer" });
  expect(at.said.slice(6)).toEqual(["hangUp LGin", "close LGin", `close ${second()}`]);
  expect(lastSaved()).toMatchObject({ status: "Completed", endReason: "Completed", endedBy: "Second" });
  expect(lastSaved()?.legs.map(({ media }) => media?.codec)).toEqual(["PCMU", "PCMU"]);
  expect(toldStatuses()).toEqual(["Ringing", "Answered", "Ringing", "Answered", "Completed", "Completed"]);
  expect(at.saved.flatMap(({ events }) => events.map(({ sequence }) => sequence))).toEqual([1, 2, 3, 4, 5, 6]);
  expect(at.desk.activeCount).toBe(0);
});

test("a record is closed when the figures of its audio are known, though it is being written meanwhile", async () => {
  await connect();
  let [write, close] = [() => {}, () => {}];
  const written = new Promise<void>((resolve) => {
    write = resolve;
  });
  const closed = new Promise<void>((resolve) => {
    close = resolve;
  });
  at.world.save = () => written.then(() => true);
  at.world.closed = () => closed;
  await tell({ kind: "dialog", legSid: second(), dialog: "{}" });
  await tell({ kind: "dialog", legSid: second(), dialog: "{ }" });
  await tell({ kind: "ended", legSid: "LGin", by: "peer" });
  write();
  await settled();
  expect(lastSaved()?.status).toBe("Answered");
  close();
  await settled();
  expect(lastSaved()).toMatchObject({ status: "Completed", legs: [{ media: { codec: "PCMU" } }, { media: {} }] });
  expect(at.reported).toEqual([lastSaved()?.sid]);
  expect(toldStatuses().filter((status) => status === "Completed")).toHaveLength(2);
});

describe("until the store begins to write", () => {
  let begin: () => void;
  const waits = () => {
    at.world.begins = new Promise<void>((resolve) => {
      begin = resolve;
    });
  };

  test("what happens to a call is written at once", async () => {
    await callIn();
    waits();
    await tell({ kind: "dialog", legSid: "LGin", dialog: "{}" });
    await tell({ kind: "confirmed", legSid: "LGin" });
    await tell({ kind: "ringing", legSid: second(), sipCode: 180 });
    await tell({ kind: "answered", legSid: second(), sdp: "answer" });
    expect(at.saved).toHaveLength(1);
    begin();
    await settled();
    expect(at.saved).toHaveLength(2);
    expect(at.saved[1]?.events.map(({ sequence }) => sequence)).toEqual([2, 3, 4]);
    expect(at.saved[1]?.dialogs.get("LGin")).toBe("{}");
  });

  test("a call that ends is not written before the figures of its audio are known", async () => {
    await connect();
    const before = at.saved.length;
    let close: () => void = () => undefined;
    const closed = new Promise<void>((resolve) => {
      close = resolve;
    });
    at.world.closed = () => closed;
    waits();
    await tell({ kind: "dialog", legSid: second(), dialog: "{}" });
    await tell({ kind: "ended", legSid: "LGin", by: "peer" });
    begin();
    await settled();
    expect(at.saved).toHaveLength(before);
    close();
    await settled();
    expect(at.saved).toHaveLength(before + 1);
    expect(lastSaved()).toMatchObject({ status: "Completed", legs: [{ media: { codec: "PCMU" } }, { media: {} }] });
    expect(at.desk.activeCount).toBe(0);
  });

  test("a caller may give up: the record is written when it is complete, and nothing is answered", async () => {
    waits();
    await callIn();
    await tell({ kind: "canceled", legSid: "LGin" });
    begin();
    await settled();
    await settled();
    expect(at.saved).toHaveLength(1);
    expect(lastSaved()).toMatchObject({ status: "Completed", endReason: "Canceled" });
    expect(toldStatuses()).toEqual(["Ringing", "Completed"]);
    expect(at.said).toEqual([]);
    expect(at.desk.activeCount).toBe(0);
  });
});

test("a withheld caller's number is in no record and goes only to trunks", async () => {
  await callIn({ isPrivate: true });
  await tell({ kind: "confirmed", legSid: "LGin" });
  expect(JSON.stringify(at.saved)).not.toContain(INCOMING.from);
  expect(lastSaved()).toMatchObject({ from: "anonymous", callerId: "anonymous" });
  expect(at.dialled[0]).toMatchObject({ callerId: INCOMING.from, isPrivate: true });
});

test("without a free port for media the carrier is asked to come again, and the record says why", async () => {
  at.world.isFull = true;
  await callIn();
  expect(at.said).toContain("reject LGin 503 10");
  expect(lastSaved()).toMatchObject({ status: "Completed", endReason: "Failed" });
  expect(at.saved.at(-1)?.steps).toMatchObject([{ details: { reason: expect.stringContaining("port") } }]);
});

test("a caller who gives up while a port is opened is not answered, and the port is closed", async () => {
  let open = () => {};
  at.world.opened = () =>
    new Promise<void>((resolve) => {
      open = resolve;
    });
  await callIn();
  await tell({ kind: "canceled", legSid: "LGin" });
  open();
  await settled();
  expect(at.said).toEqual(["ring LGin", "close LGin"]);
  expect(lastSaved()).toMatchObject({ status: "Completed", endReason: "Canceled" });
});

test("a number whose calls go to itself is not dialled, whoever says so", async () => {
  at.world.called = { ...CALLED, callsForwardedTo: OURS };
  await callIn();
  expect(at.said).toContain("reject LGin 480");
  expect(at.dialled).toEqual([]);
  expect(at.saved[0]?.steps.at(-1)).toMatchObject({
    step: "refused",
    details: { reason: expect.stringContaining("itself") },
  });
});

test("the figures of the audio are in the record while the call is under way, and go on", async () => {
  await callIn();
  await tell({ kind: "confirmed", legSid: "LGin" });
  const media = { codec: "PCMU", secure: false, packetsLost: 0, jitterMs: 0, mos: 4.4 } as const;
  at.world.figures = { ...media, packetsReceived: 150 };
  await at.world.clock.advance(3_000);
  await settled();
  expect(lastSaved()).toMatchObject({ status: "Ringing", legs: [{ media: { packetsReceived: 150 } }, {}] });
  at.world.figures = { ...media, packetsReceived: 650 };
  await at.world.clock.advance(10_000);
  await settled();
  expect(lastSaved()?.legs[0]?.media?.packetsReceived).toBe(650);
});

test("a leg that leaves from another address of ours is offered audio from there", async () => {
  await callIn();
  await tell({ kind: "confirmed", legSid: "LGin" });
  await tell({ kind: "moved", legSid: "LGin", address: "192.0.2.11" });
  expect(at.said.at(-1)).toBe("reinvite LGin offer of LGin");
  await tell({ kind: "renegotiated", legSid: "LGin", sdp: "answer" });
  expect(at.said.filter((one) => one.startsWith("hangUp"))).toEqual([]);
});

test("audio that comes from elsewhere is told in the trail, with what to do about it", async () => {
  await callIn();
  await tell({ kind: "confirmed", legSid: "LGin" });
  const elsewhere = { kind: "elsewhere", agreed: "10.0.0.5", address: "192.0.2.7" } as const;
  at.desk.takeMedia({ at: new Date(), legSid: "LGin", ...elsewhere });
  await tell({ kind: "ended", legSid: "LGin", by: "peer" });
  const notes = at.saved.flatMap(({ steps }) => steps.filter(({ step }) => step === "media"));
  expect(notes.map(({ details }) => details)).toMatchObject([
    { leg: "First", reason: expect.stringContaining("192.0.2.7"), advice: expect.stringContaining('"media": "latch"') },
  ]);
});

test("audio that cannot be agreed on is answered with 488", async () => {
  at.world.answer = refused("no codec");
  await callIn();
  expect(at.said).toContain("reject LGin 488");
  expect(lastSaved()?.legs).toMatchObject([{ sipCode: 488, endReason: "Failed" }]);
});

describe("a party that answers without an SDP", () => {
  const expectFailed = (hungUp: readonly string[]) => {
    expect(at.said.filter((one) => one.startsWith("hangUp"))).toEqual(hungUp);
    expect(at.said).not.toContain("join");
    expect(lastSaved()).toMatchObject({ status: "Completed", endReason: "Failed", endedBy: "Service" });
    expect(at.saved.at(-1)?.steps).toMatchObject([{ details: { reason: expect.stringContaining("without an SDP") } }]);
  };

  test("ends the call where it is the second, whatever it rang with", async () => {
    await callIn();
    await tell({ kind: "confirmed", legSid: "LGin" });
    await tell({ kind: "ringing", legSid: second(), sipCode: 183, sdp: "early media of another fork" });
    await tell({ kind: "answered", legSid: second() });
    expectFailed([`hangUp ${second()}`, "hangUp LGin"]);
    expect(toldStatuses()).toEqual(["Ringing", "Answered", "Ringing", "Completed", "Completed"]);
  });

  test("ends the call where it is the caller, whose INVITE had none either", async () => {
    await callIn({ sdp: undefined });
    await tell({ kind: "confirmed", legSid: "LGin" });
    expectFailed(["hangUp LGin"]);
    expect(at.dialled).toEqual([]);
    expect(toldStatuses()).toEqual(["Ringing", "Completed"]);
  });
});

test("a caller without an offer who answers ours is connected", async () => {
  await callIn({ sdp: undefined });
  expect(at.said).toContain("answer LGin offer of LGin");
  await tell({ kind: "confirmed", legSid: "LGin", sdp: "answer" });
  expect(at.dialled).toHaveLength(1);
});

test("a redirection may not lead where the call itself may not go", async () => {
  await callIn();
  await tell({ kind: "confirmed", legSid: "LGin" });
  const judge = at.dialled[0]?.judge;
  const judged = async (...texts: string[]) => Promise.all(texts.map(async (text) => (await judge?.(text))?.ok));
  expect(await judged("+14155550198", "sip:bob@example.com:5070;transport=tcp")).toEqual([true, true]);
  const forbidden = ["+4930123456", "+19005550100", "911", "sip:bob@example.com;maddr=10.0.0.1"];
  expect(await judged(...forbidden)).toEqual(forbidden.map(() => false));
});

describe("while both parties are connected", () => {
  beforeEach(connect);

  test("a key of one is passed to the other, as an event where it speaks them, else by INFO", async () => {
    at.desk.takeMedia({ at: at.clock.now(), legSid: "LGin", kind: "digit", digit: "5", ms: 100, isRelayed: true });
    await tell({ kind: "digit", legSid: "LGin", digit: "7", ms: 100 });
    at.world.speaksEvents = false;
    at.desk.takeMedia({ at: at.clock.now(), legSid: second(), kind: "digit", digit: "9", ms: 100, isRelayed: false });
    expect(at.said.slice(-2)).toEqual([`event 7 to ${second()}`, "info 9 to LGin"]);
  });

  test("a new offer is answered, or refused", async () => {
    await tell({ kind: "offered", legSid: "LGin", sdp: "hold" });
    await tell({ kind: "offered", legSid: second() });
    at.world.answer = refused("no codec");
    await tell({ kind: "offered", legSid: "LGin", sdp: "fax" });
    expect(at.said.slice(-3)).toEqual([
      "reoffer LGin answer",
      `reoffer ${second()} offer of ${second()}`,
      "reoffer LGin undefined",
    ]);
  });

  test("silence ends the call", async () => {
    at.desk.takeMedia({ at: at.clock.now(), legSid: "LGin", kind: "inactive" });
    await settled();
    expect(lastSaved()).toMatchObject({ endReason: "MediaTimeout", endedBy: "Service" });
  });

  test("a call that another process took over is dropped without a word", async () => {
    const before = at.saved.length;
    at.world.save = async () => false;
    await tell({ kind: "dialog", legSid: "LGin", dialog: "{}" });
    expect(at.said.slice(-4)).toEqual(["hangUp LGin", `hangUp ${second()}`, "close LGin", `close ${second()}`]);
    expect(at.saved).toHaveLength(before);
    expect(at.desk.activeCount).toBe(0);
  });

  test("a call that was lost while more was to be stored is written no more", async () => {
    let attempts = 0;
    at.world.save = async () => {
      attempts += 1;
      return false;
    };
    at.desk.takeSignal({ at: at.clock.now(), kind: "dialog", legSid: "LGin", dialog: "{}" });
    await tell({ kind: "dialog", legSid: second(), dialog: "{}" });
    await tell({ kind: "ended", legSid: "LGin", by: "peer" });
    expect(attempts).toBe(1);
  });

  test("a call that ends while another process takes it over leaves once", async () => {
    at.world.save = async () => false;
    await tell({ kind: "ended", legSid: "LGin", by: "peer" });
    await settled();
    expect(at.reported).toHaveLength(1);
    expect(at.desk.activeCount).toBe(0);
  });

  test("what the store could not take is reported when it is back", async () => {
    at.world.save = () => Promise.reject(new Error("the store is away"));
    await tell({ kind: "ended", legSid: "LGin", by: "peer" });
    expect(toldStatuses()).not.toContain("Completed");
    at.world.save = async () => true;
    await at.clock.advance(10_000);
    await settled();
    expect(toldStatuses().slice(-2)).toEqual(["Completed", "Completed"]);
  });

  test("a stop waits for them, and hangs up when it has waited long enough", async () => {
    let isDrained = false;
    void at.desk.drain(5_000).then(() => {
      isDrained = true;
    });
    await callIn({ legSid: "LGlate" });
    expect(at.said.at(-1)).toBe("reject LGlate 503 10");
    await at.clock.advance(4_999);
    expect(isDrained).toBe(false);
    await at.clock.advance(2);
    await settled();
    expect(isDrained).toBe(true);
    expect(lastSaved()).toMatchObject({ endReason: "Failed", endedBy: "Service" });
  });

  test("a stop does not wait for a store that is away, and says which calls it could not store", async () => {
    at.world.save = () => Promise.reject(new Error("the store is away"));
    const outcome = at.desk.drain(5_000).catch((fault: Error) => fault.message);
    await at.clock.advance(60_000);
    expect(await outcome).toMatch(/^the ends of calls were not stored: CA/);
    expect(at.said).toContain("hangUp LGin");
  });
});

test("a call that waited too long, or was hung up meanwhile, is not dialled", async () => {
  const old = new Date(at.clock.now().getTime() - 30_001);
  await dial(ordered({ sid: "CA1", createdOn: old }), ordered({ sid: "CA2" }, { isHungUp: true }));
  expect(at.dialled).toEqual([]);
  expect(at.saved.map(({ call }) => `${call.sid} ${call.endReason}`)).toEqual(["CA1 Failed", "CA2 HungUp"]);
});

test("a call that waited as long as it may is dialled; it is stored already", async () => {
  await dial(ordered({ createdOn: new Date(at.clock.now().getTime() - 30_000) }));
  expect(at.dialled).toMatchObject([{ callSid: "CA1", isPrivate: false, maxForwards: 70 }]);
  expect(at.saved).toEqual([]);
});

test("a party that the account may no longer call is not dialled, and the trail shows why", async () => {
  const legs = newLegs().map((leg) => ({ ...leg, to: "+4930123456" }));
  await dial(ordered({ legs }, { allowedCountries: ["US"] }));
  expect(at.dialled).toEqual([]);
  expect(lastSaved()).toMatchObject({ status: "Completed", endReason: "Failed" });
  expect(at.saved.at(-1)?.steps).toMatchObject([{ details: { reason: expect.stringContaining("may not call") } }]);
});

test("an ordered call is in no chain, even where its URI leads to the telephone network", async () => {
  await dial(ordered());
  expect(at.dialled).toHaveLength(1);
  await at.dialled[0]?.dialsNumber("+14155550102");
  expect(at.saved).toEqual([]);
});

test.each([
  [null, 30],
  [7, 7],
])("with secondRingSeconds %s the second party rings for %i s", async (secondRingSeconds, seconds) => {
  await dial(ordered({ to: "+14155550102", legs: newLegs() }, { secondRingSeconds }));
  await tell({ kind: "answered", legSid: "LGin", sdp: "answer" });
  await tell({ kind: "ringing", legSid: second(), sipCode: 180 });
  await at.clock.advance(seconds * 1_000 - 1);
  expect(at.said).not.toContain(`hangUp ${second()}`);
  await at.clock.advance(1);
  expect(at.said).toContain(`hangUp ${second()}`);
  await settled();
  expect(at.saved.at(-1)?.steps).toMatchObject([{ step: "ending", details: { leg: "Second", afterSeconds: seconds } }]);
});

test.each([
  ["of the caller", undefined, "+4930123456", "DE"],
  ["of the called number when the caller has none", undefined, "unknown", "US"],
  ["that is configured", "FR", "+4930123456", "FR"],
])("the caller hears the tones of the country %s", async (_which, toneCountry, from, country) => {
  at = newWorld({ toneCountry });
  await callIn({ from });
  await tell({ kind: "confirmed", legSid: "LGin" });
  expect(at.world.sounds).toEqual([{ kind: "ringback", country }]);
});

test("a call of this process is hung up, and no other", async () => {
  await connect();
  at.desk.hangUp("CAother");
  await settled();
  expect(lastSaved()?.status).toBe("Answered");
  at.desk.hangUp(lastSaved()?.sid ?? "");
  await settled();
  expect(lastSaved()).toMatchObject({ status: "Completed", endReason: "HungUp", endedBy: "Api" });
});

test("a party of a call of this process is hung up as requested, and no other", async () => {
  await connect();
  const { legs } = lastSaved() as Call;
  const second = legs[1]?.sid ?? "";
  at.world.partiesAsked = ["LGother", second];
  await at.desk.hangUpPartiesAsked("LGother");
  await settled();
  expect(lastSaved()?.legs[1]?.status).toBe("Answered");
  await at.desk.hangUpPartiesAsked(second);
  await at.desk.hangUpPartiesAsked();
  await settled();
  expect(lastSaved()?.legs[1]).toMatchObject({ status: "Completed", endReason: "HungUp" });
  expect(at.said.filter((one) => one === `hangUp ${second}`)).toHaveLength(1);
});

test("while the clock is wrong no call is claimed", async () => {
  at.clock.isRight = false;
  await dial(ordered());
  expect(at.dialled).toEqual([]);
  at.clock.isRight = true;
  await dial();
  expect(at.dialled).toHaveLength(1);
});

test("the calls of a process that died are ended, told and hung up", async () => {
  const call = newCall({ sid: "CA1", accountSid: "AC1" });
  const scope = { phone: OURS, messagingConfigSid: null, eventsTold: 2 };
  at.world.abandoned.push({ call, scope, dialogs: new Map([["LG1", "{}"]]), isTakenOver: true });
  expect(await giveBackStrays(at.desk.claims, silent)).toBe(1);
  expect(at.said).toEqual(["endLeft LG1 {}"]);
  expect(at.saved).toMatchObject([
    { call: { status: "Completed", endReason: "Failed", endedBy: "Service" }, events: [{ sequence: 3 }] },
  ]);
});

test("a receiver is understood in its own language", async () => {
  at.world.called = { ...CALLED, callsForwardedTo: null };
  const body = new TextEncoder().encode("Say that we are closed.");
  const read = () => ok([{ kind: "say", text: "We are closed." } as const]);
  at.world.script = { kind: "answered", body, source: sourceOf(read), deliverySid: "WH1" };
  await callIn();
  await tell({ kind: "confirmed", legSid: "LGin" });
  expect(at.said).toEqual(["ring LGin", "answer LGin answer", "speech"]);
});

test("a script dials a number as it is written in the account's country", async () => {
  at.world.called = { ...CALLED, callsForwardedTo: null };
  const body = new TextEncoder().encode("<Response><Dial>(202) 555-0143</Dial></Response>");
  at.world.script = { kind: "answered", body, source: sourceOf(readScript), deliverySid: "WH1" };
  await callIn();
  await tell({ kind: "confirmed", legSid: "LGin" });
  expect(lastSaved()?.legs.map(({ to }) => to)).toEqual([OURS, "+12025550143"]);
});

test.each([
  [false, null],
  [true, "MediaTimeout"],
])("a caller who hears ringing may be silent, but not lose its media (%s)", async (isLost, endReason) => {
  await callIn();
  await tell({ kind: "confirmed", legSid: "LGin" });
  expect(at.said.at(-1)).toMatch(/^dial /);
  at.desk.takeMedia({ at: at.clock.now(), legSid: "LGin", kind: "inactive", isLost });
  await settled();
  expect(lastSaved()).toMatchObject({ endReason });
});

describe("parties that are called at the same time", () => {
  const hunt = async (...numbers: readonly string[]) => {
    at.world.called = { ...CALLED, callsForwardedTo: null };
    const nouns = numbers.map((number) => `<Number>${number}</Number>`).join("");
    const body = Buffer.from(`<Response><Dial>${nouns}</Dial><Say>Nobody.</Say></Response>`);
    at.world.script = { kind: "answered", body, source: sourceOf(readScript), deliverySid: "WH1" };
    await callIn();
    await tell({ kind: "confirmed", legSid: "LGin" });
  };
  const THREE = ["+14155550191", "+14155550192", "+14155550193"];
  const targets = () => at.dialled.map(({ target }) => (target.kind === "number" ? target.number : ""));
  const legs = () =>
    lastSaved()
      ?.legs.slice(1)
      .map(({ to, endReason }) => [to, endReason]);
  const notes = () => JSON.stringify(at.saved.flatMap(({ steps }) => steps));

  test("each have media of their own, and the first to answer is connected", async () => {
    await hunt(...THREE);
    expect(targets()).toEqual(THREE);
    const [first = "", winner = "", last = ""] = at.dialled.map(({ legSid }) => legSid);
    await tell({ kind: "ringing", legSid: first, sipCode: 180 });
    await tell({ kind: "ringing", legSid: winner, sipCode: 183, sdp: "early" });
    expect(at.said).not.toContain("listen");
    at.said.length = 0;
    await tell({ kind: "answered", legSid: winner, sdp: "answer" });
    expect(at.said.toSorted()).toEqual(
      [first, last]
        .flatMap((sid) => [`close ${sid}`, `hangUp ${sid}`])
        .concat("join")
        .toSorted(),
    );
    await tell({ kind: "digit", legSid: winner, digit: "5", ms: 100 });
    expect(at.said.at(-1)).toBe("event 5 to LGin");
    await tell({ kind: "answered", legSid: first, sdp: "answer" });
    await tell({ kind: "digit", legSid: first, digit: "6", ms: 100 });
    expect(at.said.at(-1)).toBe("event 5 to LGin");
    expect(legs()).toEqual([
      [THREE[0], "Canceled"],
      [THREE[1], null],
      [THREE[2], "Canceled"],
    ]);
  });

  test("are each known as where the call is being forwarded to, before they are dialled", async () => {
    await hunt("+14155550191", "sip:alice@pbx.example", "+14155550193");
    const chain = [OURS];
    const from = INCOMING.from;
    const expected = { from, to: "+14155550191", others: ["+14155550193"], chain };
    expect(at.saved.find(({ forwarding }) => forwarding)?.forwarding).toEqual(expected);
    await at.dialled[1]?.dialsNumber("+14155550199");
    const all = { from, to: "+14155550191", others: ["+14155550199", "+14155550193"], chain };
    expect(at.saved.at(-1)?.forwarding).toEqual(all);
    await tell({ kind: "answered", legSid: second(), sdp: "answer" });
    expect(at.saved.at(-1)?.forwarding).toBeNull();
  });

  test("are judged one by one, and those that may not be called are left out", async () => {
    await hunt("+4930123456", "+14155550192", OURS, "+14155550193");
    expect(targets()).toEqual(["+14155550192", "+14155550193"]);
    expect(notes()).toContain('"leftOut":[{"dial":"+4930123456"');
    expect(notes()).toContain(`{"dial":"${OURS}"`);
    await hunt("+4930123456", OURS);
    expect(at.dialled).toHaveLength(2);
  });

  test("cost the account further calls, and the last ones are not called when it has no more", async () => {
    at.world.partyTerms = ok(2);
    await hunt(...THREE);
    expect(targets()).toEqual(THREE.slice(0, 2));
    expect(legs()?.[2]).toEqual([THREE[2], "Failed"]);
    expect(notes()).toContain("The account may have 2 calls at the same time");
    at.world.called = { ...CALLED, callsElsewhere: 98 };
    await callIn({ legSid: "LGmore" });
    expect(at.said).toContain("reject LGmore 486");
    await tell({ kind: "answered", legSid: at.dialled[1]?.legSid, sdp: "answer" });
    await callIn({ legSid: "LGlater" });
    expect(at.said).not.toContain("reject LGlater 486");
  });

  test("are not called beyond what the account may call in a while, but for the first", async () => {
    at.world.partyTerms = refused("The account may call 60 parties in 60 s, and has.");
    await hunt(...THREE);
    expect(targets()).toEqual(THREE.slice(0, 1));
    expect(notes()).toContain("and has.");
  });

  test("count no more when the call is lost to another process", async () => {
    await hunt(...THREE);
    at.world.save = async () => false;
    await tell({ kind: "ringing", legSid: second(), sipCode: 180 });
    at.world.called = { ...CALLED, callsElsewhere: 99 };
    at.world.save = async () => true;
    await callIn({ legSid: "LGlater" });
    expect(at.said).not.toContain("reject LGlater 486");
  });
});

describe("the trail of a call shows what its receiver decided", () => {
  const VOICE = { asked: "man", spokenBy: "kal" };
  const DIALS = { kind: "dial", to: "+14155550199", record: null } as const;
  const SAYS = { kind: "say", text: "Hello." } as const;
  const HANGS_UP = { kind: "hangUp" } as const;
  const notesOf = (step: string) =>
    at.saved.flatMap(({ steps }) => steps.filter((one) => one.step === step).map(({ details }) => details));

  test.each<[string, ReturnType<ScriptReader>, object]>([
    ["a hang-up", ok([HANGS_UP]), { hangUp: true }],
    ["a text", ok([{ ...SAYS, text: "Closed." }, HANGS_UP]), { speak: "Closed." }],
    ["a text and its voice", ok([{ ...SAYS, voice: VOICE }]), { speak: "Hello.", voice: VOICE }],
    ["a text that is repeated", ok([{ ...SAYS, times: 3 }]), { speak: "Hello.", times: 3 }],
    ["a destination", ok([DIALS]), { dial: "+14155550199" }],
    ["a recording", ok([{ ...DIALS, record: true }]), { dial: "+14155550199", record: true }],
    ["no recording", ok([{ ...DIALS, record: false }]), { dial: "+14155550199", record: false }],
    [
      "several instructions",
      ok([SAYS, { kind: "pause", seconds: 2 }, DIALS, HANGS_UP]),
      { program: [{ speak: "Hello." }, { pause: 2 }, { dial: "+14155550199" }] },
    ],
    [
      "how long it rings and lasts",
      ok([{ ...DIALS, ringSeconds: 20, maxSeconds: 600 }]),
      { dial: "+14155550199", ringSeconds: 20, maxSeconds: 600 },
    ],
    ["a fault", refused({ line: 1, column: 2, reason: "No." }), { line: 1, column: 2, reason: "No." }],
    [
      "what to do about a fault",
      refused({ line: 1, column: 2, reason: "No.", advice: "Ask." }),
      { line: 1, column: 2, reason: "No.", advice: "Ask." },
    ],
  ])("%s", async (_what, script, details) => {
    at.world.called = { ...CALLED, callsForwardedTo: null };
    const read: ScriptReader = (_bytes, readDestination) => {
      readDestination("+14155550199");
      return script;
    };
    at.world.script = { kind: "answered", body: Buffer.from(""), source: sourceOf(read), deliverySid: "WD1" };
    await callIn();
    expect(notesOf("script")).toEqual([{ deliverySid: "WD1", ...details }]);
    expect(notesOf("refused")).toEqual([]);
  });

  test.each([
    [undefined, 603],
    [true, 486],
  ])("a hang-up that is busy (%s) is answered with %i", async (isBusy, sipCode) => {
    at.world.called = { ...CALLED, callsForwardedTo: null };
    const read = () => ok([{ kind: "hangUp", isBusy } as const]);
    at.world.script = { kind: "answered", body: Buffer.from(""), source: sourceOf(read), deliverySid: "WD1" };
    await callIn();
    expect(at.said).toEqual(["ring LGin", `reject LGin ${sipCode}`]);
  });

  test("a destination that the account may not call", async () => {
    at.world.called = { ...CALLED, callsForwardedTo: null };
    const body = Buffer.from("<Response><Dial>+4930123456</Dial></Response>");
    at.world.script = { kind: "answered", body, source: sourceOf(readScript), deliverySid: "WD1" };
    await callIn();
    const reason = "+4930123456 is in DE, which this account may not call.";
    const refusal = { deliverySid: "WD1", dial: "+4930123456", refused: "country-not-allowed", reason };
    expect(notesOf("script")).toEqual([refusal]);
    expect(at.said).toEqual(["ring LGin", "reject LGin 480"]);
  });

  test("no answer", async () => {
    at.world.called = { ...CALLED, callsForwardedTo: null };
    await callIn();
    expect(notesOf("script")).toEqual([{ deliverySid: null, reason: "nobody" }]);
    expect(lastSaved()).toMatchObject({ endReason: "ScriptUnavailable" });
  });

  test.each([
    ["+4930123456", [{ dial: "+4930123456", refused: "country-not-allowed" }]],
    ["+14155550199", []],
  ])("or why a number's own setting, %s, is not followed", async (callsForwardedTo, refusals) => {
    at.world.called = { ...CALLED, callsForwardedTo };
    await callIn();
    expect(notesOf("received")).toHaveLength(1);
    expect(notesOf("refused")).toMatchObject(refusals);
    expect(notesOf("refused")).toHaveLength(refusals.length);
  });
});

test("a program goes on when its party has hung up, and what that leg still reports concerns no other", async () => {
  at.world.called = { ...CALLED, callsForwardedTo: null };
  const body = Buffer.from("<Response><Say>Hello.</Say><Dial>+14155550198</Dial><Dial>+14155550199</Dial></Response>");
  at.world.script = { kind: "answered", body, source: sourceOf(readScript), deliverySid: "WH1" };
  await callIn();
  await tell({ kind: "confirmed", legSid: "LGin" });
  expect(at.said).toEqual(["ring LGin", "answer LGin answer", "speech"]);
  expect(lastSaved()?.legs).toHaveLength(1);
  expect(at.saved.at(-1)?.forwarding).toBeNull();
  at.desk.takeMedia({ at: at.clock.now(), legSid: "LGin", kind: "played" });
  await settled();
  const alice = second();
  expect(at.saved.at(-1)?.forwarding?.to).toBe("+14155550198");
  await tell({ kind: "answered", legSid: alice, sdp: "answer" });
  await tell({ kind: "ended", legSid: alice, by: "peer" });
  await settled();
  const bob = second();
  expect(at.said.slice(3)).toEqual([
    "play",
    `dial offer of ${alice}`,
    "join",
    `close ${alice}`,
    "play",
    `dial offer of ${bob}`,
  ]);
  expect(at.saved.find(({ forwarding }) => forwarding?.to === "+14155550199")).toBeDefined();
  for (const kind of ["ended", "refused", "answered"]) await tell({ kind, legSid: alice, by: "us", sipCode: 603 });
  at.desk.takeMedia({ at: at.clock.now(), legSid: alice, kind: "inactive" });
  await tell({ kind: "answered", legSid: bob, sdp: "answer" });
  expect(at.said.at(-1)).toBe("join");
  await tell({ kind: "ended", legSid: "LGin", by: "peer" });
  expect(lastSaved()).toMatchObject({ endReason: "Completed", endedBy: "First" });
  expect(lastSaved()?.legs.map(({ sid, to, media }) => [sid, to, media?.codec])).toEqual([
    ["LGin", OURS, "PCMU"],
    [alice, "+14155550198", "PCMU"],
    [bob, "+14155550199", "PCMU"],
  ]);
  const events = at.saved.flatMap(({ events }) =>
    events.map(({ fields }) => fields as { LegSid: string; Status: string }),
  );
  expect(events.map(({ LegSid, Status }) => `${LegSid} ${Status}`)).toEqual([
    "LGin Answered",
    ...["Ringing", "Answered", "Completed"].map((status) => `${alice} ${status}`),
    ...["Ringing", "Answered"].map((status) => `${bob} ${status}`),
    "LGin Completed",
    `${bob} Completed`,
  ]);
  expect(at.desk.activeCount).toBe(0);
});

describe("the number that a dial shows", () => {
  const dialling = async (callerId: string, incoming: Partial<IncomingLeg> = {}) => {
    at.world.called = { ...CALLED, callsForwardedTo: null };
    const dials = `<Dial CallerId="${callerId}">+14155550199</Dial>`;
    const body = Buffer.from(`<Response>${dials}<Dial>+14155550198</Dial></Response>`);
    at.world.script = { kind: "answered", body, source: sourceOf(readScript), deliverySid: "WH1" };
    at.desk.takeSignal({ at: at.clock.now(), kind: "incoming", ...INCOMING, ...incoming });
    await settled();
    await tell({ kind: "confirmed", legSid: "LGin" });
    await settled();
  };

  test("is one of the account's, and takes the place of the caller with all that belongs to it", async () => {
    await dialling("(415) 555-0150", { isPrivate: true, identity: "signed" });
    expect(at.dialled).toMatchObject([{ callerId: "+14155550150", isPrivate: false, identity: undefined }]);
    // The caller by whom the call is known if it comes back.
    expect(at.saved.at(-1)?.forwarding).toMatchObject({ from: "+14155550150", to: "+14155550199" });
    await tell({ kind: "refused", legSid: second(), sipCode: 486, reason: "busy" });
    await settled();
    expect(at.dialled[1]).toMatchObject({ callerId: INCOMING.from, isPrivate: true, identity: "signed" });
  });

  test.each(["+14155550151", "me"])(
    "is not %s, which the account does not have: the party is not called",
    async (one) => {
      await dialling(one);
      expect(at.dialled).toMatchObject([{ target: { number: "+14155550198" } }]);
      const notes = at.saved.flatMap(({ steps }) => steps.map(({ details }) => JSON.stringify(details)));
      expect(notes.join()).toContain(`The number to show cannot be shown: ${one}.`);
    },
  );
});

describe("a program that asks for further documents", () => {
  const response = (inner: string) => `<Response>${inner}</Response>`;
  const began = async (inner: string, fallback?: ScriptSource["fallback"]) => {
    at.world.called = { ...CALLED, callsForwardedTo: null };
    const source = { ...sourceOf(readScript), fallback };
    at.world.script = { kind: "answered", body: Buffer.from(response(inner)), source, deliverySid: "WH1" };
    await callIn();
    await settled();
  };
  const answered = async () => {
    await tell({ kind: "confirmed", legSid: "LGin" });
    await settled();
  };
  const press = async (digit: string) => {
    at.desk.takeMedia({ at: at.clock.now(), legSid: "LGin", kind: "key", digit });
    await settled();
  };
  const scripts = () =>
    at.saved.flatMap(({ steps }) => steps.flatMap(({ step, details }) => (step === "script" ? [details] : [])));

  test("asks with the keys, by a URL relative to the document that is run, and again relative to that", async () => {
    at.world.documents.set("https://example.com/calls/menu", response("<Gather NumDigits='1' Action='more/x#ct=1'/>"));
    at.world.documents.set("https://example.com/calls/more/x", response("<Say>Thanks.</Say>"));
    await began("<Gather Action='menu' NumDigits='2'><Say>Press.</Say></Gather>");
    await answered();
    expect(at.said.slice(2)).toEqual(["tones on", "speech"]);
    await press("1");
    await press("2");
    expect(at.world.questions[0]).toMatchObject({
      shape: "A",
      document: { url: "https://example.com/calls/menu", method: "POST" },
      facts: { kind: "gathered", digits: "12" },
      call: { to: OURS },
    });
    await tell({ kind: "digit", legSid: "LGin", digit: "3", ms: 100 });
    await settled();
    expect(at.world.questions[1]?.document.url).toBe("https://example.com/calls/more/x");
    expect(at.said.at(-1)).toBe("speech");
    expect(scripts().at(-1)).toEqual({ url: "https://example.com/calls/more/x", speak: "Thanks." });
  });

  test("plays sounds, by URLs relative to the document, and goes on where there is none", async () => {
    await began("<Play Loop='2'>hello.wav</Play><Play>hello.txt</Play>");
    await answered();
    expect(at.said.at(-1)).toBe("speech");
    expect(await heardOf(at.world.sounds[0])).toBe(4);
    at.desk.takeMedia({ at: at.clock.now(), legSid: "LGin", kind: "played" });
    expect(await heardOf(at.world.sounds[1])).toBe(4);
    expect(at.world.played).toEqual(Array(2).fill("AC1 https://example.com/calls/hello.wav"));
    at.desk.takeMedia({ at: at.clock.now(), legSid: "LGin", kind: "played" });
    expect(await heardOf(at.world.sounds[2])).toBe(0);
    await settled();
    expect(lastSaved()).toMatchObject({ endReason: "ScriptHangup" });
    const notes = at.saved.flatMap(({ steps }) => steps.map(({ details }) => JSON.stringify(details)));
    expect(notes.join()).toContain("The sound could not be played: https://example.com/calls/hello.txt is no sound.");
  });

  test("asks the same document again where none is named", async () => {
    at.world.documents.set(PAGE.url, response("<Hangup/>"));
    await began("<Redirect/>");
    expect(at.world.questions).toMatchObject([{ document: PAGE, facts: { kind: "redirected" } }]);
    expect(at.said).toEqual(["ring LGin", "reject LGin 603"]);
  });

  test("tells how a dial ended", async () => {
    at.world.documents.set("https://example.com/calls/after", response("<Say>Nobody.</Say>"));
    await began("<Dial Action='after'>+14155550199</Dial>");
    await answered();
    const dialled = second();
    await tell({ kind: "refused", legSid: dialled, sipCode: 486, reason: "busy" });
    await settled();
    const facts = { kind: "dialled", legSid: dialled, reason: "Busy" };
    expect(at.world.questions).toMatchObject([{ facts, call: { legs: [{}, { endReason: "Busy" }] } }]);
    expect(at.said.slice(-2)).toEqual([`close ${dialled}`, "speech"]);
  });

  test("asks the fallback where a document is missing or invalid, and hangs up when that fails too", async () => {
    const fallback = { url: "https://example.com/fallback", method: "GET" } as const;
    at.world.documents.set("https://example.com/calls/bad", "<Response><Fax/></Response>");
    await began("<Redirect>bad</Redirect>", fallback);
    expect(at.world.questions.map(({ document }) => document.url)).toEqual([
      "https://example.com/calls/bad",
      fallback.url,
    ]);
    expect(lastSaved()).toMatchObject({ status: "Completed", endReason: "ScriptUnavailable" });
    expect(scripts().at(-1)).toMatchObject({
      failures: [
        { url: "https://example.com/calls/bad", line: 1, reason: expect.stringContaining("not Fax") },
        { url: fallback.url, reason: "It answered 404." },
      ],
    });
  });

  test("goes on with what the fallback answers", async () => {
    const fallback = { url: "https://example.com/fallback", method: "POST" } as const;
    at.world.documents.set(fallback.url, response("<Say>Sorry.</Say>"));
    await began("<Redirect>gone</Redirect>", fallback);
    await answered();
    expect(at.said.at(-1)).toBe("speech");
    expect(scripts().at(-1)).toMatchObject({ url: fallback.url, failures: [{ reason: "It answered 404." }] });
  });

  test("may not ask where the server may not go", async () => {
    await began("<Redirect>http://10.0.0.1/</Redirect>");
    expect(at.world.questions).toEqual([]);
    expect(lastSaved()).toMatchObject({ endReason: "ScriptInvalid" });
  });

  const said = (text: string): OrderedProgram => ({
    script: [{ kind: "say", text }],
    source: { document: PAGE, shape: "A" },
  });
  const redirect = async (number: number, program: OrderedProgram) => {
    at.world.redirections = [{ sid: lastSaved()?.sid ?? "", number, program }];
    await at.desk.redirectAsked();
    await settled();
  };

  test("is left when its call is redirected, once for each time that this is asked", async () => {
    at.world.documents.set("https://example.com/calls/after", response("<Say>Nobody hears this.</Say>"));
    await began("<Dial Action='after'>+14155550199</Dial>");
    await answered();
    const dialled = second();
    await tell({ kind: "answered", legSid: dialled, sdp: "answer" });
    await redirect(1, said("Elsewhere."));
    expect(at.said.slice(-3)).toEqual([`hangUp ${dialled}`, `close ${dialled}`, "speech"]);
    expect(at.world.questions).toMatchObject([
      { document: { url: "https://example.com/calls/after" }, facts: { reason: "Completed" } },
    ]);
    expect(scripts().at(-1)).toEqual({ speak: "Elsewhere." });
    const told = at.saved.flatMap(({ steps }) => steps.filter(({ step }) => step === "redirected"));
    expect(told.map(({ details }) => details)).toEqual([{}, { informed: "https://example.com/calls/after" }]);
    await redirect(1, said("Elsewhere."));
    expect(at.said.filter((one) => one === "speech")).toHaveLength(1);
    await redirect(2, said("Further."));
    expect(at.said.filter((one) => one === "speech")).toHaveLength(2);
    expect(at.world.redirected.map((one) => one.slice(-2))).toEqual([" 1", " 1", " 2"]);
  });

  test("is redirected to a document, and obeys no answer that was asked for before", async () => {
    at.world.documents.set("https://example.com/calls/elsewhere", response("<Redirect>last</Redirect>"));
    at.world.documents.set("https://example.com/calls/last", response("<Say>Done.</Say>"));
    await began("<Gather Action='menu' NumDigits='1'/>");
    await answered();
    let answer = () => {};
    const late = new Promise<void>((resolve) => {
      answer = resolve;
    });
    at.world.late.set("https://example.com/calls/menu", late);
    at.world.documents.set("https://example.com/calls/menu", response("<Hangup/>"));
    await press("1");
    const document = { url: "https://example.com/calls/elsewhere", method: "POST" } as const;
    await redirect(1, { script: [{ kind: "redirect", document }], source: { document, shape: "A" } });
    expect(at.world.questions.map(({ document: { url } }) => url.split("/").at(-1))).toEqual([
      "menu",
      "elsewhere",
      "last",
    ]);
    expect(at.said.at(-1)).toBe("speech");
    answer();
    await settled();
    expect(lastSaved()).toMatchObject({ endReason: null });
    expect(scripts().at(-1)).toEqual({ url: "https://example.com/calls/last", speak: "Done." });
  });

  test("stays as it is when a redirection cannot be judged, and is redirected when it can", async () => {
    await began("<Gather Action='menu' NumDigits='1'/>");
    await answered();
    const dials = { ...said(""), script: [{ kind: "dial", to: "+14155550199", record: null }] } as const;
    const { countriesOf } = at.world;
    at.world.countriesOf = () => Promise.reject(new Error("the database is gone"));
    await redirect(1, { ...dials, script: [{ kind: "dial", to: "+4930123456", record: null }] });
    expect([at.world.redirected, at.dialled.length]).toEqual([[], 0]);
    at.world.countriesOf = countriesOf;
    await redirect(1, dials);
    expect([at.world.redirected.length, at.dialled.length]).toEqual([1, 1]);
  });

  test("is not said to be redirected when it ends before that", async () => {
    await began("<Gather Action='menu' NumDigits='1'/>");
    await answered();
    let judge = () => {};
    const judged = new Promise<void>((resolve) => {
      judge = resolve;
    });
    at.world.countriesOf = async () => {
      await judged;
      return ["DE"];
    };
    const program = { ...said(""), script: [{ kind: "dial", to: "+4930123456", record: null }] } as const;
    at.world.redirections = [{ sid: lastSaved()?.sid ?? "", number: 1, program }];
    const looked = at.desk.redirectAsked();
    await settled();
    await tell({ kind: "ended", legSid: "LGin", by: "peer" });
    judge();
    await looked;
    expect([at.world.redirected, at.dialled]).toEqual([[], []]);
  });

  const DONE = "https://example.com/calls/done";
  const recorded = async () => {
    await began("<Record Action='done' PlayBeep='false'/>");
    await answered();
  };

  test("is told of the end of its recording before a stop is over, though its call has ended", async () => {
    await recorded();
    let answer = () => {};
    at.world.late.set(
      DONE,
      new Promise<void>((resolve) => {
        answer = resolve;
      }),
    );
    await tell({ kind: "ended", legSid: "LGin", by: "peer" });
    expect([at.world.questions.length, at.desk.activeCount]).toEqual([1, 0]);
    let isDrained = false;
    void at.desk.drain(5_000).then(() => {
      isDrained = true;
    });
    await settled();
    expect(isDrained).toBe(false);
    answer();
    await settled();
    expect(isDrained).toBe(true);
  });

  test("is not waited for longer than a stop may take", async () => {
    await recorded();
    at.world.late.set(DONE, new Promise(() => {}));
    await tell({ kind: "ended", legSid: "LGin", by: "peer" });
    const drained = at.desk.drain(5_000);
    await at.clock.advance(7_000);
    await drained;
  });

  test("is told in its own shape when a redirection to another ends its call", async () => {
    await recorded();
    await redirect(1, { script: [{ kind: "hangUp" }], source: { document: PAGE, shape: "Twilio" } });
    expect(at.world.questions).toMatchObject([{ document: { url: DONE }, facts: { digits: "hangup" }, shape: "A" }]);
  });

  test("is said to be told when the redirection that left it has ended its call", async () => {
    await began("<Dial Action='after'>+14155550199</Dial>");
    await answered();
    await redirect(1, { script: [{ kind: "hangUp" }], source: { document: PAGE, shape: "A" } });
    expect(at.world.questions).toMatchObject([{ document: { url: "https://example.com/calls/after" } }]);
    expect(at.said.at(-1)).toBe(`note ${lastSaved()?.sid} redirected undefined`);
  });

  test("ends no call when it cannot be told that its call was redirected", async () => {
    await began("<Dial Action='after'>+14155550199</Dial>");
    await answered();
    const away = Promise.reject(new Error("the database is away"));
    away.catch(() => undefined);
    at.world.late.set("https://example.com/calls/after", away);
    await redirect(1, said("Elsewhere."));
    expect(at.said.at(-1)).toBe("speech");
    expect(lastSaved()).toMatchObject({ endReason: null });
  });

  test("is not begun when the caller has hung up meanwhile", async () => {
    await began("<Gather Action='menu' NumDigits='1'/>");
    await answered();
    at.desk.takeMedia({ at: at.clock.now(), legSid: "LGin", kind: "key", digit: "1" });
    await tell({ kind: "ended", legSid: "LGin", by: "peer" });
    await settled();
    expect(lastSaved()).toMatchObject({ endReason: "Canceled" });
    expect(at.desk.activeCount).toBe(0);
  });
});

test("an account with numbers in two countries may call both", async () => {
  at.world.countries = ["US", "DE"];
  at.world.called = { ...CALLED, callsForwardedTo: "+4930123456" };
  await callIn();
  expect(at.said).toEqual(["ring LGin", "answer LGin answer"]);
});

/** Reads a sound as the media engine does; returns how many samples it had. */
async function heardOf(sound: MediaSound | undefined): Promise<number> {
  let samples = 0;
  if (sound?.kind === "speech") for await (const part of sound.audio) samples += part.length;
  return samples;
}

describe("a text that a script has spoken", () => {
  beforeEach(async () => {
    at.world.called = { ...CALLED, callsForwardedTo: null };
    const body = new TextEncoder().encode("<Response><Hangup>We are closed.</Hangup></Response>");
    at.world.script = { kind: "answered", body, source: sourceOf(readScript), deliverySid: "WH1" };
    await callIn();
  });

  test("is heard with a silence after it, then the caller is hung up on", async () => {
    await tell({ kind: "confirmed", legSid: "LGin" });
    expect(at.said).toEqual(["ring LGin", "answer LGin answer", "speech"]);
    expect(at.world.sounds).toMatchObject([{ kind: "speech", tailMs: 300 }]);
    expect(await heardOf(at.world.sounds[0])).toBe(3);
    at.desk.takeMedia({ at: at.clock.now(), legSid: "LGin", kind: "played" });
    await settled();
    expect(at.said.slice(3)).toEqual(["hangUp LGin", "close LGin"]);
    expect(lastSaved()).toMatchObject({ status: "Completed", endReason: "ScriptHangup", endedBy: "Service" });
    expect(toldStatuses()).toEqual(["Answered", "Completed"]);
  });

  test("whose engine fails or stalls keeps nobody on the line", async () => {
    const stopped: boolean[] = [];
    at.world.say = (_spoken, stop) => ({
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise((_, reject) => stop.addEventListener("abort", () => reject(stopped.push(true)))),
      }),
    });
    await tell({ kind: "confirmed", legSid: "LGin" });
    const heard = heardOf(at.world.sounds[0]);
    await at.clock.advance(14_999);
    expect(at.said).not.toContain("hangUp LGin");
    await at.clock.advance(1);
    expect(await heard).toBe(0);
    await settled();
    expect(stopped).toEqual([true]);
    expect(at.said).toContain("hangUp LGin");
    expect(lastSaved()).toMatchObject({ endReason: "ScriptHangup" });
    const steps = at.saved.flatMap(({ steps: noted }) => noted.map(({ details }) => details.reason));
    expect(steps).toContain("The text could not be spoken: no speech for 15 s");
  });
});

describe("a call of one party", () => {
  const answered = async (...script: CallScript) => {
    await dial(ordered({ legs: newLegs() }, { program: { script, source: { document: PAGE, shape: "A" } } }));
    await tell({ kind: "answered", legSid: "LGin", sdp: "answer" });
    await settled();
  };

  const HELLO = { kind: "say", text: "Hello." } as const;

  test("is told a text in the turn of its account", async () => {
    const spoken: SpokenText[] = [];
    at.world.say = async function* (said) {
      spoken.push(said);
      yield Int16Array.of(1);
    };
    await answered(HELLO);
    await heardOf(at.world.sounds[0]);
    expect(spoken).toEqual([{ accountSid: at.saved[0]?.call.accountSid, text: "Hello." }]);
  });

  test("is told a text, then hung up, and no one else is called", async () => {
    await answered(HELLO);
    expect(at.said.slice(1)).toEqual(["speech"]);
    at.desk.takeMedia({ at: at.clock.now(), legSid: "LGin", kind: "played" });
    await settled();
    expect(at.said.slice(2)).toEqual(["hangUp LGin", "close LGin"]);
    expect(at.saved.at(-1)?.call).toMatchObject({ endReason: "ScriptHangup", legs: [{ leg: "First" }] });
  });

  test("without any instruction it is hung up when it answers", async () => {
    await answered();
    expect(at.said.slice(1)).toEqual(["hangUp LGin", "close LGin"]);
    expect(at.saved.at(-1)?.call).toMatchObject({ endReason: "ScriptHangup" });
  });
});

test("an ordered call asks for its program when it is answered, and may dial what the account may call", async () => {
  const document = { url: "https://example.com/outbound", method: "POST" } as const;
  const fallback = { url: "https://example.com/fallback", method: "POST" } as const;
  const program = { script: [{ kind: "redirect", document }], source: { document, fallback, shape: "A" } } as const;
  const xml = "<Response><Dial>+4930123456</Dial><Dial>+14155550199</Dial></Response>";
  at.world.documents.set(fallback.url, xml);
  await dial(ordered({ legs: newLegs() }, { program }));
  expect(at.world.questions).toEqual([]);
  await tell({ kind: "answered", legSid: "LGin", sdp: "answer" });
  await settled();
  await settled();
  expect(at.world.questions.map(({ document: { url }, shape }) => [url, shape])).toEqual([
    [document.url, "A"],
    [fallback.url, "A"],
  ]);
  expect(at.dialled.map(({ target }) => target)).toMatchObject([{}, { number: "+14155550199" }]);
  await tell({ kind: "answered", legSid: second(), sdp: "answer" });
  await tell({ kind: "ended", legSid: second(), by: "peer" });
  expect(lastSaved()).toMatchObject({ endReason: "Completed", endedBy: "Second" });
});

describe("a call that asks the first party for a key", () => {
  beforeEach(async () => {
    await dial(ordered({ legs: newLegs() }, { keyPrompt: "Press any key." }));
    await tell({ kind: "answered", legSid: "LGin", sdp: "answer" });
  });

  test.each([
    ["as an event or a tone", () => at.desk.takeMedia({ at: at.clock.now(), legSid: "LGin", ...KEY })],
    ["by INFO", () => tell({ kind: "digit", legSid: "LGin", digit: "5", ms: 100 })],
  ])("dials the second party when one comes %s", async (_how, press) => {
    expect(at.said.slice(1)).toEqual(["tones on", "speech"]);
    await press();
    await settled();
    expect(at.said.slice(3)).toEqual(["tones off", "play", expect.stringContaining("dial")]);
  });

  test("never dials the second party when none comes within 20 s", async () => {
    at.desk.takeMedia({ at: at.clock.now(), legSid: "LGin", kind: "played" });
    await at.clock.advance(19_999);
    expect(at.said.slice(1)).toEqual(["tones on", "speech", "speech"]);
    await at.clock.advance(1);
    await settled();
    expect(at.dialled).toHaveLength(1);
    expect(lastSaved()).toMatchObject({ status: "Completed", endReason: "NotAcknowledged" });
  });
});

const KEY = { kind: "key", digit: "5" } as const;

test("a script is obeyed, and what it may not do is refused", async () => {
  at.world.called = { ...CALLED, callsForwardedTo: null };
  const body = new TextEncoder().encode("<Response><Dial>sip:alice@pbx.example</Dial></Response>");
  at.world.script = { kind: "answered", body, source: sourceOf(readScript), deliverySid: "WH1" };
  await callIn();
  await tell({ kind: "confirmed", legSid: "LGin" });
  expect(at.dialled).toMatchObject([{ target: { kind: "sip", uri: { user: "alice", host: "pbx.example" } } }]);
  expect(at.saved.flatMap(({ events }) => events.map(({ sequence }) => sequence))).toEqual([2]);
});

describe("a recorded call", () => {
  beforeEach(() => {
    at.world.called = { ...CALLED, recordInboundCalls: true };
  });
  const ask = async (switches: number) => {
    at.world.asked.push({ sid: lastSaved()?.sid ?? "", switches });
    await at.desk.switchAsked();
    await settled();
  };
  const recorders = () =>
    at.said.filter((what) => /^(?:record|stop) /.test(what)).map((what) => what.replace(/RE\w+/, ""));

  test("is recorded from the join to its end, and its segments are closed before that is stored", async () => {
    await connect();
    expect(at.said.slice(-2)).toEqual(["join", `record ${lastSaved()?.recording?.sid}-1.ulaw2`]);
    await ask(1);
    expect(lastSaved()?.recording).toMatchObject({ status: "Paused", switches: 1, segments: [{ samples: 8000 }] });
    await ask(2);
    await tell({ kind: "ended", legSid: "LGin", by: "peer" });
    expect(recorders()).toEqual(["record -1.ulaw2", "stop -1.ulaw2", "record -2.ulaw2", "stop -2.ulaw2"]);
    expect(lastSaved()).toMatchObject({
      status: "Completed",
      recording: { status: "Processing", switches: 2, segments: [{ samples: 8000 }, { samples: 8000 }] },
    });
  });

  test("is paused and resumed as often as was asked for, however late that is heard of", async () => {
    await connect();
    await ask(4);
    expect(recorders().filter((what) => what.startsWith("record"))).toHaveLength(3);
    expect(lastSaved()?.recording).toMatchObject({ status: "Recording", switches: 4 });
    await ask(4);
    expect(recorders().filter((what) => what.startsWith("record"))).toHaveLength(3);
  });

  test("goes on when its audio cannot be written, and is marked for operators", async () => {
    await connect();
    at.desk.takeMedia({ at: at.clock.now(), legSid: "LGin", kind: "recordingFault", reason: "ENOSPC" });
    await settled();
    expect(lastSaved()).toMatchObject({ status: "Answered", recording: { status: "Recording", fault: "ENOSPC" } });
    expect(at.saved.at(-1)?.steps).toMatchObject([{ step: "recording", details: { fault: "ENOSPC" } }]);
  });

  test("of a process that died is left to encoders when it has segments, and is over when it has none", async () => {
    const scope = { phone: OURS, messagingConfigSid: null, eventsTold: 2 };
    const begun = newRecording("RE1");
    for (const recording of [begun, withNewSegment(begun, at.clock.now())]) {
      at.world.abandoned.push({
        call: newCall({ sid: `CA${recording.segments.length}`, accountSid: "AC1", recording }),
        scope,
        dialogs: new Map(),
        isTakenOver: true,
      });
    }
    await giveBackStrays(at.desk.claims, silent);
    expect(at.saved.map(({ call }) => call.recording?.status)).toEqual(["Completed", "Processing"]);
  });
});

test("a call whose recording was paused before it was dialled begins paused", async () => {
  await dial(ordered({ recording: newRecording("RE1") }, { switchesAsked: 1 }));
  expect(lastSaved()?.recording).toMatchObject({ status: "Paused", switches: 1 });
});
