import { expect, test } from "vitest";
import { newCall } from "../../../test/fakes/new-call.ts";
import type { Call, Leg } from "./call.ts";
import { receivedEvent, recordingEvent, statusEvent } from "./call-events.ts";
import type { LegMark } from "./call-state.ts";

const RANG = new Date("2026-01-01T10:00:00Z");
const after = (seconds: number) => new Date(RANG.getTime() + seconds * 1000);
const CALL = newCall({ sid: "CA1", accountSid: "AC1", createdOn: RANG });
const SCOPE = { phone: "+14155550100", messagingConfigSid: null as string | null };
const ENDED: Call = {
  ...CALL,
  status: "Completed",
  legs: CALL.legs.map((leg) => ({
    ...leg,
    from: "sip:alice@pbx.example",
    to: "sip:bob@pbx.example",
    status: "Completed" as const,
    answeredOn: after(5),
    completedOn: after(12),
    endReason: "Completed" as const,
  })),
};
const FIRST = { leg: "First", legSid: "LG1" } as const;
const SECOND = { leg: "Second", legSid: "LG2" } as const;
const told = (call: Call, status: Call["status"], mark: LegMark = FIRST) =>
  statusEvent(call, SCOPE, { ...mark, status, sequence: 4 });

test("the end of a leg says how long it lasted and why it ended; earlier statuses say neither", () => {
  expect(told(ENDED, "Completed").fields).toMatchObject({ DurationSeconds: 7, EndReason: "Completed" });
  expect(told(ENDED, "Answered").fields).toMatchObject({ DurationSeconds: null, EndReason: null });
});

test("a status is about its leg: its sid and its parties", () => {
  expect(told(ENDED, "Completed")).toMatchObject({
    resourceSid: "CA1",
    sequence: 4,
    fields: { LegSid: "LG1", From: "sip:alice@pbx.example", To: "sip:bob@pbx.example" },
  });
});

test("the second leg of an inbound call goes out", () => {
  const [first] = ENDED.legs;
  const second = { ...first, sid: "LG2", leg: "Second", direction: "Outbound" } as Leg;
  const call: Call = { ...ENDED, direction: "Inbound", legs: [...ENDED.legs, second] };
  expect(told(call, "Completed", SECOND).fields.Direction).toBe("Outbound");
  expect(told(call, "Completed").fields.Direction).toBe("Inbound");
});

test("a status of a leg that was never dialled shows the parties of the call", () => {
  const { fields } = told(ENDED, "Completed", SECOND);
  expect(fields).toMatchObject({
    LegSid: "LG2",
    From: ENDED.from,
    To: ENDED.to,
    DurationSeconds: null,
    EndReason: null,
  });
});

test("a callback gets the statuses of the first leg that it takes; no receiver gets the others", () => {
  const callback = { url: "https://example.com/status", shape: "Twilio", statuses: ["Answered"] } as const;
  const sent = (mark: LegMark, status: Call["status"]) =>
    statusEvent(CALL, { ...SCOPE, callback }, { ...mark, status, sequence: 1 });
  expect(sent(FIRST, "Answered")).toMatchObject({ callbackUrl: callback.url, callbackShape: "Twilio" });
  for (const event of [sent(FIRST, "Ringing"), sent(SECOND, "Answered")]) {
    expect(event).toMatchObject({ onlyTo: "" });
    expect(event).not.toHaveProperty("callbackUrl");
  }
  expect(told(CALL, "Answered")).not.toHaveProperty("onlyTo");
});

const RECORDING = {
  ...SCOPE,
  sid: "RE1",
  callSid: "CA1",
  accountSid: "AC1",
  eventsTold: 6,
  source: null,
  callback: null,
  segments: [
    { index: 1, samples: 12_000, sizeBytes: 500, sha256: "ab" },
    { index: 2, samples: 4_000, sizeBytes: 200, sha256: "cd" },
    { index: 3, samples: null, sizeBytes: null, sha256: null },
  ],
};
const urlOf = (index: number) => `https://example.com/${index}`;

test("a finished recording lists its segments with their files, and lasts as long as they do", () => {
  expect(recordingEvent(RECORDING, urlOf)).toMatchObject({
    sequence: 7,
    fields: {
      RecordingSid: "RE1",
      DurationSeconds: 2,
      Segments: [
        { Index: 1, DurationSeconds: 1.5, SizeBytes: 500, Sha256: "ab", Url: "https://example.com/1" },
        { Index: 2, DurationSeconds: 0.5, SizeBytes: 200, Sha256: "cd", Url: "https://example.com/2" },
        { Index: 3, DurationSeconds: 0, SizeBytes: 0, Sha256: "", Url: "https://example.com/3" },
      ],
    },
  });
});

test("a recording of a program is a resource of its own, and is told to its callback", () => {
  const callback = { url: "https://example.com/told", shape: "Twilio" } as const;
  const event = recordingEvent({ ...RECORDING, source: "Record", callback }, urlOf);
  expect(event).toMatchObject({ resourceSid: "RE1", callbackUrl: callback.url, callbackShape: "Twilio" });
  expect(event.fields).toMatchObject({ CallSid: "CA1", RecordingSid: "RE1", Source: "Record" });
  expect(event).not.toHaveProperty("sequence");
  expect(event.fields).not.toHaveProperty("ConferenceSid");
  const ofConference = { ...RECORDING, source: "Conference", conferenceSid: "CF1", callback } as const;
  const fields = { CallSid: "CA1", Source: "Conference", ConferenceSid: "CF1" };
  expect(recordingEvent(ofConference, urlOf)).toMatchObject({ resourceSid: "RE1", fields });
  expect(recordingEvent(RECORDING, urlOf).fields).not.toHaveProperty("Source");
});

test("a received call is its call's first event, and names its leg", () => {
  expect(receivedEvent(CALL, SCOPE)).toMatchObject({
    sequence: 1,
    fields: { CallSid: "CA1", LegSid: "LG1", From: "+14155550101", To: "+14155550100" },
  });
  expect(receivedEvent({ ...CALL, legs: [] }, SCOPE).fields.LegSid).toBe("");
});

test.each([
  ["status", (scope: typeof SCOPE) => statusEvent(CALL, scope, { ...FIRST, status: "Ringing", sequence: 1 })],
  ["received", (scope: typeof SCOPE) => receivedEvent(CALL, scope)],
  ["recording", (scope: typeof SCOPE) => recordingEvent({ ...RECORDING, ...scope }, urlOf)],
] as const)("the %s event belongs to the MessagingConfig of the number, if that has one", (_what, eventIn) => {
  expect(eventIn(SCOPE)).not.toHaveProperty("messagingConfigSid");
  expect(eventIn({ ...SCOPE, messagingConfigSid: "MC1" })).toMatchObject({
    messagingConfigSid: "MC1",
  });
});
