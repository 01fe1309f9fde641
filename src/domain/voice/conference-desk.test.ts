import { expect, test } from "vitest";
import { silent } from "../../../test/fakes/silent-log.ts";
import { VirtualClock } from "../../../test/fakes/virtual-clock.ts";
import { makeIds } from "../../base/ids.ts";
import type { Conference, ConferenceOrder } from "./conference.ts";
import { ConferenceDesk } from "./conference-desk.ts";
import type { ConferenceLedger, MediaLeg, MediaSound } from "./ports.ts";

const ORDER: ConferenceOrder = {
  name: "team",
  label: null,
  muted: false,
  beeps: { enter: true, exit: true },
  startsOnEnter: true,
  endsOnExit: false,
  participantsMax: 50,
};

function newWorld() {
  const clock = new VirtualClock(Date.UTC(2026, 0, 1));
  const said: string[] = [];
  const world = {
    said,
    saved: [] as Conference[],
    outcome: "opened" as Awaited<ReturnType<ConferenceLedger["open"]>>,
    isOurs: true,
    /** A write is done when this resolves. */
    written: Promise.resolve(),
    sounds: [] as MediaSound[],
    fault: (_reason: string) => {},
    /** Of the recording, once it has stopped. */
    samples: Promise.resolve(4_000),
  };
  const names = new Map<MediaLeg, string>();
  const nameOf = (leg: MediaLeg) => names.get(leg) ?? "";
  const desk = new ConferenceDesk({
    ...{ clock, ids: makeIds(clock), log: silent },
    media: {
      mix: () => ({
        set: (leg, { speaks, hears }) =>
          void said.push(`${nameOf(leg)}${speaks ? " speaks" : ""}${hears ? " hears" : ""}`),
        remove: (leg) => void said.push(`${nameOf(leg)} out`),
        play: (tone) => void said.push(`tone ${tone}`),
        record({ file, startedOn }, fault) {
          said.push(`records ${file.slice(0, 2)}${file.slice(-8)}`);
          world.fault = fault;
          return {
            async stop(at) {
              said.push(`recorded ${at.getTime() - startedOn.getTime()} ms`);
              return world.samples;
            },
          };
        },
      }),
    },
    sounds: {
      async *play({ url }) {
        if (url.endsWith("missing.wav")) throw new Error("The server answered 404.");
        yield Int16Array.of(1);
      },
    },
    ledger: {
      async open() {
        await world.written;
        return world.outcome;
      },
      async save(conference) {
        await world.written;
        if (world.isOurs) world.saved.push(conference);
        return world.isOurs;
      },
      endAbandoned: async () => undefined,
    },
    bring({ callSid }) {
      said.push(`${callSid} brought`);
      return { leave: () => void said.push(`${callSid} back`) };
    },
  });
  const enter = (name: string, more: Partial<ConferenceOrder> = {}) => {
    const media = {
      play: (sound: MediaSound) => {
        said.push(`${name} music`);
        world.sounds.push(sound);
      },
      stopPlaying: () => undefined,
    } as unknown as MediaLeg;
    names.set(media, name);
    return desk.enter({
      ...{ accountSid: "AC1", callSid: name, order: { ...ORDER, ...more }, shape: "A", media },
      entered: () => void said.push(`${name} entered`),
      waitFailed: (url, reason) => void said.push(`${name} waits without ${url}: ${reason}`),
      left: ({ fault }) => void said.push(`${name} left${fault === null ? "" : `: ${fault}`}`),
    });
  };
  const settle = () => clock.advance(10);
  const sid = () => world.saved.at(-1)?.sid ?? "";
  return { ...world, world, clock, desk, enter, settle, sid };
}

test("two callers wait with music and tones, and then hear each other", async () => {
  const { enter, settle, said, world } = newWorld();
  enter("one");
  await settle();
  expect(said).toEqual(["one entered", "tone enter", "one", "one music"]);
  enter("two");
  await settle();
  expect(said.slice(4)).toEqual(["two entered", "tone enter", "one speaks hears", "two speaks hears"]);
  expect(world.saved.at(-1)).toMatchObject({ status: "InProgress", participants: [{}, {}] });
});

test("who leaves is out of the mix at once, and the last one ends it, which bars its name until it is stored", async () => {
  const { enter, settle, said, world } = newWorld();
  const one = enter("one");
  await settle();
  const first = world.saved.at(-1)?.sid;
  let write = () => {};
  world.written = new Promise((resolve) => {
    write = resolve;
  });
  one.leave("HungUp");
  expect(said.at(-1)).toBe("one out");
  enter("two");
  await settle();
  expect(said.at(-1)).toBe("one out");
  write();
  await settle();
  expect(said).toContain("two entered");
  expect(world.saved.find(({ sid }) => sid === first)?.sid).toBe(first);
  expect(world.saved.filter(({ status }) => status === "Completed")).toMatchObject([
    { sid: first, endReason: "LastParticipantLeft" },
  ]);
});

test("no conference is entered beyond those that the account may have", async () => {
  const { enter, settle, said, world } = newWorld();
  world.outcome = "full";
  enter("one");
  await settle();
  expect(said).toEqual(["one left: The account has 20 conferences at the same time, which is the most it may."]);
});

test("a call whose conference is at another node is brought there, until it leaves", async () => {
  const { enter, settle, said, world } = newWorld();
  world.outcome = "elsewhere";
  const one = enter("one");
  await settle();
  expect(said).toEqual(["one brought"]);
  one.leave("HungUp");
  expect(said).toEqual(["one brought", "one back"]);
});

test("who leaves before it is open never enters, and it ends", async () => {
  const { enter, settle, said, world } = newWorld();
  enter("one").leave("HungUp");
  await settle();
  expect(said).toEqual([]);
  expect(world.saved).toMatchObject([{ status: "Completed" }]);
});

test("a stop waits until the end of a conference is stored, but not for a database that is away", async () => {
  const { enter, settle, desk, world, clock } = newWorld();
  const one = enter("one");
  await settle();
  let write = () => {};
  world.written = new Promise((resolve) => {
    write = resolve;
  });
  one.leave("HungUp");
  const ended: string[] = [];
  void desk.drain().then(() => ended.push("first"));
  await settle();
  expect(ended).toEqual([]);
  await clock.advance(2_000);
  expect(ended).toEqual(["first"]);
  void desk.drain().then(() => ended.push("second"));
  write();
  await settle();
  expect(ended).toEqual(["first", "second"]);
  expect(world.saved.at(-1)).toMatchObject({ status: "Completed" });
});

test("what is asked of it: mute, hold, remove, end", async () => {
  const { enter, settle, said, desk, sid } = newWorld();
  enter("one");
  enter("two");
  await settle();
  said.length = 0;
  desk.obey({ conferenceSid: sid(), callSid: "one", muted: true });
  desk.obey({ conferenceSid: sid(), callSid: "two", hold: true });
  desk.obey({ conferenceSid: "CF-of-another-process" });
  expect(said).toEqual(["one hears", "two", "two music"]);
  desk.obey({ conferenceSid: sid(), callSid: "two", isRemoved: true });
  expect(said.slice(3)).toEqual(["two out", "two left"]);
  desk.obey({ conferenceSid: sid() });
  expect(said.slice(5)).toEqual(["one out", "one left"]);
});

test("one that another process has ended releases its calls", async () => {
  const { enter, settle, said, world } = newWorld();
  enter("one");
  await settle();
  world.isOurs = false;
  enter("two");
  await settle();
  expect(said.slice(-4).sort()).toEqual(["one left", "one out", "two left", "two out"]);
});

test("its own wait sound is played again and again, with silence after a short one", async () => {
  const { enter, settle, world } = newWorld();
  enter("one", { waitUrl: "https://example.com/wait.wav" });
  await settle();
  const [sound] = world.sounds;
  if (sound?.kind !== "speech") throw new Error("nothing is played");
  const parts: number[] = [];
  for await (const part of sound.audio) {
    parts.push(part.length);
    if (parts.length === 4) break;
  }
  expect(parts).toEqual([1, 39_999, 1, 39_999]);
});

test("a wait sound that cannot be played is told, and music is heard instead", async () => {
  const { enter, settle, world, said } = newWorld();
  enter("one", { waitUrl: "https://example.com/missing.wav" });
  await settle();
  const [sound] = world.sounds;
  if (sound?.kind !== "speech") throw new Error("nothing is played");
  for await (const part of sound.audio) {
    expect(part.length).toBeGreaterThan(8_000);
    break;
  }
  expect(said.at(-1)).toBe("one waits without https://example.com/missing.wav: The server answered 404.");
});

test("with silence for waiting, only its tones are heard", async () => {
  const { enter, settle, said } = newWorld();
  enter("one", { waitUrl: null, beeps: { enter: false, exit: true } });
  await settle();
  expect(said).toEqual(["one entered", "one hears"]);
});

const RECORDED = { recording: { callbackUrl: "https://example.com/recorded" } };

test("one that is recorded is recorded from its start to its end, and stored with the length of that", async () => {
  const { enter, settle, said, world, clock } = newWorld();
  const one = enter("one", RECORDED);
  await settle();
  expect(said.join()).not.toContain("record");
  const two = enter("two", RECORDED);
  await settle();
  expect(said.at(-1)).toBe("records RE-1.ulaw2");
  const callback = { url: "https://example.com/recorded", shape: "A" };
  const recording = { status: "Recording", source: "Conference", callback, callSid: "one" };
  expect(world.saved.at(-1)?.recording).toMatchObject({ ...recording, segments: [{ index: 1, samples: null }] });
  world.fault("ENOSPC");
  world.fault("EIO");
  await settle();
  expect(world.saved.at(-1)?.recording).toMatchObject({ fault: "ENOSPC" });
  await clock.advance(500);
  one.leave("HungUp");
  two.leave("HungUp");
  await settle();
  expect(said.at(-1)).toMatch(/^recorded 5\d\d ms$/);
  expect(world.saved.at(-1)).toMatchObject({
    status: "Completed",
    recording: { status: "Processing", fault: "ENOSPC", segments: [{ samples: 4_000 }] },
  });
});

test("a disk that does not answer delays the end of a recorded conference for two seconds, and no longer", async () => {
  const { enter, settle, world, clock } = newWorld();
  const [one, two] = [enter("one", RECORDED), enter("two")];
  await settle();
  world.samples = new Promise(() => {});
  one.leave("HungUp");
  two.leave("HungUp");
  await settle();
  expect(world.saved.at(-1)).toMatchObject({ status: "InProgress" });
  await clock.advance(2_000);
  expect(world.saved.at(-1)).toMatchObject({
    status: "Completed",
    recording: { status: "Processing", segments: [{ samples: null }] },
  });
});
