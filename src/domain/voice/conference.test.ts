import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type ConferenceCommand,
  type ConferenceInput,
  happenings,
  newConference,
  type Participant,
  participantOf,
  partOf,
  stepConference,
} from "./conference.ts";
import { type ConferenceRecording, newRecording } from "./recording.ts";

const AT = new Date("2026-01-01T00:00:00Z");
const CALLS = ["CA1", "CA2", "CA3", "CA4"];
const EMPTY = newConference({ sid: "CF1", accountSid: "AC1", name: "team", callback: null }, AT);

function enter(callSid: string, more: Partial<Participant> = {}): ConferenceInput {
  const usual = { label: null, muted: false, hold: false, startsOnEnter: true, endsOnExit: false, joinedOn: AT };
  return { kind: "enter", participant: { callSid, ...usual, ...more }, beeps: true };
}

function leave(callSid: string): ConferenceInput {
  return { kind: "leave", callSid, beeps: true, reason: "HungUp" };
}

function fed(...inputs: readonly ConferenceInput[]) {
  let conference = EMPTY;
  const commands: ConferenceCommand[] = [];
  const told: string[] = [];
  for (const input of inputs) {
    const [next, more] = stepConference(conference, input, AT);
    for (const { event, participant, reason, endedBy } of happenings(conference, next, input)) {
      const of = [event, participant?.callSid, reason, endedBy && `by ${endedBy.callSid}`];
      told.push(of.filter((word) => word != null).join(" "));
    }
    conference = next;
    commands.push(...more);
  }
  return { conference, commands, told };
}

const recordingOf = (callSid: string): ConferenceRecording => ({
  ...newRecording(`RE-${callSid}`),
  ...{ source: "Conference", callback: null, callSid },
});
const recorded = (callSid: string, more: Partial<Participant> = {}): ConferenceInput => {
  const entering = enter(callSid, more);
  return entering.kind === "enter" ? { ...entering, recording: recordingOf(callSid) } : entering;
};

const calls = fc.constantFrom(...CALLS);
const anyInput: fc.Arbitrary<ConferenceInput> = fc.oneof(
  fc
    .tuple(calls, fc.record({ muted: fc.boolean(), startsOnEnter: fc.boolean(), endsOnExit: fc.boolean() }))
    .map(([callSid, more]) => enter(callSid, more)),
  calls.map((callSid) => recorded(callSid)),
  calls.map(leave),
  fc.record({
    kind: fc.constant("change" as const),
    callSid: calls,
    muted: fc.option(fc.boolean(), { nil: undefined }),
    hold: fc.option(fc.boolean(), { nil: undefined }),
  }),
  fc.record({ kind: fc.constant("remove" as const), callSid: calls }),
  fc.record({ kind: fc.constant("end" as const), reason: fc.constant("Api" as const) }),
);

test("whatever happens: who entered leaves or is released once, and what each hears is what its part says", () => {
  fc.assert(
    fc.property(fc.array(anyInput, { maxLength: 40 }), (inputs) => {
      let conference = EMPTY;
      const inside = new Set<string>();
      const parts = new Map<string, object>();
      let ends = 0;
      let records = 0;
      for (const input of inputs) {
        const wasOver = conference.status === "Completed";
        const [next, commands] = stepConference(conference, input, AT);
        if (wasOver) expect([next, commands]).toEqual([conference, []]);
        else if (input.kind === "enter") inside.add(input.participant.callSid);
        else if (input.kind === "leave") inside.delete(input.callSid);
        for (const command of commands) {
          if (command.do === "release") expect(inside.delete(command.callSid)).toBe(true);
          if (command.do === "connect") parts.set(command.callSid, { speaks: command.speaks, hears: command.hears });
          if (command.do === "end") ends++;
          if (command.do === "record") records++;
        }
        conference = next;
        expect(new Set(conference.participants.map(({ callSid }) => callSid))).toEqual(inside);
        for (const one of conference.participants) {
          const part = partOf(conference, one);
          expect(parts.get(one.callSid)).toEqual(part);
          if (part.speaks) expect([conference.status, one.muted, one.hold]).toEqual(["InProgress", false, false]);
          if (one.hold) expect(part.hears).not.toBe("others");
        }
        if (inside.size === 0 && parts.size > 0) expect(conference.status).toBe("Completed");
        expect(ends).toBe(conference.status === "Completed" ? 1 : 0);
        expect(records).toBe(conference.recording?.segments.length ?? 0);
        expect(records).toBeLessThanOrEqual(1);
        const isUnderWay = conference.recording?.status === "Recording";
        expect(isUnderWay).toBe(conference.recording !== null && conference.status !== "Completed");
      }
    }),
  );
});

describe("a conference", () => {
  test("waits until there are two, one of whom may start it", () => {
    const waits = fed(enter("CA1", { startsOnEnter: false }), enter("CA2", { startsOnEnter: false }));
    expect(waits.conference.status).toBe("Waiting");
    expect(fed(enter("CA1")).conference.status).toBe("Waiting");
    const begun = fed(enter("CA1", { startsOnEnter: false }), enter("CA2"));
    expect(begun.conference).toMatchObject({ status: "InProgress", startedOn: AT });
    expect(begun.commands.slice(-2)).toEqual([
      { do: "connect", callSid: "CA1", speaks: true, hears: "others" },
      { do: "connect", callSid: "CA2", speaks: true, hears: "others" },
    ]);
  });

  test("goes on when one leaves, and ends with the last", () => {
    const one = fed(enter("CA1"), enter("CA2"), leave("CA1"));
    expect(one.conference.status).toBe("InProgress");
    const none = fed(enter("CA1"), enter("CA2"), leave("CA1"), leave("CA2"));
    expect(none.conference).toMatchObject({ status: "Completed", endReason: "LastParticipantLeft" });
  });

  test("ends with the one whose leaving ends it, and releases the others", () => {
    const { conference, commands } = fed(enter("CA1"), enter("CA2", { endsOnExit: true }), leave("CA2"));
    expect(conference).toMatchObject({ status: "Completed", endReason: "EndOnExit", participants: [] });
    expect(commands.slice(-2)).toEqual([{ do: "release", callSid: "CA1" }, { do: "end" }]);
  });

  test("a participant on hold neither speaks nor hears the others, and comes back as it was", () => {
    const inside = [enter("CA1"), enter("CA2", { muted: true })];
    const held = fed(...inside, { kind: "change", callSid: "CA1", hold: true });
    expect(held.commands.at(-1)).toEqual({ do: "connect", callSid: "CA1", speaks: false, hears: "hold" });
    const back = fed(
      ...inside,
      { kind: "change", callSid: "CA2", hold: true },
      { kind: "change", callSid: "CA2", hold: false },
    );
    expect(participantOf(back.conference, "CA2")).toMatchObject({ muted: true, hold: false });
    expect(back.commands.at(-1)).toEqual({ do: "connect", callSid: "CA2", speaks: false, hears: "others" });
  });

  test("is recorded from its start to its end, for the call that asked first", () => {
    const waits = fed(recorded("CA1"));
    expect(waits.conference.recording).toMatchObject({ sid: "RE-CA1", callSid: "CA1", segments: [] });
    expect(waits.commands).not.toContainEqual({ do: "record" });
    const both = fed(recorded("CA1"), recorded("CA2"));
    expect(both.commands.at(-1)).toEqual({ do: "record" });
    expect(both.conference.recording).toMatchObject({ sid: "RE-CA1", segments: [{ index: 1, startedOn: AT }] });
    const late = fed(enter("CA1"), enter("CA2"), recorded("CA3"), leave("CA3"), enter("CA4"));
    expect(late.commands.filter((one) => one.do === "record")).toHaveLength(1);
    expect(late.conference.recording).toMatchObject({ callSid: "CA3", status: "Recording" });
    expect(fed(recorded("CA1"), enter("CA2"), { kind: "end", reason: "Api" }).conference.recording).toMatchObject({
      status: "Processing",
    });
    expect(fed(recorded("CA1"), leave("CA1")).conference.recording).toMatchObject({
      status: "Completed",
      segments: [],
    });
  });

  const remove = (callSid: string) => ({ kind: "remove", callSid }) as const;
  const both = [enter("CA1", { endsOnExit: true }), enter("CA2")];

  test.each<[string, readonly ConferenceInput[], readonly string[]]>([
    ["one leaves", [leave("CA2")], ["ParticipantLeft CA2 HungUp"]],
    ["one is removed", [remove("CA2")], ["ParticipantLeft CA2 Removed"]],
    [
      "one leaves whose leaving ends it",
      [{ ...leave("CA1"), reason: "Redirected" } as ConferenceInput],
      ["ParticipantLeft CA1 Redirected", "ParticipantLeft CA2 EndOnExit", "Ended EndOnExit by CA1"],
    ],
    [
      "one is removed whose leaving ends it",
      [remove("CA1")],
      ["ParticipantLeft CA1 Removed", "ParticipantLeft CA2 EndOnRemoval", "Ended EndOnRemoval by CA1"],
    ],
    [
      "the API ends it",
      [{ kind: "end", reason: "Api" }],
      ["ParticipantLeft CA1 Api", "ParticipantLeft CA2 Api", "Ended Api"],
    ],
  ])("tells why participants are gone and who has ended it: %s", (_what, inputs, told) => {
    const begun = fed(...both).told;
    expect(begun).toEqual(["ParticipantJoined CA1", "ParticipantJoined CA2", "Started"]);
    expect(fed(...both, ...inputs).told.slice(begun.length)).toEqual(told);
  });

  test("tells of the one whose leaving ends it before those whom that releases", () => {
    const { told } = fed(enter("CA1"), enter("CA2", { endsOnExit: true }), leave("CA2"));
    expect(told.slice(-3)).toEqual([
      "ParticipantLeft CA2 HungUp",
      "ParticipantLeft CA1 EndOnExit",
      "Ended EndOnExit by CA2",
    ]);
  });

  test("tells who was the last, and whether it was removed", () => {
    const last = (input: ConferenceInput) => fed(enter("CA1"), enter("CA2"), leave("CA2"), input).told.slice(-2);
    expect(last(leave("CA1"))).toEqual(["ParticipantLeft CA1 HungUp", "Ended LastParticipantLeft by CA1"]);
    expect(last(remove("CA1"))).toEqual(["ParticipantLeft CA1 Removed", "Ended LastParticipantRemoved by CA1"]);
  });
});
