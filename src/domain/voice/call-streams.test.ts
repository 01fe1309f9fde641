import { beforeEach, expect, test } from "vitest";
import { CallStreams, type StreamPlace } from "./call-streams.ts";
import type { StreamOpening, StreamSummary, ToldStream } from "./ports.ts";
import type { StreamOrder } from "./stream.ts";

const ORDER: StreamOrder = { url: "wss://agent.example/", name: "x", tracks: "inbound", parameters: [] };
const PLACE = { shape: "Twilio" } as StreamPlace;
const OPENED = { streamSid: "MZ1", ms: 5 };
const SUMMARY: StreamSummary = { streamSid: "MZ1", url: ORDER.url, packetsSent: 1, packetsReceived: 2 };

let openings: StreamOpening[];
let told: (readonly [ToldStream["status"], number, string | null])[];
let notes: object[];
let streams: CallStreams;

beforeEach(() => {
  [openings, told, notes] = [[], [], []];
  streams = new CallStreams({
    streams: {
      open(opening) {
        openings.push(opening);
        return { press: () => undefined, stop: () => opening.ended(SUMMARY) };
      },
    },
    call: { sid: "CA1", accountSid: "AC1" },
    note(details, events = []) {
      notes.push(details);
      told.push(...events.map(({ status, sequence, fault }) => [status, sequence, fault] as const));
    },
  });
});

const connect = () => {
  streams.connect(ORDER, PLACE, () => undefined);
  return openings[0] as StreamOpening;
};

test("a stream is told as started and stopped, with its notes", () => {
  const opening = connect();
  opening.opened(OPENED);
  expect(told).toEqual([["Started", 1, null]]);
  streams.close();
  expect(told.slice(1)).toEqual([["Stopped", 2, null]]);
  expect(notes).toEqual([{ connected: ORDER.url, ...OPENED }, SUMMARY]);
});

test("one that breaks is told as failed, then as stopped", () => {
  const opening = connect();
  opening.opened(OPENED);
  opening.ended({ ...SUMMARY, fault: "The connection was lost." });
  expect(told.slice(1)).toEqual([
    ["Failed", 2, "The connection was lost."],
    ["Stopped", 3, null],
  ]);
});

test("one that was never opened is told as failed alone, and as nothing when the call goes on before", () => {
  connect().ended({ ...SUMMARY, fault: "It could not be reached." });
  expect(told).toEqual([["Failed", 1, "It could not be reached."]]);
  streams.start(ORDER, PLACE);
  streams.stop("x");
  expect(told).toHaveLength(1);
});

test("streams of a call count their events each for itself", () => {
  streams.start(ORDER, PLACE);
  streams.start({ ...ORDER, name: "y" }, PLACE);
  for (const [at, opening] of openings.entries()) opening.opened({ streamSid: `MZ${at}`, ms: 1 });
  expect(told).toEqual([
    ["Started", 1, null],
    ["Started", 1, null],
  ]);
});
