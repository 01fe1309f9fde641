import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { durationSeconds, type LegName, legOf } from "./call.ts";
import { beginInbound, beginOutbound, step } from "./call-flow.ts";
import type { CallCommand, CallInput, CallState, CallStep } from "./call-state.ts";
import type { Dial, HangUp, Program } from "./program.ts";

const START = Date.UTC(2026, 0, 1);
const at = (seconds: number) => new Date(START + seconds * 1000);
const ORDER = {
  sid: "CA1",
  accountSid: "AC1",
  firstLegSid: "LG1",
  from: "+14155550101",
  to: "+14155550100",
  callerId: "+14155550101",
  ringSeconds: 30,
  maxSeconds: 60,
  recordingSid: "RE1",
  isRecorded: false,
};
const DIAL: Dial = { kind: "dial", legSid: "LG2", to: "sip:alice@pbx.example" };
const SAY = { kind: "say", text: "Goodbye.", times: 1 } as const;
const hangUp = (reason: HangUp["reason"], sipCode: number): Program => [{ kind: "hangUp", reason, sipCode }];
const AGENT = "sip:agent@pbx.example";
const OUTBOUND = { ...ORDER, from: AGENT, called: AGENT, callerId: "+14155550100", program: [DIAL] };
const begins = {
  static: () => beginInbound({ ...ORDER, program: [DIAL] }, at(0)),
  dynamic: () => beginInbound({ ...ORDER, program: undefined }, at(0)),
  outbound: () => beginOutbound(OUTBOUND, at(0)),
  prompted: () => beginOutbound({ ...OUTBOUND, keyPrompt: "Press." }, at(0)),
  recorded: () => beginInbound({ ...ORDER, isRecorded: true, program: [DIAL] }, at(0)),
};

const INPUTS = {
  "second rings": { kind: "ringing", leg: "Second", hasMedia: false },
  "second rings early": { kind: "ringing", leg: "Second", hasMedia: true },
  "first rings": { kind: "ringing", leg: "First", hasMedia: false },
  "first answers": { kind: "answered", leg: "First" },
  "second answers": { kind: "answered", leg: "Second" },
  "first busy": { kind: "refused", leg: "First", sipCode: 486, reason: "" },
  "second busy": { kind: "refused", leg: "Second", sipCode: 486, reason: "" },
  "second declines": { kind: "refused", leg: "Second", sipCode: 603, reason: "" },
  "second fails": { kind: "refused", leg: "Second", sipCode: 503, reason: "" },
  "first cancels": { kind: "canceled", leg: "First" },
  "first hangs up": { kind: "ended", leg: "First", by: "peer" },
  "second hangs up": { kind: "ended", leg: "Second", by: "peer" },
  "first is lost": { kind: "ended", leg: "First", by: "timeout" },
  "second is silent": { kind: "inactive", leg: "Second" },
  "first rang long": { kind: "timer", timer: "ring", leg: "First" },
  "second rang long": { kind: "timer", timer: "ring", leg: "Second", turn: 1 },
  "lasted long": { kind: "timer", timer: "duration" },
  "script dials": { kind: "script", program: [DIAL], turn: 0 },
  "script speaks": { kind: "script", program: [SAY, ...hangUp("ScriptHangup", 603)], turn: 0 },
  "first presses": { kind: "key", leg: "First", digit: "5" },
  "second presses": { kind: "key", leg: "Second", digit: "5" },
  "all is said": { kind: "played", leg: "First" },
  "speech fails": { kind: "speechFailed", leg: "First", reason: "the engine ended" },
  "first is silent": { kind: "inactive", leg: "First" },
  "was busy long": { kind: "timer", timer: "busy" },
  "no key": { kind: "timer", timer: "key" },
  "spoke long": { kind: "timer", timer: "speech", turn: 1 },
  "script hangs up": { kind: "script", program: hangUp("ScriptHangup", 603), turn: 0 },
  "no script": { kind: "script", program: hangUp("ScriptUnavailable", 480), turn: 0 },
  pause: { kind: "recordingControl", action: "Pause" },
  resume: { kind: "recordingControl", action: "Resume" },
  "disk is full": { kind: "recordingFault", reason: "ENOSPC" },
  "api hangs up": { kind: "hangUp", by: "Api", reason: "HungUp" },
} satisfies Record<string, CallInput>;
type InputName = keyof typeof INPUTS;

interface Run {
  readonly state: CallState;
  readonly commands: readonly CallCommand[];
}

function run(begin: CallStep, inputs: readonly CallInput[]): Run {
  let [state, commands] = begin;
  for (const [index, input] of inputs.entries()) {
    const [next, more] = step(state, input, at(index + 1));
    state = next;
    commands = [...commands, ...more];
  }
  return { state, commands };
}

const named = (names: readonly InputName[]) => names.map((name): CallInput => INPUTS[name]);
const told = ({ commands }: Run) =>
  commands.flatMap((command) => (command.do === "tell" ? [`${command.leg} ${command.status}`] : []));
const done = ({ commands }: Run) =>
  commands.flatMap((command) => {
    if (command.do === "tell" || command.do === "note" || command.do === "start" || command.do === "end") return [];
    return ["leg" in command ? `${command.do} ${command.leg}` : command.do];
  });

const SIX = [
  "First Ringing",
  "First Answered",
  "Second Ringing",
  "Second Answered",
  "First Completed",
  "Second Completed",
];

const ONE_LEG = ["First Answered", "First Completed"];

describe("a whole call tells its events in the specified order", () => {
  test.each<[keyof typeof begins, readonly InputName[], readonly string[]]>([
    ["static", ["first answers", "second rings", "second answers", "second hangs up"], SIX],
    ["dynamic", ["script dials", "first answers", "second rings", "second answers", "first hangs up"], SIX.slice(1)],
    ["outbound", ["first rings", "first answers", "second rings", "second answers", "second hangs up"], SIX],
    ["outbound", ["first answers", "second answers", "first hangs up"], SIX],
    ["prompted", ["first answers", "all is said", "first presses", "second answers", "first hangs up"], SIX],
  ])("%s: %j", (begin, inputs, events) => {
    const ran = run(begins[begin](), named(inputs));
    expect(told(ran)).toStrictEqual(events);
    expect(ran.state.call).toMatchObject({ status: "Completed", endReason: "Completed" });
  });
});

const NOT_RUNG = [...SIX.slice(0, 2), ...SIX.slice(4)];

describe("an early end tells what fits, and why it ended", () => {
  test.each<[keyof typeof begins, readonly InputName[], string, string, readonly string[]]>([
    ["static", ["first cancels"], "Canceled", "First", ["First Ringing", "First Completed"]],
    ["static", ["first answers", "second busy", "was busy long"], "Busy", "Second", NOT_RUNG],
    ["static", ["first answers", "second busy", "first hangs up"], "Busy", "Second", NOT_RUNG],
    ["static", ["first answers", "second declines"], "Rejected", "Second", [...SIX.slice(0, 2), ...SIX.slice(4)]],
    [
      "static",
      ["first answers", "second rings", "second rings early", "second rang long"],
      "NoAnswer",
      "Second",
      [...SIX.slice(0, 3), ...SIX.slice(4)],
    ],
    ["static", ["first answers", "first hangs up"], "Canceled", "First", [...SIX.slice(0, 2), ...SIX.slice(4)]],
    ["static", ["first is lost"], "Failed", "Service", ["First Ringing", "First Completed"]],
    ["dynamic", ["no script"], "ScriptUnavailable", "Service", ["First Completed"]],
    ["dynamic", ["script hangs up"], "ScriptHangup", "Service", ["First Completed"]],
    ["dynamic", ["first cancels", "script dials"], "Canceled", "First", ["First Completed"]],
    ["outbound", ["first busy"], "Busy", "First", ["First Completed"]],
    ["outbound", ["first rings", "first rang long"], "NoAnswer", "First", ["First Ringing", "First Completed"]],
    ["outbound", ["api hangs up"], "HungUp", "Api", ["First Completed"]],
    ["outbound", ["first answers", "second answers", "lasted long"], "MaxDuration", "Service", SIX],
    ["outbound", ["first answers", "second answers", "second is silent"], "MediaTimeout", "Service", SIX],
    ["dynamic", ["script speaks", "first answers", "all is said"], "ScriptHangup", "Service", ONE_LEG],
    ["dynamic", ["script speaks", "first answers", "speech fails"], "ScriptHangup", "Service", ONE_LEG],
    ["dynamic", ["script speaks", "first answers", "spoke long"], "ScriptHangup", "Service", ONE_LEG],
    ["dynamic", ["script speaks", "first answers", "first hangs up"], "Canceled", "First", ONE_LEG],
    ["dynamic", ["script speaks", "first answers", "first is silent"], "MediaTimeout", "Service", ONE_LEG],
    ["prompted", ["first answers", "no key"], "NotAcknowledged", "First", ["First Ringing", ...ONE_LEG]],
    ["prompted", ["first answers", "speech fails"], "Failed", "Service", ["First Ringing", ...ONE_LEG]],
    ["prompted", ["first answers", "first hangs up"], "Canceled", "First", ["First Ringing", ...ONE_LEG]],
  ])("%s: %j ends as %s by %s", (begin, inputs, endReason, endedBy, events) => {
    const ran = run(begins[begin](), named(inputs));
    expect(ran.state.call).toMatchObject({ status: "Completed", endReason, endedBy });
    expect(told(ran)).toStrictEqual(events);
  });
});

test("the caller is answered, hears ringing, and is joined with the second party", () => {
  const ran = run(begins.static(), named(["first answers", "second rings early", "second answers", "first hangs up"]));
  expect(done(ran)).toStrictEqual([
    "ring",
    "answer",
    "playRingback",
    "dial Second",
    "playEarlyMedia",
    "join",
    "hangUp Second",
  ]);
});

test("a second party that rings without media leaves the caller with our ringing", () => {
  const ran = run(begins.static(), named(["first answers", "second rings"]));
  expect(done(ran)).not.toContain("playEarlyMedia");
});

test("an ordered call rings when its first party rings", () => {
  const { state } = run(begins.outbound(), named(["first rings"]));
  expect(state.call.status).toBe("Ringing");
  const early = run(begins.outbound(), [{ kind: "ringing", leg: "First", hasMedia: true }]);
  expect(done(early)).toStrictEqual(["dial First"]);
});

test.each<[keyof typeof begins, readonly InputName[]]>([
  ["static", ["first answers", "first answers"]],
  ["static", ["first answers", "second busy", "second answers"]],
  ["prompted", ["first answers", "first answers"]],
])("%s: an answer that is not awaited joins and dials nobody: %j", (begin, inputs) => {
  const before = run(begins[begin](), named(inputs.slice(0, -1)));
  const after = run(begins[begin](), named(inputs));
  expect(done(after)).toStrictEqual(done(before));
  expect(after.state.call).toStrictEqual(before.state.call);
});

test("the caller hears that the second party is busy, and is hung up on after a while", () => {
  const heard = named(["first answers", "second busy"]);
  expect(done(run(begins.static(), heard)).slice(2)).toStrictEqual(["playRingback", "dial Second", "playBusy"]);
  const ended = run(begins.static(), [...heard, INPUTS["second rang long"], INPUTS["was busy long"]]);
  expect(done(ended).slice(5)).toStrictEqual(["hangUp First"]);
});

test("a script that hangs up rejects the call without answering it", () => {
  const ran = run(begins.dynamic(), named(["script hangs up"]));
  expect(ran.commands).toContainEqual({ do: "reject", sipCode: 603 });
  expect(done(ran)).toStrictEqual(["ring", "ask", "reject"]);
});

test("a script that speaks answers the call, speaks, and hangs up when all is said", () => {
  const ran = run(begins.dynamic(), named(["script speaks", "first answers", "first presses", "all is said"]));
  expect(ran.commands).toContainEqual({ do: "speak", text: "Goodbye." });
  expect(ran.commands).toContainEqual({ do: "start", timer: "speech", turn: 1, ms: 900_000 });
  expect(done(ran)).toStrictEqual(["ring", "ask", "answer", "speak", "hangUp First"]);
});

test("the prompt is heard three times at most, until a key is pressed", () => {
  const heard = named(["first answers", "all is said", "all is said", "all is said", "all is said"]);
  const waiting = ["dial First", "listenForKeys", "prompt", "prompt", "prompt"];
  expect(done(run(begins.prompted(), heard))).toStrictEqual(waiting);
  const pressed = run(begins.prompted(), [...heard, INPUTS["first presses"], INPUTS["no key"]]);
  expect(done(pressed)).toStrictEqual([...waiting, "listenForKeys", "playRingback", "dial Second"]);
});

describe("a recording", () => {
  const JOIN = ["first answers", "second answers"] as const;
  const END = "first hangs up";
  const recorded = (...names: readonly InputName[]) => {
    const ran = run(begins.recorded(), named(names));
    const commands = ran.commands.flatMap((command) =>
      command.do === "record" ? [`record ${command.index}`] : command.do === "pauseRecording" ? ["pause"] : [],
    );
    const { recording } = ran.state.call;
    return { commands, status: recording?.status, segments: recording?.segments.map(({ index }) => index) };
  };

  test.each<[readonly InputName[], readonly string[], string, readonly number[]]>([
    [[], [], "Recording", []],
    [["first answers"], [], "Recording", []],
    [JOIN, ["record 1"], "Recording", [1]],
    [[...JOIN, "pause"], ["record 1", "pause"], "Paused", [1]],
    [[...JOIN, "pause", "pause"], ["record 1", "pause"], "Paused", [1]],
    [[...JOIN, "resume"], ["record 1"], "Recording", [1]],
    [[...JOIN, "pause", "resume", "resume"], ["record 1", "pause", "record 2"], "Recording", [1, 2]],
    [["pause", ...JOIN], [], "Paused", []],
    [["pause", ...JOIN, "resume"], ["record 1"], "Recording", [1]],
    [["pause", "resume", ...JOIN], ["record 1"], "Recording", [1]],
    [[...JOIN, END], ["record 1"], "Processing", [1]],
    [[...JOIN, "pause", END], ["record 1", "pause"], "Processing", [1]],
    [[...JOIN, "disk is full", END], ["record 1"], "Processing", [1]],
    [["first answers", "second busy", "was busy long"], [], "Completed", []],
    [["pause", ...JOIN, END], [], "Completed", []],
  ])("after %j", (names, commands, status, segments) => {
    expect(recorded(...names)).toStrictEqual({ commands, status, segments });
  });

  test("is made as the number says unless the script says otherwise", () => {
    for (const isRecorded of [true, false]) {
      for (const record of [true, false, undefined]) {
        const begin = beginInbound({ ...ORDER, isRecorded, program: undefined }, at(0));
        const script = { kind: "script", program: [{ ...DIAL, record }], turn: 0 } as const;
        expect(begin[0].call.recording).toBeNull();
        expect(run(begin, [script]).state.call.recording !== null).toBe(record ?? isRecorded);
      }
    }
  });

  test("keeps the first fault, and goes on", () => {
    const { state, commands } = run(begins.recorded(), named([...JOIN, "disk is full", "disk is full"]));
    expect(state.call.recording).toMatchObject({ status: "Recording", fault: "ENOSPC" });
    expect(commands.filter((command) => command.do === "note")).toHaveLength(1);
  });

  test("is not paused, resumed or marked where there is none", () => {
    const { state } = run(begins.static(), named([...JOIN, "pause", "resume", "disk is full"]));
    expect(state.call.recording).toBeNull();
  });
});

test("a call lasts from the join, a leg from its own answer", () => {
  const { state } = run(begins.static(), named(["first answers", "second rings", "second answers", "first hangs up"]));
  expect(durationSeconds(state.call)).toBe(1);
  expect(state.call.legs.map(durationSeconds)).toStrictEqual([3, 1]);
});

describe("whatever comes, in whatever order", () => {
  const inputs = fc.array(fc.constantFrom(...(Object.keys(INPUTS) as InputName[])), { maxLength: 12 });
  const begin = fc.constantFrom(...(Object.keys(begins) as (keyof typeof begins)[]));
  const anyRun = fc.tuple(begin, inputs).map(([name, names]) => run(begins[name](), named(names)));

  test("the events are a subsequence of the six", () => {
    fc.assert(
      fc.property(anyRun, (ran) => {
        const places = told(ran).map((event) => SIX.indexOf(event));
        expect(places).toStrictEqual([...new Set(places)].sort((one, other) => one - other));
      }),
    );
  });

  test("every leg begun completes once when the call ends, and not before", () => {
    fc.assert(
      fc.property(anyRun, (ran) => {
        const completed = told(ran).filter((event) => event.endsWith("Completed"));
        const isEnded = ran.state.call.status === "Completed";
        expect(completed).toStrictEqual(isEnded ? ran.state.call.legs.map(({ leg }) => `${leg} Completed`) : []);
        expect(ran.commands.filter((command) => command.do === "end")).toHaveLength(isEnded ? 1 : 0);
      }),
    );
  });

  test("the end of any leg that was begun ends the call and the other leg", () => {
    fc.assert(
      fc.property(anyRun, fc.constantFrom<LegName>("First", "Second"), (ran, leg) => {
        fc.pre(legOf(ran.state.call, leg) !== undefined);
        const [state, commands] = step(ran.state, { kind: "ended", leg, by: "peer" }, at(100));
        expect(state.call.status).toBe("Completed");
        const isOver = ran.state.call.status === "Completed";
        const others = isOver ? 0 : state.call.legs.filter((other) => other.leg !== leg).length;
        expect(commands.filter((command) => command.do === "hangUp" || command.do === "reject")).toHaveLength(others);
      }),
    );
  });

  test("the second leg of a call that asks for a key is dialled only after a key", () => {
    fc.assert(
      fc.property(inputs, (names) => {
        const ran = run(begins.prompted(), named(names));
        const isDialled = ran.commands.some((command) => command.do === "dial" && command.leg === "Second");
        const answered = names.indexOf("first answers");
        expect(isDialled && !(answered >= 0 && names.indexOf("first presses", answered) > answered)).toBe(false);
      }),
    );
  });

  test("nothing happens after the end, but that the last audio of a recording cannot be written", () => {
    fc.assert(
      fc.property(anyRun, fc.constantFrom(...Object.values<CallInput>(INPUTS)), (ran, input) => {
        const { call } = ran.state;
        fc.pre(call.status === "Completed");
        const fault = input.kind === "recordingFault" ? (call.recording?.fault ?? input.reason) : undefined;
        const recording = call.recording && fault !== undefined ? { ...call.recording, fault } : call.recording;
        expect(step(ran.state, input, at(100))).toStrictEqual([{ ...ran.state, call: { ...call, recording } }, []]);
      }),
    );
  });
});
