import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import type { StreamEar, StreamOrder } from "../../domain/voice/index.ts";
import { readStreamMessage } from "./messages.ts";
import { ReceiverWindow } from "./receiver-window.ts";
import { StreamSession } from "./stream-session.ts";

/** Two minutes. */
const WAITING_OCTETS_MAX = 960_000;
const MARKS_MAX = 1_000;
const NAMES = { streamSid: "MZ1", accountSid: "AC1", callSid: "CA1" };
const ORDER = { url: "wss://agent.example/", name: "", parameters: [["a", "b"]] } as const;

function newSession(
  isTwoWay = true,
  { tracks = "inbound", linearRate }: Partial<Pick<StreamOrder, "tracks" | "linearRate">> = {},
) {
  const frames: Uint8Array[] = [];
  const sent: Record<string, unknown>[] = [];
  const done: string[] = [];
  let ear: StreamEar = { hear: () => {}, marked: () => {} };
  const session = new StreamSession({
    names: NAMES,
    order: { ...ORDER, tracks, linearRate },
    isTwoWay,
    send: (message) => {
      if (typeof message === "string") sent.push(JSON.parse(message));
      else frames.push(message);
    },
    audio: (given) => {
      ear = given;
      return {
        play: (octets) => void done.push(`play ${octets.length}`),
        mark: (mark) => void done.push(`mark ${mark}`),
        clear: () => void done.push("clear"),
        stop: () => void done.push("stop"),
      };
    },
  });
  const say = (message: object) => session.take(Buffer.from(JSON.stringify(message)), false);
  return {
    session,
    sent,
    frames,
    done,
    say,
    hear: (gone = 0) => ear.hear({ inbound: new Uint8Array(160).fill(7), outbound: new Uint8Array(160).fill(8), gone }),
    marked: (mark: number) => ear.marked(mark),
    play: (octets: number) => say({ event: "media", media: { payload: Buffer.alloc(octets).toString("base64") } }),
    mark: (name: string) => say({ event: "mark", mark: { name } }),
    marks: () => sent.flatMap(({ mark }) => (mark ? [(mark as { name: string }).name] : [])),
  };
}

let at: ReturnType<typeof newSession>;
beforeEach(() => {
  at = newSession();
});

describe("a program is told", () => {
  test("what stream it is, then each frame with a timestamp by its samples", () => {
    at.hear();
    at.hear();
    at.session.press("5");
    at.session.stop();
    const common = { streamSid: "MZ1" };
    const payload = Buffer.alloc(160, 7).toString("base64");
    expect(at.sent).toEqual([
      { event: "connected", protocol: "Call", version: "1.0.0" },
      {
        event: "start",
        sequenceNumber: "1",
        ...common,
        start: {
          ...NAMES,
          tracks: ["inbound"],
          customParameters: { a: "b" },
          mediaFormat: { encoding: "audio/x-mulaw", sampleRate: 8000, channels: 1 },
        },
      },
      {
        event: "media",
        sequenceNumber: "2",
        ...common,
        media: { track: "inbound", chunk: "1", timestamp: "20", payload },
      },
      {
        event: "media",
        sequenceNumber: "3",
        ...common,
        media: { track: "inbound", chunk: "2", timestamp: "40", payload },
      },
      { event: "dtmf", sequenceNumber: "4", ...common, dtmf: { track: "inbound_track", digit: "5" } },
      { event: "stop", sequenceNumber: "5", ...common, stop: { accountSid: "AC1", callSid: "CA1" } },
    ]);
    expect(at.done).toEqual(["stop"]);
  });

  test("of its marks, also of equal ones, in order, each once", () => {
    at.play(160);
    for (const name of ["a", "b", "b"]) at.mark(name);
    expect(at.done).toEqual(["play 160", "mark 1", "mark 2", "mark 3"]);
    at.marked(1);
    expect(at.marks()).toEqual(["a"]);
    at.marked(3);
    at.marked(3);
    expect(at.marks()).toEqual(["a", "b", "b"]);
  });

  test("of all its marks when it clears, before anything that it says then", () => {
    at.play(160);
    at.mark("a");
    at.mark("b");
    at.say({ event: "clear" });
    expect(at.marks()).toEqual(["a", "b"]);
    at.mark("c");
    at.marked(2);
    expect(at.marks()).toEqual(["a", "b"]);
    at.marked(3);
    expect(at.marks()).toEqual(["a", "b", "c"]);
  });
});

test("a program that only hears gets both tracks, and what it says is ignored", () => {
  at = newSession(false, { tracks: "both" });
  at.hear();
  at.play(160);
  at.mark("a");
  at.say({ event: "clear" });
  const media = at.sent.flatMap((one) => (one.media ? [one.media] : []));
  const common = { chunk: "1", timestamp: "20" };
  expect(media).toEqual([
    { track: "inbound", ...common, payload: Buffer.alloc(160, 7).toString("base64") },
    { track: "outbound", ...common, payload: Buffer.alloc(160, 8).toString("base64") },
  ]);
  expect(at.sent[1]).toMatchObject({ start: { tracks: ["inbound", "outbound"] } });
  expect(at.done).toEqual([]);
  expect(at.session.figures).toMatchObject({ packetsSent: 2, packetsReceived: 0, ignored: 3 });
});

describe("linear sound", () => {
  test.each([8_000, 16_000] as const)("at %i Hz goes both ways in binary frames", (linearRate) => {
    at = newSession(true, { linearRate });
    at.hear();
    const octets = (linearRate / 50) * 2;
    expect(at.frames.map((frame) => frame.length)).toEqual([octets]);
    const mediaFormat = { encoding: "pcm16", sampleRate: linearRate, channels: 1 };
    expect(at.sent.map(({ event }) => event)).toEqual(["connected", "start"]);
    expect(at.sent[1]).toMatchObject({ start: { mediaFormat } });
    at.session.take(Buffer.alloc(octets), true);
    at.mark("a");
    at.say({ event: "clear" });
    expect(at.done).toEqual(["play 160", "mark 1", "clear"]);
    expect(at.marks()).toEqual(["a"]);
  });

  test("in JSON, or with half a sample, is ignored and told", () => {
    at = newSession(true, { linearRate: 8_000 });
    at.play(160);
    at.session.take(Buffer.alloc(3), true);
    expect(at.done).toEqual([]);
    expect(at.session.figures).toMatchObject({ ignored: 2, ignoredReason: expect.stringContaining("binary frames") });
  });

  test("is that of the caller", () => {
    at = newSession(true, { linearRate: 8_000 });
    at.hear();
    // ITU-T G.711: the octet 7 is the sample -24956.
    expect(Buffer.from(at.frames[0] as Uint8Array).readInt16LE(0)).toBe(-24_956);
  });
});

describe("too much", () => {
  test("sound waits for two minutes; what comes then is dropped until there is room", () => {
    at.play(WAITING_OCTETS_MAX - 100);
    at.play(160);
    at.play(160);
    expect(at.done).toEqual([`play ${WAITING_OCTETS_MAX - 100}`, "play 100"]);
    expect(at.session.figures).toMatchObject({ droppedMs: 28 });
    at.hear(80);
    at.play(160);
    expect(at.done.at(-1)).toBe("play 80");
    at.say({ event: "clear" });
    at.play(160);
    expect(at.done.slice(-2)).toEqual(["clear", "play 160"]);
  });

  test("marks are ignored, and told", () => {
    at.play(160);
    for (let mark = 0; mark < MARKS_MAX + 2; mark++) at.mark("m");
    expect(at.session.figures).toMatchObject({ ignored: 2, ignoredReason: expect.stringContaining("marks wait") });
    at.marked(MARKS_MAX);
    expect(at.marks()).toHaveLength(MARKS_MAX);
  });

  test("sound for a program that does not read: the oldest is lost, and what is sent then is the newest", () => {
    const ping = at.session.window.ping();
    for (let frame = 0; frame < 600; frame++) at.hear();
    const chunks = () => at.sent.flatMap(({ media }) => (media ? [Number((media as { chunk: string }).chunk)] : []));
    expect(chunks()).toHaveLength(250);
    expect(at.session.figures).toMatchObject({ packetsSent: 250, lostMs: 2_000 });
    at.session.window.answered(ping + 1);
    expect(chunks()).toHaveLength(250);
    const later = at.session.window.ping();
    at.session.window.answered(later);
    expect(chunks().slice(250)).toEqual(Array.from({ length: 250 }, (_, index) => 351 + index));
  });
});

test("what is not understood is ignored and told, and the stream goes on", () => {
  at.session.take(Buffer.of(1, 2), true);
  for (const text of ["", "{", "null", "[]", '{"event":"media"}', '{"event":"mark","mark":{"name":1}}']) {
    at.session.take(Buffer.from(text), false);
  }
  at.say({ event: "media", media: { payload: "not base64!" } });
  at.say({ event: "connected" });
  expect(at.done).toEqual([]);
  expect(at.session.figures).toMatchObject({ ignored: 9, ignoredReason: "It is a binary frame." });
  at.play(160);
  expect(at.done).toEqual(["play 160"]);
});

test("sound is read alike however its message is written", () => {
  const payload = Buffer.from("sound!").toString("base64");
  const written = [
    `{"event":"media","streamSid":"MZ1","media":{"payload":"${payload}"}}`,
    `{"event": "media", "streamSid": null, "media": {"payload": "${payload}"}}`,
    `{"streamSid":"MZ1","event":"media","media":{"payload":"${payload}","track":"outbound"}}`,
    `{\n"event":"media","media":{"payload":"${payload.replace("=", "\\u003d")}"}}`,
  ];
  for (const text of written) {
    expect(readStreamMessage(text)).toEqual({ ok: true, value: { kind: "media", octets: Buffer.from("sound!") } });
  }
  expect(readStreamMessage(`{"event":"media","streamSid":"MZ1","media":{"payload":"so und"}}`).ok).toBe(false);
});

test("any text is read as a message or ignored", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json(), fc.string({ unit: "binary" })), (text) => {
      const read = readStreamMessage(text);
      expect(read.ok || read.refusal.length > 0).toBe(true);
    }),
  );
});

test("a receiver that answers loses nothing, however the answers come", () => {
  const events = fc.array(fc.constantFrom("send", "ping", "answer"), { maxLength: 300 });
  fc.assert(
    fc.property(events, (happened) => {
      const received: number[] = [];
      const window = new ReceiverWindow<number>({ unreadMax: 5, heldMax: 5 }, (frame) => received.push(frame));
      let sent = 0;
      let last = 0;
      for (const one of happened) {
        if (one === "send") window.send(++sent);
        else if (one === "ping") last = window.ping();
        else window.answered(last);
      }
      expect(received).toEqual([...received].sort((a, b) => a - b));
      expect(received.length + window.lost).toBeLessThanOrEqual(sent);
      expect(sent - received.length - window.lost).toBeLessThanOrEqual(5);
      expect(window.sent).toBe(received.length);
    }),
  );
});
