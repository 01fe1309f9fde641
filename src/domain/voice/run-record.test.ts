import { describe, expect, test } from "vitest";
import { at, fed, ORDER } from "../../../test/fakes/program-run.ts";
import { beginInbound, step } from "./call-flow.ts";
import type { CallCommand, CallInput } from "./call-state.ts";
import type { Program, RecordParty } from "./program.ts";

const record = (more: Partial<RecordParty> = {}): RecordParty => ({
  kind: "record",
  recordingSid: "RE2",
  action: { url: "https://example.com/done", method: "POST" },
  maxSeconds: 60,
  silenceSeconds: 5,
  finishKeys: "1234567890*#",
  beeps: true,
  ...more,
});
const ANSWERED: CallInput = { kind: "answered", leg: "First" };
const PLAYED: CallInput = { kind: "played", leg: "First" };
const SILENCE: CallInput = { kind: "silence", leg: "First" };
const HUNG_UP: CallInput = { kind: "ended", leg: "First", by: "peer" };
const key = (digit: string): CallInput => ({ kind: "key", leg: "First", digit });

function run(program: Program, ...inputs: readonly CallInput[]) {
  const [begun, first] = beginInbound({ ...ORDER, program }, at(0));
  const { state, commands } = fed({ state: begun, commands: first }, ANSWERED, ...inputs);
  return { state, commands, done: commands.flatMap(shown) };
}

function shown(one: CallCommand): readonly string[] {
  switch (one.do) {
    case "recordFirst":
      return [`record ${one.recordingSid}`];
    case "listenForSilence":
      return [`silence ${one.ms ?? "off"}`];
    case "listenForKeys":
      return [`keys ${one.on ? "on" : "off"}`];
    case "fetch":
    case "inform":
      return [`${one.do} ${one.document.url} ${JSON.stringify(one.facts)}`];
    case "start":
      return one.timer === "recording" ? [`timer ${one.ms}`] : [];
    case "tell":
    case "note":
    case "ring":
    case "answer":
      return [];
    default:
      return [one.do];
  }
}

/** What comes when the tone is over. */
const BEGUN = ["record RE2", "keys on", "silence 5000", "timer 60000"];
const STOPPED = ["pauseRecording", "keys off", "silence off"];
const asked = (digits: string) =>
  `fetch https://example.com/done {"kind":"recorded","recordingSid":"RE2","digits":"${digits}"}`;

describe("a party is recorded after a tone", () => {
  test.each([
    ["silence", SILENCE, ""],
    ["the most time", { kind: "timer", timer: "recording", turn: 2 }, ""],
    ["a key", key("7"), "7"],
  ] as const)("%s ends it, and the action is asked", (_, input, digits) => {
    const { done, state } = run([record()], PLAYED, input);
    expect(done).toEqual(["beep", ...BEGUN, ...STOPPED, asked(digits)]);
    expect(state).toMatchObject({ phase: "Asking", left: [] });
    expect(state.call.programRecordings).toMatchObject([
      {
        sid: "RE2",
        source: "Record",
        status: "Processing",
        callback: null,
        segments: [{ index: 1, startedOn: at(2) }],
      },
    ]);
    expect(state.call.recording).toBeNull();
  });

  test("a tone that is not over in time is cut off", () => {
    const { done } = run([record()], { kind: "timer", timer: "speech", turn: 1 });
    expect(done).toEqual(["beep", "stopSpeaking", ...BEGUN]);
  });

  test("keys and silence before the end of the tone, and other keys, end nothing", () => {
    expect(run([record()], key("1"), SILENCE).state.phase).toBe("Beeping");
    const { state } = run([record({ finishKeys: "#" })], PLAYED, key("1"), key("*"));
    expect(state.phase).toBe("Recording");
  });

  test("without a tone, keys and silence, nothing is listened for", () => {
    const { done, state } = run([record({ beeps: false, finishKeys: "", silenceSeconds: 0 })], key("1"));
    expect(done).toEqual(["record RE2", "timer 60000"]);
    expect(state.phase).toBe("Recording");
  });
});

describe("a call that ends while it is recorded", () => {
  const informed = `inform https://example.com/done {"kind":"recorded","recordingSid":"RE2","digits":"hangup"}`;

  test.each([
    ["a hang-up", HUNG_UP],
    ["the time limit of the call", { kind: "timer", timer: "duration" }],
    ["missing audio", { kind: "inactive", leg: "First" }],
    ["the hang-up operation", { kind: "hangUp", by: "Api", reason: "HungUp" }],
  ] as const)("by %s informs the action last, and the recording is finished", (_, input) => {
    const { done, state } = run([record()], PLAYED, input);
    expect(done.at(-1)).toBe(informed);
    expect(done.at(-2)).toBe("end");
    expect(state.call).toMatchObject({ status: "Completed", programRecordings: [{ status: "Processing" }] });
  });

  test("informs nothing when the recording had not begun, or was over", () => {
    for (const inputs of [[HUNG_UP], [PLAYED, SILENCE, HUNG_UP]]) {
      expect(run([record()], ...inputs).commands.some((one) => one.do === "inform")).toBe(false);
    }
  });
});

test("audio that cannot be written is a fault of this recording", () => {
  const { state } = run([record()], PLAYED, { kind: "recordingFault", reason: "ENOSPC" });
  expect(state).toMatchObject({ phase: "Recording", call: { programRecordings: [{ sid: "RE2", fault: "ENOSPC" }] } });
});

test("a redirection ends the recording, which is kept, and the tone", () => {
  const redirect: CallInput = { kind: "redirect", program: [{ kind: "pause", seconds: 1 }] };
  const { done, state } = run([record()], PLAYED, redirect);
  expect(done).toEqual(["beep", ...BEGUN, ...STOPPED]);
  expect(state).toMatchObject({ phase: "Pausing", call: { programRecordings: [{ status: "Processing" }] } });
  expect(run([record()], redirect).done).toEqual(["beep", "stopSpeaking"]);
});

test("a call has a hundred recordings at most", () => {
  let turn = 3;
  const again = (): readonly CallInput[] => {
    const script: CallInput = { kind: "script", program: [record({ recordingSid: `RE${turn}` })], turn };
    turn += 3;
    return [script, PLAYED, SILENCE];
  };
  const inputs = Array.from({ length: 99 }, again).flat();
  const most = run([record()], PLAYED, SILENCE, ...inputs);
  expect(most.state).toMatchObject({ phase: "Asking", turn });
  const [ended] = step(most.state, { kind: "script", program: [record()], turn }, at(999));
  expect(ended.call).toMatchObject({ status: "Completed", endReason: "ScriptInvalid" });
  expect(ended.call.programRecordings).toHaveLength(100);
});

test("each instruction makes a recording of its own", () => {
  const again: CallInput = { kind: "script", program: [record({ recordingSid: "RE3", beeps: false })], turn: 3 };
  const { state } = run([record()], PLAYED, SILENCE, again, HUNG_UP);
  expect(state.call.programRecordings.map(({ sid, status }) => [sid, status])).toEqual([
    ["RE2", "Processing"],
    ["RE3", "Processing"],
  ]);
});
